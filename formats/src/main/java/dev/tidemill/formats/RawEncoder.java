package dev.tidemill.formats;

import dev.tidemill.data.Batch;
import dev.tidemill.data.BytesColumn;
import dev.tidemill.data.Column;
import dev.tidemill.data.Columns;
import dev.tidemill.data.Schema;

/** The bytes of the only column; a null is an empty record. */
public final class RawEncoder implements RowEncoder {
    private final TextWriter numbers = new TextWriter();
    private final boolean newline;

    /** @param newline whether a newline ends each record */
    public RawEncoder(boolean newline) {
        this.newline = newline;
    }

    /** @throws IllegalArgumentException when the batch has not exactly one column beside the engine's */
    @Override
    public void encode(Batch batch, EncodedRows out) {
        Column column = Columns.plain(batch.column(onlyColumn(batch.schema())));
        int rows = batch.rows();
        for (int i = 0; i < rows; i++) {
            int row = batch.physicalRow(i);
            if (!column.isNull(row)) {
                value(out, column, row);
            }
            if (newline) {
                TextWriter.put(out, (byte) '\n');
            }
            out.endRecord();
        }
    }

    private void value(EncodedRows out, Column column, int row) {
        if (column instanceof BytesColumn bytes) {
            TextWriter.bytes(out, bytes.data(), bytes.start(row), bytes.end(row));
            return;
        }
        numbers.scalar(out, column, row);
    }

    private static int onlyColumn(Schema schema) {
        int found = -1;
        for (int i = 0; i < schema.size(); i++) {
            if (Schema.isEngineColumn(schema.field(i).name())) {
                continue;
            }
            if (found >= 0) {
                throw new IllegalArgumentException(
                        "the raw format writes exactly one column, not " + schema.names());
            }
            found = i;
        }
        if (found < 0) {
            throw new IllegalArgumentException(
                    "the raw format writes exactly one column, there is none");
        }
        return found;
    }
}
