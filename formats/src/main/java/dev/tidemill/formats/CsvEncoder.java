package dev.tidemill.formats;

import dev.tidemill.data.Batch;
import dev.tidemill.data.BoolColumn;
import dev.tidemill.data.BytesColumn;
import dev.tidemill.data.Column;
import dev.tidemill.data.DataType;
import dev.tidemill.data.DictionaryColumn;
import dev.tidemill.data.DoubleColumn;
import dev.tidemill.data.JsonText;
import dev.tidemill.data.ListColumn;
import dev.tidemill.data.Schema;
import dev.tidemill.data.StructColumn;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * RFC 4180: a null is empty, an empty string is {@code ""}, so that both survive. Engine columns are left out; lists and structs are JSON
 * in quotes.
 */
public final class CsvEncoder implements RowEncoder {
    private final TextWriter numbers = new TextWriter();
    private final byte delimiter;
    private final boolean newline;

    /** @param newline whether a newline ends each record */
    public CsvEncoder(char delimiter, boolean newline) {
        this.delimiter = (byte) delimiter;
        this.newline = newline;
    }

    /** The header line of a schema, with its newline. */
    public byte[] header(Schema schema) {
        EncodedRows out = new EncodedRows();
        boolean first = true;
        for (String name : schema.names()) {
            if (Schema.isEngineColumn(name)) {
                continue;
            }
            if (!first) {
                TextWriter.put(out, delimiter);
            }
            first = false;
            byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
            string(out, bytes, 0, bytes.length);
        }
        TextWriter.put(out, (byte) '\n');
        return java.util.Arrays.copyOf(out.data(), out.size());
    }

    @Override
    public void encode(Batch batch, EncodedRows out) {
        int rows = batch.rows();
        for (int i = 0; i < rows; i++) {
            row(batch, batch.physicalRow(i), out);
            if (newline) {
                TextWriter.put(out, (byte) '\n');
            }
            out.endRecord();
        }
    }

    private void row(Batch batch, int row, EncodedRows out) {
        boolean first = true;
        for (int c = 0; c < batch.columnCount(); c++) {
            if (Schema.isEngineColumn(batch.schema().field(c).name())) {
                continue;
            }
            if (!first) {
                TextWriter.put(out, delimiter);
            }
            first = false;
            value(out, batch.column(c), row);
        }
    }

    private void value(EncodedRows out, Column column, int row) {
        if (column.isNull(row)) {
            return;
        }
        switch (column) {
            case DictionaryColumn c -> value(out, c.dictionary(), c.indices()[row]);
            case BytesColumn c when c.type() instanceof DataType.Bytes ->
                    TextWriter.bytes(out, Base64.getEncoder().encode(c.bytes(row)));
            case BytesColumn c -> string(out, c.data(), c.start(row), c.end(row));
            case BoolColumn c -> TextWriter.ascii(out, c.get(row) ? "true" : "false");
            case DoubleColumn c when !Double.isFinite(c.get(row)) -> {}
            case ListColumn _, StructColumn _ -> {
                byte[] json = JsonText.of(column.value(row)).getBytes(StandardCharsets.UTF_8);
                string(out, json, 0, json.length);
            }
            default -> numbers.scalar(out, column, row);
        }
    }

    private void string(EncodedRows out, byte[] data, int from, int to) {
        if (!needsQuotes(data, from, to)) {
            TextWriter.bytes(out, data, from, to);
            return;
        }
        byte[] target = out.reserve(2 * (to - from) + 2);
        int at = out.size();
        target[at++] = '"';
        for (int i = from; i < to; i++) {
            if (data[i] == '"') {
                target[at++] = '"';
            }
            target[at++] = data[i];
        }
        target[at++] = '"';
        out.advanceTo(at);
    }

    private boolean needsQuotes(byte[] data, int from, int to) {
        for (int i = from; i < to; i++) {
            byte c = data[i];
            if (c == '"' || c == delimiter || c == '\n' || c == '\r') {
                return true;
            }
        }
        return from == to;
    }
}
