package dev.tidemill.operators.window;

import dev.tidemill.data.Casts;
import dev.tidemill.data.Column;
import dev.tidemill.data.ColumnBuilder;
import dev.tidemill.data.DataType;
import dev.tidemill.data.Selection;
import java.math.BigDecimal;
import java.util.Arrays;

/**
 * What does not fit a long or a double: min and max of strings, bytes, json and decimals, and sums of decimals. One object a group, null while it has no
 * value; a new object only when the state changes.
 */
final class ObjectAccumulator extends Accumulator {
    private enum Kind {
        MIN,
        MAX,
        SUM
    }

    private final Kind kind;
    private final DataType resultType;
    private Object[] values;

    private ObjectAccumulator(Kind kind, DataType resultType, Object[] values) {
        this.kind = kind;
        this.resultType = resultType;
        this.values = values;
    }

    static ObjectAccumulator extreme(DataType type, boolean max, int groups) {
        return new ObjectAccumulator(
                max ? Kind.MAX : Kind.MIN, type, new Object[Math.max(16, groups)]);
    }

    /** Sums have all the digits there are. */
    static ObjectAccumulator decimalSum(DataType.Decimal type, int groups) {
        return new ObjectAccumulator(
                Kind.SUM, new DataType.Decimal(38, type.scale()), new Object[Math.max(16, groups)]);
    }

    private Object combined(Object a, Object b) {
        return switch (kind) {
            case SUM -> ((BigDecimal) a).add((BigDecimal) b);
            case MAX -> compare(a, b) >= 0 ? a : b;
            case MIN -> compare(a, b) <= 0 ? a : b;
        };
    }

    private static int compare(Object a, Object b) {
        if (a instanceof byte[] x && b instanceof byte[] y) {
            return Arrays.compareUnsigned(x, y);
        }
        if (a instanceof BigDecimal x && b instanceof BigDecimal y) {
            return x.compareTo(y);
        }
        return utf8Order((String) a, (String) b);
    }

    /** By code point, which is the order of UTF-8 bytes. */
    private static int utf8Order(String a, String b) {
        int length = Math.min(a.length(), b.length());
        for (int i = 0; i < length; i++) {
            char x = a.charAt(i);
            char y = b.charAt(i);
            if (x != y) {
                boolean bothSurrogates = Character.isSurrogate(x) == Character.isSurrogate(y);
                return bothSurrogates ? x - y : Character.isSurrogate(x) ? 1 : -1;
            }
        }
        return a.length() - b.length();
    }

    @Override
    void reserve(int groups) {
        if (values.length < groups) {
            values = Arrays.copyOf(values, Math.max(groups, 2 * values.length));
        }
    }

    @Override
    void add(Column column, int[] rows, int count, int[] groups) {
        for (int i = 0; i < count; i++) {
            int row = physicalRow(rows, i);
            if (!column.isNull(row)) {
                fold(groups[row], column.value(row));
            }
        }
    }

    void fold(int group, Object value) {
        Object before = values[group];
        values[group] = before == null ? value : combined(before, value);
    }

    @Override
    void addPartial(Column[] columns, int first, int[] rows, int count, int[] groups) {
        add(columns[first], rows, count, groups);
    }

    private ObjectAccumulator with(Object[] newValues) {
        return new ObjectAccumulator(kind, resultType, newValues);
    }

    @Override
    ObjectAccumulator gather(int[] groups, int count) {
        Object[] picked = new Object[Math.max(1, count)];
        for (int i = 0; i < count; i++) {
            picked[i] = values[groups[i]];
        }
        return with(picked);
    }

    @Override
    Accumulator merge(Accumulator other, int[] left, int[] right, int count) {
        ObjectAccumulator b = (ObjectAccumulator) other;
        ObjectAccumulator out = with(new Object[Math.max(1, count)]);
        for (int i = 0; i < count; i++) {
            out.values[i] = left[i] < 0 ? null : values[left[i]];
            if (right[i] >= 0 && b.values[right[i]] != null) {
                out.fold(i, b.values[right[i]]);
            }
        }
        return out;
    }

    @Override
    DataType resultType() {
        return resultType;
    }

    @Override
    Column result(int count) {
        return column(count, kind == Kind.SUM ? BigDecimal.ZERO : null);
    }

    private Column column(int count, Object instead) {
        ColumnBuilder builder = ColumnBuilder.of(resultType);
        for (int i = 0; i < count; i++) {
            Object value = values[i] == null ? instead : values[i];
            builder.append(fits(value) ? value : null);
        }
        return builder.build();
    }

    private boolean fits(Object value) {
        return !(value instanceof BigDecimal decimal)
                || decimal.precision() - decimal.scale() + ((DataType.Decimal) resultType).scale()
                        <= 38;
    }

    @Override
    boolean mayFail() {
        return resultType instanceof DataType.Decimal;
    }

    @Override
    String failure(int group) {
        return fits(values[group])
                ? null
                : "the sum " + values[group] + " does not fit a " + resultType;
    }

    BigDecimal decimal(int group) {
        return values[group] == null ? BigDecimal.ZERO : (BigDecimal) values[group];
    }

    @Override
    int partialColumns() {
        return 1;
    }

    @Override
    Column partial(int index, int[] groups, int count) {
        return gather(groups, count).column(count, null);
    }

    @Override
    void clear() {
        Arrays.fill(values, null);
    }

    @Override
    Accumulator widen(DataType newType, int groups) {
        if (newType instanceof DataType.Float64 && kind == Kind.SUM) {
            SumDoubleAccumulator wide = new SumDoubleAccumulator(groups);
            for (int group = 0; group < groups; group++) {
                wide.addOne(group, decimal(group).doubleValue());
            }
            return wide;
        }
        Accumulator wide =
                kind == Kind.SUM
                        ? decimalSum((DataType.Decimal) newType, groups)
                        : Accumulators.extreme(newType, kind == Kind.MAX, groups);
        wide.add(
                Casts.cast(column(groups, null), newType),
                null,
                groups,
                Selection.all(groups).rows());
        return wide;
    }

    @Override
    long sizeInBytes() {
        return 48L * values.length;
    }
}
