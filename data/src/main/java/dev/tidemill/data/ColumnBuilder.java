package dev.tidemill.data;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Builds a column row by row. The typed subclasses append without boxing; {@link #append(Object)} serves the edges. After {@link #build} the builder
 * is empty and may be used again; the column owns its arrays. Not thread-safe.
 */
public abstract sealed class ColumnBuilder {
    private static final int FEWEST_ROWS = 16;

    private final DataType type;
    private long[] validity;
    private int length;

    /** The rows of the column built last: the next one is likely to have as many. */
    private int usualRows = FEWEST_ROWS;

    private ColumnBuilder(DataType type) {
        this.type = type;
    }

    public static ColumnBuilder of(DataType type) {
        return switch (type) {
            case DataType.Null _ -> new Nulls();
            case DataType.Bool _ -> new Bools();
            case DataType.Int64 _, DataType.Timestamp _, DataType.Date _ -> new Longs(type);
            case DataType.Float64 _ -> new Doubles();
            case DataType.Decimal decimal -> new Decimals(decimal);
            case DataType.Utf8 _, DataType.Bytes _, DataType.Json _ -> new Strings(type);
            case DataType.ListOf list -> new Lists(list);
            case DataType.Struct struct -> new Structs(struct);
        };
    }

    public final DataType type() {
        return type;
    }

    public final int length() {
        return length;
    }

    public final void appendNull() {
        reserve(length + 1);
        if (validity == null) {
            validity = Bits.ones(Math.max(length, 1));
        }
        growValidity();
        Bits.clear(validity, length);
        putNull(length);
        length++;
    }

    /** Appends a value of the kind {@link Column#value} gives for this type, or null. */
    public final void append(Object value) {
        if (value == null) {
            appendNull();
            return;
        }
        put(next(), value);
    }

    /** Appends the value of a row of a column of the same type, or of the null type. */
    public final void appendFrom(Column column, int row) {
        append(column.value(row));
    }

    public final Column build() {
        if (validity != null && validity.length < Bits.words(length)) {
            growValidity();
        }
        Column column = column(validity, length);
        usualRows = Math.max(FEWEST_ROWS, length);
        validity = null;
        length = 0;
        reset();
        return column;
    }

    /** How large arrays become that hold {@code size} elements and are to hold {@code rows}. */
    final int grown(int size, int rows) {
        return Math.max(size == 0 ? usualRows : 2 * size, rows);
    }

    /** The position of the next value, which is not null. */
    final int next() {
        reserve(length + 1);
        if (validity != null) {
            growValidity();
            Bits.set(validity, length);
        }
        return length++;
    }

    private void growValidity() {
        int words = Bits.words(length + 1);
        if (validity.length < words) {
            validity = Arrays.copyOf(validity, Math.max(words, 2 * validity.length));
        }
    }

    abstract void reserve(int rows);

    abstract void putNull(int row);

    abstract void put(int row, Object value);

    abstract Column column(long[] nullMap, int rows);

    abstract void reset();

    public static final class Nulls extends ColumnBuilder {
        private Nulls() {
            super(DataType.NULL);
        }

        @Override
        void reserve(int rows) {}

        @Override
        void putNull(int row) {}

        @Override
        void put(int row, Object value) {
            throw new IllegalArgumentException("a column of nulls got " + value);
        }

        @Override
        Column column(long[] nullMap, int rows) {
            return new NullColumn(rows);
        }

        @Override
        void reset() {}
    }

    /** int64, timestamp, date. */
    public static final class Longs extends ColumnBuilder {
        private long[] values = {};

        private Longs(DataType type) {
            super(type);
        }

        public void appendLong(long value) {
            int row = next();
            values[row] = value;
        }

        @Override
        void reserve(int rows) {
            if (rows > values.length) {
                values = Arrays.copyOf(values, grown(values.length, rows));
            }
        }

        @Override
        void putNull(int row) {
            values[row] = 0;
        }

        @Override
        void put(int row, Object value) {
            values[row] = ((Number) value).longValue();
        }

        @Override
        Column column(long[] nullMap, int rows) {
            return new LongColumn(type(), values, nullMap, rows);
        }

        @Override
        void reset() {
            values = new long[0];
        }
    }

    public static final class Doubles extends ColumnBuilder {
        private double[] values = {};

        private Doubles() {
            super(DataType.FLOAT64);
        }

        public void appendDouble(double value) {
            int row = next();
            values[row] = value;
        }

        @Override
        void reserve(int rows) {
            if (rows > values.length) {
                values = Arrays.copyOf(values, grown(values.length, rows));
            }
        }

        @Override
        void putNull(int row) {
            values[row] = 0;
        }

        @Override
        void put(int row, Object value) {
            values[row] = ((Number) value).doubleValue();
        }

        @Override
        Column column(long[] nullMap, int rows) {
            return new DoubleColumn(values, nullMap, rows);
        }

        @Override
        void reset() {
            values = new double[0];
        }
    }

    public static final class Bools extends ColumnBuilder {
        private long[] bits = new long[1];

        private Bools() {
            super(DataType.BOOL);
        }

        public void appendBool(boolean value) {
            int row = next();
            if (value) {
                Bits.set(bits, row);
            }
        }

        @Override
        void reserve(int rows) {
            int words = Bits.words(rows);
            if (words > bits.length) {
                bits = Arrays.copyOf(bits, Math.max(words, 2 * bits.length));
            }
        }

        @Override
        void putNull(int row) {}

        @Override
        void put(int row, Object value) {
            if ((Boolean) value) {
                Bits.set(bits, row);
            }
        }

        @Override
        Column column(long[] nullMap, int rows) {
            return new BoolColumn(bits, nullMap, rows);
        }

        @Override
        void reset() {
            bits = new long[1];
        }
    }

    /** string, bytes, json. */
    public static final class Strings extends ColumnBuilder {
        private int[] offsets = new int[1];
        private byte[] data = {};
        private int usualBytes = 256;

        private Strings(DataType type) {
            super(type);
        }

        public void appendBytes(byte[] source, int from, int to) {
            int row = next();
            int end = room(row, to - from);
            System.arraycopy(source, from, data, offsets[row], to - from);
            offsets[row + 1] = end;
        }

        public void appendString(String value) {
            byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
            appendBytes(bytes, 0, bytes.length);
        }

        private int room(int row, int bytes) {
            int end = Math.addExact(offsets[row], bytes);
            if (end > data.length) {
                long wanted = Math.max(end, data.length == 0 ? usualBytes : 2L * data.length);
                data = Arrays.copyOf(data, (int) Math.min(Integer.MAX_VALUE - 16, wanted));
            }
            return end;
        }

        @Override
        void reserve(int rows) {
            if (rows + 1 > offsets.length) {
                offsets = Arrays.copyOf(offsets, 1 + grown(offsets.length - 1, rows));
            }
        }

        @Override
        void putNull(int row) {
            offsets[row + 1] = offsets[row];
        }

        @Override
        void put(int row, Object value) {
            byte[] bytes =
                    value instanceof byte[] raw
                            ? raw
                            : ((String) value).getBytes(StandardCharsets.UTF_8);
            int end = room(row, bytes.length);
            System.arraycopy(bytes, 0, data, offsets[row], bytes.length);
            offsets[row + 1] = end;
        }

        @Override
        Column column(long[] nullMap, int rows) {
            usualBytes =
                    (int)
                            Math.min(
                                    Integer.MAX_VALUE - 16,
                                    Math.max(256, offsets[rows] + (long) offsets[rows] / 8));
            return new BytesColumn(type(), offsets, data, nullMap, rows);
        }

        @Override
        void reset() {
            offsets = new int[1];
            data = new byte[0];
        }
    }

    public static final class Decimals extends ColumnBuilder {
        private long[] words = new long[32];

        private Decimals(DataType.Decimal type) {
            super(type);
        }

        @Override
        void reserve(int rows) {
            if (2 * rows > words.length) {
                words = Arrays.copyOf(words, Math.max(2 * rows, 2 * words.length));
            }
        }

        @Override
        void putNull(int row) {
            words[2 * row] = 0;
            words[2 * row + 1] = 0;
        }

        @Override
        void put(int row, Object value) {
            BigDecimal decimal =
                    value instanceof BigDecimal d ? d : new BigDecimal(value.toString());
            int scale = ((DataType.Decimal) type()).scale();
            DecimalColumn.put(
                    words, row, decimal.setScale(scale, RoundingMode.UNNECESSARY).unscaledValue());
        }

        @Override
        Column column(long[] nullMap, int rows) {
            return new DecimalColumn((DataType.Decimal) type(), words, nullMap, rows);
        }

        @Override
        void reset() {
            words = new long[32];
        }
    }

    public static final class Lists extends ColumnBuilder {
        private int[] offsets = new int[17];
        private final ColumnBuilder elements;

        private Lists(DataType.ListOf type) {
            super(type);
            elements = of(type.element());
        }

        @Override
        void reserve(int rows) {
            if (rows + 1 > offsets.length) {
                offsets = Arrays.copyOf(offsets, Math.max(rows + 1, 2 * offsets.length));
            }
        }

        @Override
        void putNull(int row) {
            offsets[row + 1] = offsets[row];
        }

        @Override
        void put(int row, Object value) {
            for (Object element : (List<?>) value) {
                elements.append(element);
            }
            offsets[row + 1] = elements.length();
        }

        @Override
        Column column(long[] nullMap, int rows) {
            return new ListColumn(offsets, elements.build(), nullMap, rows);
        }

        @Override
        void reset() {
            offsets = new int[17];
        }
    }

    public static final class Structs extends ColumnBuilder {
        private final List<ColumnBuilder> children = new ArrayList<>();

        private Structs(DataType.Struct type) {
            super(type);
            for (Field field : type.fields()) {
                children.add(of(field.type()));
            }
        }

        @Override
        void reserve(int rows) {}

        @Override
        void putNull(int row) {
            children.forEach(ColumnBuilder::appendNull);
        }

        @Override
        void put(int row, Object value) {
            List<Field> fields = ((DataType.Struct) type()).fields();
            for (int i = 0; i < children.size(); i++) {
                children.get(i).append(((Map<?, ?>) value).get(fields.get(i).name()));
            }
        }

        @Override
        Column column(long[] nullMap, int rows) {
            List<Column> built = new ArrayList<>();
            children.forEach(child -> built.add(child.build()));
            return new StructColumn((DataType.Struct) type(), built, nullMap, rows);
        }

        @Override
        void reset() {}
    }
}
