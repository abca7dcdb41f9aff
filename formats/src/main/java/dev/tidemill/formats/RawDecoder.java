package dev.tidemill.formats;

import dev.tidemill.data.Batch;
import dev.tidemill.data.Column;
import dev.tidemill.data.ColumnBuilder;
import dev.tidemill.data.Columns;
import dev.tidemill.data.DataType;
import dev.tidemill.data.Field;
import dev.tidemill.data.Schema;
import dev.tidemill.formats.json.JsonOptions;
import java.util.ArrayList;
import java.util.List;

/**
 * One record is one value of one column: text, checked to be UTF-8, or bytes. In lines the line break, with or without a carriage return,
 * is not part of it.
 */
public final class RawDecoder implements RecordDecoder {
    private final boolean text;
    private final int maxRecordBytes;
    private final ColumnBuilder.Strings values;
    private final Schema schema;

    /** Columns that are wanted and not there. */
    private final int absent;

    private final RejectedData rejected;
    private int rows;
    private boolean skippingLine;

    /**
     * @param column a string or bytes column
     * @param wanted the columns that are read, or null for all; those that are not there are null
     */
    public RawDecoder(
            Field column,
            List<String> wanted,
            OnBadData policy,
            int maxRecordBytes,
            BadDataSink bad) {
        text = column.type() == DataType.UTF8;
        this.maxRecordBytes = maxRecordBytes;
        rejected =
                new RejectedData(
                        policy, bad, wanted == null || wanted.contains(JsonOptions.RESCUED));
        boolean read = wanted == null || wanted.contains(column.name());
        values = read ? (ColumnBuilder.Strings) ColumnBuilder.of(column.type()) : null;
        List<Field> fields = new ArrayList<>();
        if (read) {
            fields.add(column);
        }
        for (String name : wanted == null ? List.<String>of() : wanted) {
            if (!name.equals(column.name()) && !name.equals(JsonOptions.RESCUED)) {
                fields.add(new Field(name, DataType.NULL));
            }
        }
        absent = fields.size() - (read ? 1 : 0);
        if (rejected.hasColumn()) {
            fields.add(new Field(JsonOptions.RESCUED, DataType.UTF8));
        }
        schema = new Schema(fields);
    }

    @Override
    public int record(byte[] data, int from, int to, long offset) throws BadDataException {
        int before = rows;
        value(data, from, to, offset);
        return rows - before;
    }

    @Override
    public int lines(byte[] data, int from, int to, boolean last, long offset, int maxRows)
            throws BadDataException {
        int at = from;
        while (at < to && rows < maxRows) {
            int newline = Lines.newline(data, at, to);
            if (newline < 0 && !last) {
                return skippingLine ? to : incomplete(data, at, to, offset + at - from);
            }
            int end = newline < 0 ? to : newline;
            if (!skippingLine) {
                int trimmed = end > at && data[end - 1] == '\r' ? end - 1 : end;
                value(data, at, trimmed, offset + at - from);
            }
            skippingLine = false;
            at = Math.min(end + 1, to);
        }
        return at;
    }

    private int incomplete(byte[] data, int at, int to, long offset) throws BadDataException {
        if (to - at <= maxRecordBytes + 1L) {
            return at;
        }
        skippingLine = true;
        reject(offset, "longer than " + maxRecordBytes + " bytes", data, at, to);
        return to;
    }

    private void value(byte[] data, int from, int to, long offset) throws BadDataException {
        if (to - from > maxRecordBytes) {
            reject(offset, "longer than " + maxRecordBytes + " bytes", data, from, to);
            return;
        }
        int bad = text ? Utf8.firstBad(data, from, to) : -1;
        if (bad >= 0) {
            reject(offset, Utf8.complaint(data, bad), data, from, to);
            return;
        }
        rejected.good();
        if (values != null) {
            values.appendBytes(data, from, to);
        }
        rows++;
    }

    private void reject(long offset, String reason, byte[] data, int from, int to)
            throws BadDataException {
        if (!rejected.record(offset, reason, data, from, to)) {
            return;
        }
        if (values != null) {
            values.appendNull();
        }
        rows++;
    }

    @Override
    public Schema schema() {
        return schema;
    }

    @Override
    public int rows() {
        return rows;
    }

    @Override
    public Batch take() {
        Column[] columns = new Column[schema.size()];
        int at = 0;
        if (values != null) {
            columns[at++] = values.build();
        }
        for (int i = 0; i < absent; i++) {
            columns[at++] = Columns.allNull(DataType.NULL, rows);
        }
        if (rejected.hasColumn()) {
            columns[at] = rejected.column();
        }
        Batch batch = Batch.of(schema, columns, rows);
        rows = 0;
        return batch;
    }
}
