package dev.tidemill.state;

import dev.tidemill.data.Bits;
import dev.tidemill.data.BoolColumn;
import dev.tidemill.data.BytesColumn;
import dev.tidemill.data.Casts;
import dev.tidemill.data.Column;
import dev.tidemill.data.ColumnBuilder;
import dev.tidemill.data.DataType;
import dev.tidemill.data.DoubleColumn;
import dev.tidemill.data.LongColumn;
import dev.tidemill.data.NullColumn;
import dev.tidemill.data.Ordering;
import dev.tidemill.data.Selection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** One key column of a {@link GroupTable}, by group. Every method works on a whole batch with one type, so loops stay monomorphic. */
abstract sealed class KeyStore {
    private final DataType type;

    /** A bit for each group whose key is null; null while there is none. */
    private long[] nulls;

    KeyStore(DataType type) {
        this.type = type;
    }

    static KeyStore of(DataType type) {
        if (type.isLongBacked()) {
            return new Longs(type);
        }
        return switch (type) {
            case DataType.Null _ -> new Nulls();
            case DataType.Float64 _ -> new Doubles();
            case DataType.Utf8 _, DataType.Bytes _, DataType.Json _ -> new Strings(type);
            case DataType.Bool _ -> new Longs(type);
            default -> new Objects_(type);
        };
    }

    final DataType type() {
        return type;
    }

    /** Appends the key of {@code count} rows as groups {@code firstGroup} on. */
    final void append(Column column, int[] rows, int count, int firstGroup) {
        reserve(firstGroup + count);
        for (int i = 0; i < count; i++) {
            if (column.isNull(rows[i])) {
                setNull(firstGroup + i);
                putNull(firstGroup + i);
            }
        }
        appendValues(column, rows, count, firstGroup);
    }

    /** Adds to {@code mismatches} the living rows whose key is not that of their group. */
    final void compare(
            Column column, Selection selection, int rows, int[] groups, RowList mismatches) {
        if (nulls == null && !column.hasNulls() && !(column instanceof NullColumn)) {
            compareValues(column, selection, rows, groups, mismatches);
            return;
        }
        for (int i = 0; i < rows; i++) {
            int row = selection == null ? i : selection.rows()[i];
            if (!same(groups[row], column, row)) {
                mismatches.add(row);
            }
        }
    }

    final boolean same(int group, Column column, int row) {
        boolean isNull = isNull(group);
        return isNull || column.isNull(row)
                ? isNull == column.isNull(row)
                : sameValue(group, column, row);
    }

    final boolean isNull(int group) {
        return nulls != null && group >> 6 < nulls.length && Bits.get(nulls, group);
    }

    private void setNull(int group) {
        int words = Bits.words(group + 1);
        if (nulls == null || nulls.length < words) {
            nulls =
                    nulls == null
                            ? new long[words]
                            : Arrays.copyOf(nulls, Math.max(words, 2 * nulls.length));
        }
        Bits.set(nulls, group);
    }

    final long[] gatherValidity(int[] groups, int count) {
        if (nulls == null) {
            return null;
        }
        long[] validity = new long[Bits.words(count)];
        for (int i = 0; i < count; i++) {
            if (!isNull(groups[i])) {
                Bits.set(validity, i);
            }
        }
        return validity;
    }

    void clear() {
        nulls = null;
    }

    /** This column as one of a wider type. */
    final KeyStore widen(DataType wider, int size) {
        int[] all = Selection.all(size).rows();
        Column column = Casts.cast(gather(all, size), wider);
        KeyStore wide = of(wider);
        wide.append(column, all, size, 0);
        return wide;
    }

    abstract void reserve(int groups);

    abstract void putNull(int group);

    abstract void appendValues(Column column, int[] rows, int count, int firstGroup);

    abstract boolean sameValue(int group, Column column, int row);

    abstract void compareValues(
            Column column, Selection selection, int rows, int[] groups, RowList mismatches);

    abstract Column gather(int[] groups, int count);

    abstract long sizeInBytes();

    private static final class Nulls extends KeyStore {
        Nulls() {
            super(DataType.NULL);
        }

        @Override
        void reserve(int groups) {}

        @Override
        void putNull(int group) {}

        @Override
        void appendValues(Column column, int[] rows, int count, int firstGroup) {
            for (int i = 0; i < count; i++) {
                if (!column.isNull(rows[i])) {
                    throw gotValues();
                }
            }
        }

        @Override
        boolean sameValue(int group, Column column, int row) {
            throw gotValues();
        }

        @Override
        void compareValues(
                Column column, Selection selection, int rows, int[] groups, RowList mismatches) {
            if (rows > 0) {
                throw gotValues();
            }
        }

        private static IllegalStateException gotValues() {
            return new IllegalStateException(
                    "a key column without type got values; widen it first");
        }

