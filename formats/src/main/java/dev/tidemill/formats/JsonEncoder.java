package dev.tidemill.formats;

import dev.tidemill.data.Batch;
import dev.tidemill.data.BoolColumn;
import dev.tidemill.data.BytesColumn;
import dev.tidemill.data.Column;
import dev.tidemill.data.DataType;
import dev.tidemill.data.DictionaryColumn;
import dev.tidemill.data.DoubleColumn;
import dev.tidemill.data.Field;
import dev.tidemill.data.JsonText;
import dev.tidemill.data.ListColumn;
import dev.tidemill.data.NullColumn;
import dev.tidemill.data.Schema;
import dev.tidemill.data.StructColumn;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/**
 * One JSON object a row: nulls are left out, engine columns too; a NaN or an infinity is {@code null}; bytes are Base64; numbers and times
 * as {@link TextWriter}
 * writes them, times in quotes.
 */
public final class JsonEncoder implements RowEncoder {
    private static final byte[] TRUE = "true".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] FALSE = "false".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private final TextWriter numbers = new TextWriter();
    private final boolean newline;
    private Schema schema;
    private byte[][] names;

    /** @param newline whether a newline ends each record */
    public JsonEncoder(boolean newline) {
        this.newline = newline;
    }

    @Override
    public void encode(Batch batch, EncodedRows out) {
        if (batch.schema() != schema) {
            schema = batch.schema();
            names = names(schema);
        }
        int rows = batch.rows();
        for (int i = 0; i < rows; i++) {
            row(batch, batch.physicalRow(i), out);
            if (newline) {
                TextWriter.put(out, (byte) '\n');
            }
            out.endRecord();
        }
    }

    /** The bytes {@code ,"name":} of each column; null for engine columns. */
    private static byte[][] names(Schema schema) {
        byte[][] names = new byte[schema.size()][];
        for (int i = 0; i < names.length; i++) {
            String name = schema.field(i).name();
            if (!Schema.isEngineColumn(name)) {
                names[i] = ("," + JsonText.of(name) + ":").getBytes(StandardCharsets.UTF_8);
            }
        }
        return names;
    }

    private void row(Batch batch, int row, EncodedRows out) {
        int start = out.size();
        for (int c = 0; c < names.length; c++) {
            Column column = batch.column(c);
            if (names[c] == null || column.isNull(row)) {
                continue;
            }
            TextWriter.bytes(out, names[c]);
            value(out, column, row);
        }
        if (out.size() == start) {
            TextWriter.raw(out, '{', '}');
            return;
        }
        out.data()[start] = '{';
        TextWriter.put(out, (byte) '}');
    }

    private void value(EncodedRows out, Column column, int row) {
        if (column.isNull(row)) {
            TextWriter.bytes(out, NULL);
            return;
        }
        switch (column) {
            case BytesColumn c -> bytes(out, c, row);
            case DictionaryColumn c -> value(out, c.dictionary(), c.indices()[row]);
            case BoolColumn c -> TextWriter.bytes(out, c.get(row) ? TRUE : FALSE);
            case DoubleColumn c when !Double.isFinite(c.get(row)) -> TextWriter.bytes(out, NULL);
            case ListColumn c -> list(out, c, row);
            case StructColumn c -> struct(out, c, row);
            case NullColumn _ -> TextWriter.bytes(out, NULL);
            default -> number(out, column, row);
        }
    }

    private void number(EncodedRows out, Column column, int row) {
        boolean quoted = column.type().isTemporal();
        if (quoted) {
            TextWriter.put(out, (byte) '"');
        }
        numbers.scalar(out, column, row);
        if (quoted) {
            TextWriter.put(out, (byte) '"');
        }
    }

    private void bytes(EncodedRows out, BytesColumn column, int row) {
        if (column.type() instanceof DataType.Json) {
            TextWriter.bytes(out, column.data(), column.start(row), column.end(row));
            return;
        }
        if (column.type() instanceof DataType.Bytes) {
            byte[] text = Base64.getEncoder().encode(column.bytes(row));
            string(out, text, 0, text.length);
            return;
        }
        string(out, column.data(), column.start(row), column.end(row));
    }

    private static void string(EncodedRows out, byte[] data, int from, int to) {
        byte[] target = out.reserve(6 * (to - from) + 2);
        int at = out.size();
        target[at++] = '"';
        for (int i = from; i < to; i++) {
            byte c = data[i];
            if (c != '"' && c != '\\' && (c >= ' ' || c < 0)) {
                target[at++] = c;
            } else {
                at = escape(target, at, c);
            }
        }
        target[at++] = '"';
        out.advanceTo(at);
    }

    private static int escape(byte[] target, int at, byte c) {
        target[at++] = '\\';
        switch (c) {
            case '"', '\\' -> target[at++] = c;
            case '\n' -> target[at++] = 'n';
            case '\r' -> target[at++] = 'r';
            case '\t' -> target[at++] = 't';
            case '\b' -> target[at++] = 'b';
            case '\f' -> target[at++] = 'f';
            default -> {
                target[at++] = 'u';
                target[at++] = '0';
                target[at++] = '0';
                target[at++] = HEX[c >> 4];
                target[at++] = HEX[c & 15];
            }
        }
        return at;
    }

    private void list(EncodedRows out, ListColumn column, int row) {
        TextWriter.put(out, (byte) '[');
        int from = column.offsets()[row];
        for (int i = from; i < column.offsets()[row + 1]; i++) {
            if (i > from) {
                TextWriter.put(out, (byte) ',');
            }
            value(out, column.elements(), i);
        }
        TextWriter.put(out, (byte) ']');
    }

    private void struct(EncodedRows out, StructColumn column, int row) {
        List<Field> fields = ((DataType.Struct) column.type()).fields();
        TextWriter.put(out, (byte) '{');
        boolean first = true;
        for (int f = 0; f < fields.size(); f++) {
            if (column.child(f).isNull(row)) {
                continue;
            }
            if (!first) {
                TextWriter.put(out, (byte) ',');
            }
            first = false;
            TextWriter.text(out, JsonText.of(fields.get(f).name()) + ":");
            value(out, column.child(f), row);
        }
        TextWriter.put(out, (byte) '}');
    }
}
