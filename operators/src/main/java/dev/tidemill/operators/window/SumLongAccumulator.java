package dev.tidemill.operators.window;

import dev.tidemill.data.Column;
import dev.tidemill.data.Columns;
import dev.tidemill.data.DataType;
import dev.tidemill.data.LongColumn;
import dev.tidemill.data.NullColumn;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;

/** An exact sum of int64 values: a wrapped long, and how often it has wrapped once any has. A sum beyond int64 on the way is no failure, one at the end is. */
final class SumLongAccumulator extends Accumulator {
    private long[] sums;

    /** The true sum is {@code sums + 2^64 * wraps}; null while nothing has wrapped. */
    private long[] wraps;

    SumLongAccumulator(int groups) {
        sums = new long[Math.max(FEWEST_GROUPS, groups)];
    }

    private SumLongAccumulator(long[] sums, long[] wraps) {
        this.sums = sums;
        this.wraps = wraps;
    }

    @Override
    void reserve(int groups) {
        if (sums.length < groups) {
            int length = Math.max(groups, 2 * sums.length);
            sums = Arrays.copyOf(sums, length);
            wraps = wraps == null ? null : Arrays.copyOf(wraps, length);
        }
    }

    @Override
    void add(Column column, int[] rows, int count, int[] groups) {
        if (column instanceof NullColumn) {
            return;
        }
        LongColumn longs = (LongColumn) column;
        long[] values = longs.values();
        if (longs.hasNulls()) {
            for (int i = 0; i < count; i++) {
                int row = physicalRow(rows, i);
                if (!longs.isNull(row)) {
                    addOne(groups[row], values[row]);
                }
            }
            return;
        }
        long[] to = sums;
        for (int i = 0; i < count; i++) {
            int row = physicalRow(rows, i);
            int group = groups[row];
            long value = values[row];
            long before = to[group];
            long after = before + value;
            to[group] = after;
            if (((before ^ after) & (value ^ after)) < 0) {
                wrap(group, value);
            }
        }
    }

    private void addOne(int group, long value) {
        long before = sums[group];
        long after = before + value;
        sums[group] = after;
        if (((before ^ after) & (value ^ after)) < 0) {
            wrap(group, value);
        }
    }

    private void wrap(int group, long value) {
        if (wraps == null) {
            wraps = new long[sums.length];
        }
        wraps[group] += value < 0 ? -1 : 1;
    }

    @Override
    void addPartial(Column[] columns, int first, int[] rows, int count, int[] groups) {
        long[] partials = ((LongColumn) columns[first]).values();
        for (int i = 0; i < count; i++) {
            int row = physicalRow(rows, i);
            addOne(groups[row], partials[row]);
        }
        if (columns[first + 1] instanceof LongColumn partialWraps) {
            wraps = wraps == null ? new long[sums.length] : wraps;
            for (int i = 0; i < count; i++) {
                int row = physicalRow(rows, i);
                wraps[groups[row]] += partialWraps.isNull(row) ? 0 : partialWraps.get(row);
            }
        }
    }

    @Override
    Accumulator merged(List<Accumulator> parts, int[][] groups, int[][] targets, int count) {
        SumLongAccumulator out = new SumLongAccumulator(count);
        for (int part = 0; part < groups.length; part++) {
            out.addAll((SumLongAccumulator) parts.get(part), groups[part], targets[part]);
        }
        return out;
    }

    private void addAll(SumLongAccumulator from, int[] groups, int[] targets) {
        for (int i = 0; i < groups.length; i++) {
            addOne(targets[i], from.sums[groups[i]]);
        }
        if (from.wraps == null) {
            return;
        }
        wraps = wraps == null ? new long[sums.length] : wraps;
        for (int i = 0; i < groups.length; i++) {
            wraps[targets[i]] += from.wraps[groups[i]];
        }
    }

    private long wraps(int group) {
        return wraps == null ? 0 : wraps[group];
    }

    @Override
    DataType resultType() {
        return DataType.INT64;
    }

    @Override
    Column result(int[] groups, int count) {
        boolean[] fits = new boolean[count];
        for (int i = 0; i < count; i++) {
            fits[i] = wraps(groups[i]) == 0;
        }
        return new LongColumn(
                DataType.INT64,
                Longs.gather(sums, groups, count),
                wraps == null ? null : Validity.of(fits, count),
                count);
    }

    @Override
    boolean mayFail() {
        return wraps != null;
    }

    @Override
    String failure(int group) {
        return wraps(group) == 0 ? null : "the sum " + exact(group) + " does not fit an int64";
    }

    BigInteger exact(int group) {
        return BigInteger.valueOf(wraps(group)).shiftLeft(64).add(BigInteger.valueOf(sums[group]));
    }

    double mean(int group, long count) {
        return (wraps(group) == 0 ? (double) sums[group] : exact(group).doubleValue()) / count;
    }

    @Override
    int partialColumns() {
        return 2;
    }

    @Override
    Column partial(int index, int[] groups, int count) {
        if (index == 0) {
            return new LongColumn(DataType.INT64, Longs.gather(sums, groups, count), null, count);
        }
        return wraps == null
                ? Columns.allNull(DataType.NULL, count)
                : new LongColumn(DataType.INT64, Longs.gather(wraps, groups, count), null, count);
    }

    @Override
    void clear() {
        Arrays.fill(sums, 0);
        wraps = null;
    }

    @Override
    Accumulator widen(DataType inputType, int groups) {
        if (inputType instanceof DataType.Float64) {
            SumDoubleAccumulator wide = new SumDoubleAccumulator(groups);
            for (int group = 0; group < groups; group++) {
                wide.addOne(group, exact(group).doubleValue());
            }
            return wide;
        }
        SumDecimalAccumulator wide =
                new SumDecimalAccumulator(((DataType.Decimal) inputType).scale(), groups);
        for (int group = 0; group < groups; group++) {
            wide.addOne(group, new BigDecimal(exact(group)));
        }
        return wide;
    }

    @Override
    long sizeInBytes() {
        return 8L * sums.length * (wraps == null ? 1 : 2);
    }
}
