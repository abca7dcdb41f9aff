package dev.tidemill.formats.json;

import dev.tidemill.data.Bits;
import dev.tidemill.data.BoolColumn;
import dev.tidemill.data.BytesColumn;
import dev.tidemill.data.Column;
import dev.tidemill.data.ColumnBuilder;
import dev.tidemill.data.DataType;
import dev.tidemill.data.DoubleColumn;
import dev.tidemill.data.LongColumn;
import dev.tidemill.data.NullColumn;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Writes one column of the batch that is being decoded, at any row not before the last one written. Rows that are not written are null, at no
 * cost: validity starts empty. The same row may be written again, and a row taken back.
 */
abstract sealed class Writer {
    private final DataType type;
    long[] validity;
    int row = -1;
    private int written;

    Writer(DataType type, int capacity) {
        this.type = type;
        validity = new long[Bits.words(capacity)];
    }

    static Writer of(DataType type, int capacity) {
        return switch (type) {
            case DataType.Int64 _, DataType.Timestamp _, DataType.Date _ ->
                    new Longs(type, capacity);
            case DataType.Float64 _ -> new Doubles(capacity);
            case DataType.Bool _ -> new Bools(capacity);
            case DataType.Utf8 _, DataType.Json _ -> new Strings(type, capacity);
            case DataType.Null _ -> new Nulls();
            case DataType.Bytes _, DataType.Decimal _, DataType.ListOf _, DataType.Struct _ ->
                    new Values(type, capacity);
        };
    }

    final DataType type() {
        return type;
    }

    /** Makes row {@code newRow} the current one and not null; true when it was so already and is now overwritten. */
    final void begin(int newRow) {
        if (newRow == row) {
            takeBack(newRow);
        }
        row = newRow;
        int word = newRow >> 6;
        if (word >= validity.length) {
            validity = Arrays.copyOf(validity, 2 * word + 2);
        }
        validity[word] |= 1L << newRow;
        written++;
    }

    /** The row is null after all. */
    final void takeBack(int which) {
        if (which != row) {
            return;
        }
        if (which >> 6 < validity.length && Bits.get(validity, which)) {
            Bits.clear(validity, which);
            written--;
        }
        discard();
        row = -1;
    }

    final Column take(int rows) {
        long[] nullMap = written == rows ? null : Arrays.copyOf(validity, Bits.words(rows));
        Column column = column(nullMap, rows);
        validity = new long[Bits.words(rows) + 1];
        row = -1;
        written = 0;
        return column;
    }

    /** Undoes what {@link #begin} and the write after it did beyond the validity bit. */
    void discard() {}

    /** The column; what comes next is written to new arrays of about the same size. */
    abstract Column column(long[] nullMap, int rows);

    static final class Longs extends Writer {
        private long[] values;

        Longs(DataType type, int capacity) {
            super(type, capacity);
            values = new long[capacity];
        }

        void put(int newRow, long value) {
            begin(newRow);
            if (newRow >= values.length) {
                values = Arrays.copyOf(values, 2 * newRow + 2);
            }
            values[newRow] = value;
        }

        @Override
        Column column(long[] nullMap, int rows) {
            long[] full = values.length < rows ? Arrays.copyOf(values, rows) : values;
            values = new long[rows];
            return new LongColumn(type(), full, nullMap, rows);
        }
    }

    static final class Doubles extends Writer {
        private double[] values;

        Doubles(int capacity) {
            super(DataType.FLOAT64, capacity);
            values = new double[capacity];
        }

        void put(int newRow, double value) {
            begin(newRow);
            if (newRow >= values.length) {
                values = Arrays.copyOf(values, 2 * newRow + 2);
            }
            values[newRow] = value;
        }

        @Override
        Column column(long[] nullMap, int rows) {
            double[] full = values.length < rows ? Arrays.copyOf(values, rows) : values;
            values = new double[rows];
            return new DoubleColumn(full, nullMap, rows);
        }
    }

    static final class Bools extends Writer {
        private long[] bits;

        Bools(int capacity) {
            super(DataType.BOOL, capacity);
            bits = new long[Bits.words(capacity)];
        }

        void put(int newRow, boolean value) {
            begin(newRow);
            int word = newRow >> 6;
            if (word >= bits.length) {
                bits = Arrays.copyOf(bits, 2 * word + 2);
            }
            if (value) {
                bits[word] |= 1L << newRow;
            }
        }

        @Override
        void discard() {
            if (row >= 0 && row >> 6 < bits.length) {
                Bits.clear(bits, row);
            }
        }

        @Override
        Column column(long[] nullMap, int rows) {
            int words = Bits.words(rows);
            long[] full = bits.length < words ? Arrays.copyOf(bits, words) : bits;
            bits = new long[words];
            return new BoolColumn(full, nullMap, rows);
        }
    }

    /** string and json: bytes are appended to {@link #bytes} between {@link #open} and {@link #close}. */
    static final class Strings extends Writer {
        private int[] offsets;
        GrowingBytes bytes;

        /** Offsets up to and including this index are filled in. */
        private int filled;

        Strings(DataType type, int capacity) {
            super(type, capacity);
            offsets = new int[capacity + 1];
            bytes = new GrowingBytes(16 * capacity + 64);
        }

        GrowingBytes open(int newRow) {
            begin(newRow);
            if (newRow + 1 >= offsets.length) {
                offsets = Arrays.copyOf(offsets, 2 * newRow + 3);
            }
            int end = bytes.size;
            while (filled < newRow) {
                offsets[++filled] = end;
            }
            return bytes;
        }

        void close() {
            filled = row + 1;
            offsets[filled] = bytes.size;
        }

        @Override
        void discard() {
            if (row >= 0) {
                filled = row;
                bytes.size = offsets[row];
            }
        }

        @Override
        Column column(long[] nullMap, int rows) {
            int[] full = offsets.length < rows + 1 ? Arrays.copyOf(offsets, rows + 1) : offsets;
            while (filled < rows) {
                full[++filled] = bytes.size;
            }
            BytesColumn column = new BytesColumn(type(), full, bytes.data, nullMap, rows);
            offsets = new int[rows + 1];
            bytes = new GrowingBytes(bytes.size + bytes.size / 8 + 64);
            filled = 0;
            return column;
        }
    }

    /** A column whose type is not known yet. */
    static final class Nulls extends Writer {
        Nulls() {
            super(DataType.NULL, 0);
        }

        @Override
        Column column(long[] nullMap, int rows) {
            return new NullColumn(rows);
        }
    }

    /** Types that are rare in JSON: kept as values until the batch is taken. */
    static final class Values extends Writer {
        private final List<Object> values = new ArrayList<>();

        Values(DataType type, int capacity) {
            super(type, capacity);
        }

        void put(int newRow, Object value) {
            begin(newRow);
            while (values.size() < newRow) {
                values.add(null);
            }
            values.add(value);
        }

        @Override
        void discard() {
            while (row >= 0 && values.size() > row) {
                values.removeLast();
            }
        }

        @Override
        Column column(long[] nullMap, int rows) {
            ColumnBuilder builder = ColumnBuilder.of(type());
            for (int i = 0; i < rows; i++) {
                builder.append(i < values.size() ? values.get(i) : null);
            }
            values.clear();
            return builder.build();
        }
    }
}
