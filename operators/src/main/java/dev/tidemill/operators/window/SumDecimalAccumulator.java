package dev.tidemill.operators.window;

import dev.tidemill.data.Column;
import dev.tidemill.data.ColumnBuilder;
import dev.tidemill.data.Columns;
import dev.tidemill.data.DataType;
import dev.tidemill.data.DecimalColumn;
import dev.tidemill.data.LongColumn;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;

/** An exact sum of decimals of one scale. A sum beyond 38 digits on the way is no failure, one at the end is. */
final class SumDecimalAccumulator extends Accumulator {
    private static final int DIGITS = 38;

    /** Partial states are split here, so that each part fits its column. */
    private static final BigInteger SPLIT = BigInteger.TEN.pow(37);

    private final DataType.Decimal type;

    /** Unscaled; null for 0. */
    private BigInteger[] sums;

    SumDecimalAccumulator(int scale, int groups) {
        this(new DataType.Decimal(DIGITS, scale), new BigInteger[Math.max(FEWEST_GROUPS, groups)]);
    }

    private SumDecimalAccumulator(DataType.Decimal type, BigInteger[] sums) {
        this.type = type;
        this.sums = sums;
    }

    @Override
    void reserve(int groups) {
        if (sums.length < groups) {
            sums = Arrays.copyOf(sums, Math.max(groups, 2 * sums.length));
        }
    }

    @Override
    void add(Column column, int[] rows, int count, int[] groups) {
        if (!(column instanceof DecimalColumn decimals)) {
            return;
        }
        for (int i = 0; i < count; i++) {
            int row = physicalRow(rows, i);
            if (!decimals.isNull(row)) {
                addOne(groups[row], decimals.get(row));
            }
        }
    }

    void addOne(int group, BigDecimal value) {
        addUnscaled(group, value.setScale(type.scale()).unscaledValue());
    }

    private void addUnscaled(int group, BigInteger value) {
        sums[group] = sums[group] == null ? value : sums[group].add(value);
    }

    private BigInteger unscaled(int group) {
        return sums[group] == null ? BigInteger.ZERO : sums[group];
    }

    BigDecimal get(int group) {
        return new BigDecimal(unscaled(group), type.scale());
    }

    @Override
    void addPartial(Column[] columns, int first, int[] rows, int count, int[] groups) {
        add(columns[first], rows, count, groups);
        if (columns[first + 1] instanceof LongColumn quotients) {
            for (int i = 0; i < count; i++) {
                int row = physicalRow(rows, i);
                if (!quotients.isNull(row) && quotients.get(row) != 0) {
                    addUnscaled(
                            groups[row], BigInteger.valueOf(quotients.get(row)).multiply(SPLIT));
                }
            }
        }
    }

    @Override
    Accumulator merged(List<Accumulator> parts, int[][] groups, int[][] targets, int count) {
        SumDecimalAccumulator out = new SumDecimalAccumulator(type.scale(), count);
        for (int part = 0; part < groups.length; part++) {
            out.addAll((SumDecimalAccumulator) parts.get(part), groups[part], targets[part]);
        }
        return out;
    }

    private void addAll(SumDecimalAccumulator from, int[] groups, int[] targets) {
        for (int i = 0; i < groups.length; i++) {
            if (from.sums[groups[i]] != null) {
                addUnscaled(targets[i], from.sums[groups[i]]);
            }
        }
    }

    @Override
    DataType resultType() {
        return type;
    }

    @Override
    Column result(int[] groups, int count) {
        ColumnBuilder builder = ColumnBuilder.of(type);
        for (int i = 0; i < count; i++) {
            BigDecimal sum = get(groups[i]);
            builder.append(fits(sum) ? sum : null);
        }
        return builder.build();
    }

    private static boolean fits(BigDecimal sum) {
        return sum.precision() <= DIGITS;
    }

    @Override
    boolean mayFail() {
        return true;
    }

    @Override
    String failure(int group) {
        BigDecimal sum = get(group);
        return fits(sum) ? null : "the sum " + sum.toPlainString() + " does not fit a " + type;
    }

    @Override
    int partialColumns() {
        return 2;
    }

    @Override
    Column partial(int index, int[] groups, int count) {
        return index == 0 ? remainders(groups, count) : quotients(groups, count);
    }

    private Column remainders(int[] groups, int count) {
        ColumnBuilder builder = ColumnBuilder.of(type);
        for (int i = 0; i < count; i++) {
            builder.append(new BigDecimal(unscaled(groups[i]).remainder(SPLIT), type.scale()));
        }
        return builder.build();
    }

    private Column quotients(int[] groups, int count) {
        long[] quotients = new long[count];
        long any = 0;
        for (int i = 0; i < count; i++) {
            quotients[i] = unscaled(groups[i]).divide(SPLIT).longValueExact();
            any |= quotients[i];
        }
        return any == 0
                ? Columns.allNull(DataType.NULL, count)
                : new LongColumn(DataType.INT64, quotients, null, count);
    }

    @Override
    void clear() {
        Arrays.fill(sums, null);
    }

    @Override
    Accumulator widen(DataType inputType, int groups) {
        if (inputType instanceof DataType.Float64) {
            SumDoubleAccumulator wide = new SumDoubleAccumulator(groups);
            for (int group = 0; group < groups; group++) {
                wide.addOne(group, get(group).doubleValue());
            }
            return wide;
        }
        SumDecimalAccumulator wide =
                new SumDecimalAccumulator(((DataType.Decimal) inputType).scale(), groups);
        for (int group = 0; group < groups; group++) {
            wide.addOne(group, get(group));
        }
        return wide;
    }

    @Override
    long sizeInBytes() {
        return 64L * sums.length;
    }
}