        @Override
        Column gather(int[] groups, int count) {
            return new NullColumn(count);
        }

        @Override
        long sizeInBytes() {
            return 0;
        }
    }

    /** Long-backed types and bool. */
    private static final class Longs extends KeyStore {
        private long[] values = new long[16];

        Longs(DataType type) {
            super(type);
        }

        @Override
        void reserve(int groups) {
            if (groups > values.length) {
                values = Arrays.copyOf(values, Math.max(groups, 2 * values.length));
            }
        }

        @Override
        void putNull(int group) {
            values[group] = 0;
        }

        @Override
        void appendValues(Column column, int[] rows, int count, int firstGroup) {
            if (column instanceof LongColumn longs) {
                for (int i = 0; i < count; i++) {
                    values[firstGroup + i] = longs.values()[rows[i]];
                }
            } else if (column instanceof BoolColumn bools) {
                for (int i = 0; i < count; i++) {
                    values[firstGroup + i] = bools.get(rows[i]) ? 1 : 0;
                }
            }
        }

        @Override
        boolean sameValue(int group, Column column, int row) {
            return values[group]
                    == (column instanceof LongColumn longs
                            ? longs.get(row)
                            : ((BoolColumn) column).get(row) ? 1 : 0);
        }

        @Override
        void compareValues(
                Column column, Selection selection, int rows, int[] groups, RowList mismatches) {
            if (!(column instanceof LongColumn longs)) {
                for (int i = 0; i < rows; i++) {
                    int row = selection == null ? i : selection.rows()[i];
                    if (!sameValue(groups[row], column, row)) {
                        mismatches.add(row);
                    }
                }
                return;
            }
            long[] given = longs.values();
            long different = 0;
            if (selection == null) {
                for (int row = 0; row < rows; row++) {
                    different |= values[groups[row]] ^ given[row];
                }
            } else {
                int[] numbers = selection.rows();
                for (int i = 0; i < rows; i++) {
                    different |= values[groups[numbers[i]]] ^ given[numbers[i]];
                }
            }
            if (different == 0) {
                return;
            }
            for (int i = 0; i < rows; i++) {
                int row = selection == null ? i : selection.rows()[i];
                if (values[groups[row]] != given[row]) {
                    mismatches.add(row);
                }
            }
        }

        @Override
        Column gather(int[] groups, int count) {
            if (type() instanceof DataType.Bool) {
                return gatherBools(groups, count);
            }
            long[] out = new long[count];
            for (int i = 0; i < count; i++) {
                out[i] = values[groups[i]];
            }
            return new LongColumn(type(), out, gatherValidity(groups, count), count);
        }

        private Column gatherBools(int[] groups, int count) {
            long[] bits = new long[Bits.words(count)];
            for (int i = 0; i < count; i++) {
                if (values[groups[i]] != 0) {
                    Bits.set(bits, i);
                }
            }
            return new BoolColumn(bits, gatherValidity(groups, count), count);
        }

        @Override
        long sizeInBytes() {
            return 8L * values.length;
        }
    }

    private static final class Doubles extends KeyStore {
        private double[] values = new double[16];

        Doubles() {
            super(DataType.FLOAT64);
        }

        @Override
        void reserve(int groups) {
            if (groups > values.length) {
                values = Arrays.copyOf(values, Math.max(groups, 2 * values.length));
            }
        }

        @Override
        void putNull(int group) {
            values[group] = 0;
        }

        @Override
        void appendValues(Column column, int[] rows, int count, int firstGroup) {
            if (column instanceof DoubleColumn doubles) {
                for (int i = 0; i < count; i++) {
                    // One zero and one NaN, so that a group's key does not depend on which row came
                    // first.
                    double value = doubles.get(rows[i]);
                    values[firstGroup + i] =
                            value == 0 ? 0.0 : Double.isNaN(value) ? Double.NaN : value;
                }
            }
        }

        @Override
        boolean sameValue(int group, Column column, int row) {
            return equal(values[group], ((DoubleColumn) column).get(row));
        }

        private static boolean equal(double a, double b) {
            return a == b || a != a && b != b;
        }

        @Override
        void compareValues(
                Column column, Selection selection, int rows, int[] groups, RowList mismatches) {
            double[] given = ((DoubleColumn) column).values();
            for (int i = 0; i < rows; i++) {
                int row = selection == null ? i : selection.rows()[i];
                if (!equal(values[groups[row]], given[row])) {
                    mismatches.add(row);
                }
            }
        }

        @Override
        Column gather(int[] groups, int count) {
            double[] out = new double[count];
            for (int i = 0; i < count; i++) {
                out[i] = values[groups[i]];
            }
            return new DoubleColumn(out, gatherValidity(groups, count), count);
        }

        @Override
        long sizeInBytes() {
            return 8L * values.length;
        }
    }

