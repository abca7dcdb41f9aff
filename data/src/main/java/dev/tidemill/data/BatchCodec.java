package dev.tidemill.data;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Batches as bytes, for state that outlives a process. The layout is that of the columns in memory, low byte first, so that writing and reading copy arrays:
 * the number of fields, then each field (name, type), the number of rows, then each column (a byte that tells whether a validity bitmap follows, the bitmap,
 * the values). Selections, hashes and splits are not kept: the rows that live are. Stateless and thread-safe.
 */
public final class BatchCodec {
    private static final int CHUNK_BYTES = 1 << 13;

    private enum Kind {
        NULL,
        BOOL,
        INT64,
        FLOAT64,
        DECIMAL,
        UTF8,
        BYTES,
        TIMESTAMP,
        DATE,
        LIST,
        STRUCT,
        JSON
    }

    private static final Kind[] KINDS = Kind.values();

    private BatchCodec() {}

    /** Writes the living rows of a batch. */
    public static void write(Batch batch, DataOutputStream out) throws IOException {
        Batch rows = batch.compact();
        writeFields(rows.schema().fields(), out);
        out.writeInt(rows.rows());
        for (int i = 0; i < rows.columnCount(); i++) {
            writeColumn(Columns.plain(rows.column(i)), rows.rows(), out);
        }
    }

    /**
     * Reads what {@link #write} wrote.
     *
     * @throws IOException also when the bytes are none of a batch
     */
    public static Batch read(DataInputStream in) throws IOException {
        List<Field> fields = readFields(in);
        int rows = readLength(in);
        Column[] columns = new Column[fields.size()];
        for (int i = 0; i < columns.length; i++) {
            columns[i] = readColumn(fields.get(i).type(), rows, in);
        }
        return Batch.of(new Schema(fields), columns, rows);
    }

    private static void writeFields(List<Field> fields, DataOutputStream out) throws IOException {
        out.writeInt(fields.size());
        for (Field field : fields) {
            byte[] name = field.name().getBytes(StandardCharsets.UTF_8);
            out.writeInt(name.length);
            out.write(name);
            writeType(field.type(), out);
        }
    }