    /** Bytes-backed types, back to back in group order. */
    private static final class Strings extends KeyStore {
        private int[] offsets = new int[17];
        private byte[] data = new byte[128];
        private int groups;

        Strings(DataType type) {
            super(type);
        }

        @Override
        void reserve(int wanted) {
            if (wanted + 1 > offsets.length) {
                offsets = Arrays.copyOf(offsets, Math.max(wanted + 1, 2 * offsets.length));
            }
        }

        @Override
        void putNull(int group) {
            // appendValues goes through all rows in order and gives null ones an empty range.
        }

        @Override
        void appendValues(Column column, int[] rows, int count, int firstGroup) {
            BytesColumn bytes = column instanceof BytesColumn b ? b : null;
            for (int i = 0; i < count; i++) {
                int group = firstGroup + i;
                int length = bytes == null || bytes.isNull(rows[i]) ? 0 : bytes.byteLength(rows[i]);
                int start = offsets[group];
                int end = Math.addExact(start, length);
                if (end > data.length) {
                    data =
                            Arrays.copyOf(
                                    data,
                                    (int)
                                            Math.min(
                                                    Integer.MAX_VALUE - 16,
                                                    Math.max(end, 2L * data.length)));
                }
                if (length > 0) {
                    System.arraycopy(bytes.data(), bytes.start(rows[i]), data, start, length);
                }
                offsets[group + 1] = end;
            }
            groups = firstGroup + count;
        }

        @Override
        boolean sameValue(int group, Column column, int row) {
            BytesColumn bytes = (BytesColumn) column;
            return Arrays.equals(
                    data,
                    offsets[group],
                    offsets[group + 1],
                    bytes.data(),
                    bytes.start(row),
                    bytes.end(row));
        }

        @Override
        void compareValues(
                Column column, Selection selection, int rows, int[] groups, RowList mismatches) {
            for (int i = 0; i < rows; i++) {
                int row = selection == null ? i : selection.rows()[i];
                if (!sameValue(groups[row], column, row)) {
                    mismatches.add(row);
                }
            }
        }

        @Override
        Column gather(int[] wanted, int count) {
            BytesColumn all = new BytesColumn(type(), offsets, data, null, groups);
            BytesColumn picked = all.gather(wanted, count);
            return new BytesColumn(
                    type(), picked.offsets(), picked.data(), gatherValidity(wanted, count), count);
        }

        @Override
        void clear() {
            super.clear();
            groups = 0;
        }

        @Override
        long sizeInBytes() {
            return 4L * offsets.length + data.length;
        }
    }

    /** Decimals, lists and structs: keys that are rare enough for objects. */
    private static final class Objects_ extends KeyStore {
        private final List<Object> values = new ArrayList<>();

        Objects_(DataType type) {
            super(type);
        }

        @Override
        void reserve(int groups) {}

        @Override
        void putNull(int group) {}

        @Override
        void appendValues(Column column, int[] rows, int count, int firstGroup) {
            for (int i = 0; i < count; i++) {
                values.add(column.value(rows[i]));
            }
        }

        @Override
        boolean sameValue(int group, Column column, int row) {
            return equal(values.get(group), column.value(row));
        }

        /** Deep, with the rules of keys for zeros and NaN. */
        private static boolean equal(Object a, Object b) {
            return switch (a) {
                case Double x when b instanceof Double y -> Ordering.compare(x, y) == 0;
                case byte[] x when b instanceof byte[] y -> Arrays.equals(x, y);
                case List<?> x when b instanceof List<?> y -> equalLists(x, y);
                case Map<?, ?> x when b instanceof Map<?, ?> y ->
                        equalLists(List.copyOf(x.keySet()), List.copyOf(y.keySet()))
                                && equalLists(
                                        new ArrayList<>(x.values()), new ArrayList<>(y.values()));
                case null, default -> Objects.equals(a, b);
            };
        }

        private static boolean equalLists(List<?> a, List<?> b) {
            boolean same = a.size() == b.size();
            for (int i = 0; same && i < a.size(); i++) {
                same = equal(a.get(i), b.get(i));
            }
            return same;
        }

        @Override
        void compareValues(
                Column column, Selection selection, int rows, int[] groups, RowList mismatches) {
            for (int i = 0; i < rows; i++) {
                int row = selection == null ? i : selection.rows()[i];
                if (!sameValue(groups[row], column, row)) {
                    mismatches.add(row);
                }
            }
        }

        @Override
        Column gather(int[] groups, int count) {
            ColumnBuilder builder = ColumnBuilder.of(type());
            for (int i = 0; i < count; i++) {
                builder.append(values.get(groups[i]));
            }
            return builder.build();
        }

        @Override
        void clear() {
            super.clear();
            values.clear();
        }

        @Override
        long sizeInBytes() {
            return 64L * values.size();
        }
    }
}