    private static List<Field> readFields(DataInputStream in) throws IOException {
        int count = readLength(in);
        List<Field> fields = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String name = new String(readBytes(readLength(in), in), StandardCharsets.UTF_8);
            fields.add(new Field(name, readType(in)));
        }
        return fields;
    }

    private static void writeType(DataType type, DataOutputStream out) throws IOException {
        Kind kind =
                switch (type) {
                    case DataType.Null _ -> Kind.NULL;
                    case DataType.Bool _ -> Kind.BOOL;
                    case DataType.Int64 _ -> Kind.INT64;
                    case DataType.Float64 _ -> Kind.FLOAT64;
                    case DataType.Decimal _ -> Kind.DECIMAL;
                    case DataType.Utf8 _ -> Kind.UTF8;
                    case DataType.Bytes _ -> Kind.BYTES;
                    case DataType.Timestamp _ -> Kind.TIMESTAMP;
                    case DataType.Date _ -> Kind.DATE;
                    case DataType.ListOf _ -> Kind.LIST;
                    case DataType.Struct _ -> Kind.STRUCT;
                    case DataType.Json _ -> Kind.JSON;
                };
        out.writeByte(kind.ordinal());
        switch (type) {
            case DataType.Decimal(int precision, int scale) -> {
                out.writeByte(precision);
                out.writeByte(scale);
            }
            case DataType.ListOf(DataType element) -> writeType(element, out);
            case DataType.Struct(List<Field> fields) -> writeFields(fields, out);
            default -> {}
        }
    }

    private static DataType readType(DataInputStream in) throws IOException {
        int kind = in.readUnsignedByte();
        if (kind >= KINDS.length) {
            throw new IOException("no type has the number " + kind);
        }
        return switch (KINDS[kind]) {
            case NULL -> DataType.NULL;
            case BOOL -> DataType.BOOL;
            case INT64 -> DataType.INT64;
            case FLOAT64 -> DataType.FLOAT64;
            case DECIMAL -> new DataType.Decimal(in.readUnsignedByte(), in.readUnsignedByte());
            case UTF8 -> DataType.UTF8;
            case BYTES -> DataType.BYTES;
            case TIMESTAMP -> DataType.TIMESTAMP;
            case DATE -> DataType.DATE;
            case LIST -> new DataType.ListOf(readType(in));
            case STRUCT -> new DataType.Struct(readFields(in));
            case JSON -> DataType.JSON;
        };
    }

    private static void writeColumn(Column column, int rows, DataOutputStream out)
            throws IOException {
        if (column instanceof NullColumn) {
            return;
        }
        out.writeBoolean(column.hasNulls());
        if (column.hasNulls()) {
            writeLongs(column.validity(), 0, Bits.words(rows), out);
        }
        switch (column) {
            case LongColumn longs -> writeLongs(longs.values(), 0, rows, out);
            case DoubleColumn doubles -> writeDoubles(doubles.values(), rows, out);
            case BoolColumn bools -> writeLongs(bools.bits(), 0, Bits.words(rows), out);
            case DecimalColumn decimals -> writeLongs(decimals.words(), 0, 2 * rows, out);
            case BytesColumn bytes -> {
                writeOffsets(bytes.offsets(), rows, out);
                int from = rows == 0 ? 0 : bytes.offsets()[0];
                out.write(bytes.data(), from, rows == 0 ? 0 : bytes.offsets()[rows] - from);
            }
            case ListColumn list -> {
                writeOffsets(list.offsets(), rows, out);
                int from = rows == 0 ? 0 : list.offsets()[0];
                int count = rows == 0 ? 0 : list.offsets()[rows] - from;
                int[] positions = new int[count];
                for (int i = 0; i < count; i++) {
                    positions[i] = from + i;
                }
                writeColumn(Columns.plain(list.elements().gather(positions, count)), count, out);
            }
            case StructColumn struct -> {
                for (Column child : struct.children()) {
                    writeColumn(Columns.plain(child), rows, out);
                }
            }
            case NullColumn _, DictionaryColumn _ -> throw new AssertionError(column.type());
        }
    }

    private static Column readColumn(DataType type, int rows, DataInputStream in)
            throws IOException {
        if (type instanceof DataType.Null) {
            return new NullColumn(rows);
        }
        long[] validity = in.readBoolean() ? readLongs(Bits.words(rows), in) : null;
        return switch (type) {
            case DataType.Int64 _, DataType.Timestamp _, DataType.Date _ ->
                    new LongColumn(type, readLongs(rows, in), validity, rows);
            case DataType.Float64 _ -> new DoubleColumn(readDoubles(rows, in), validity, rows);
            case DataType.Bool _ -> new BoolColumn(readLongs(Bits.words(rows), in), validity, rows);
            case DataType.Decimal decimal ->
                    new DecimalColumn(decimal, readLongs(2 * rows, in), validity, rows);
            case DataType.Utf8 _, DataType.Bytes _, DataType.Json _ -> {
                int[] offsets = readOffsets(rows, in);
                yield new BytesColumn(type, offsets, readBytes(offsets[rows], in), validity, rows);
            }
            case DataType.ListOf(DataType element) -> {
                int[] offsets = readOffsets(rows, in);
                yield new ListColumn(
                        offsets, readColumn(element, offsets[rows], in), validity, rows);
            }
            case DataType.Struct struct -> {
                List<Column> children = new ArrayList<>();
                for (Field field : struct.fields()) {
                    children.add(readColumn(field.type(), rows, in));
                }
                yield new StructColumn(struct, children, validity, rows);
            }
            case DataType.Null _ -> throw new AssertionError();
        };
    }

    /** As lengths, so that the first offset is 0 when they are read. */
    private static void writeOffsets(int[] offsets, int rows, DataOutputStream out)
            throws IOException {
        ByteBuffer buffer = buffer();
        for (int i = 0; i < rows; i++) {
            if (!buffer.hasRemaining()) {
                out.write(buffer.array(), 0, buffer.position());
                buffer.clear();
            }
            buffer.putInt(offsets[i + 1] - offsets[i]);
        }
        out.write(buffer.array(), 0, buffer.position());
    }

    private static int[] readOffsets(int rows, DataInputStream in) throws IOException {
        ByteBuffer lengths = wrap(readBytes(Math.multiplyExact(4, rows), in));
        int[] offsets = new int[rows + 1];
        for (int i = 0; i < rows; i++) {
            int length = lengths.getInt();
            if (length < 0 || offsets[i] + length < 0) {
                throw new IOException("a length of " + length);
            }
            offsets[i + 1] = offsets[i] + length;
        }
        return offsets;
    }

    private static void writeLongs(long[] values, int from, int to, DataOutputStream out)
            throws IOException {
        ByteBuffer buffer = buffer();
        for (int at = from; at < to; ) {
            int count = Math.min(to - at, CHUNK_BYTES / 8);
            buffer.clear();
            buffer.asLongBuffer().put(values, at, count);
            out.write(buffer.array(), 0, 8 * count);
            at += count;
        }
    }

    private static long[] readLongs(int count, DataInputStream in) throws IOException {
        long[] values = new long[count];
        wrap(readBytes(Math.multiplyExact(8, count), in)).asLongBuffer().get(values);
        return values;
    }

    private static void writeDoubles(double[] values, int rows, DataOutputStream out)
            throws IOException {
        ByteBuffer buffer = buffer();
        for (int at = 0; at < rows; ) {
            int count = Math.min(rows - at, CHUNK_BYTES / 8);
            buffer.clear();
            buffer.asDoubleBuffer().put(values, at, count);
            out.write(buffer.array(), 0, 8 * count);
            at += count;
        }
    }

    private static double[] readDoubles(int count, DataInputStream in) throws IOException {
        double[] values = new double[count];
        wrap(readBytes(Math.multiplyExact(8, count), in)).asDoubleBuffer().get(values);
        return values;
    }

    private static ByteBuffer buffer() {
        return wrap(new byte[CHUNK_BYTES]);
    }

    private static ByteBuffer wrap(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static int readLength(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0) {
            throw new IOException("a length of " + length);
        }
        return length;
    }

    /** Grows with what is there, so that a wrong length does not take memory. */
    private static byte[] readBytes(int length, DataInputStream in) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new IOException("the bytes end too early");
        }
        return bytes;
    }
}
