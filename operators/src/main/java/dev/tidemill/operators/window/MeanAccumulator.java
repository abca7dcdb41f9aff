package dev.tidemill.operators.window;

import dev.tidemill.data.Column;
import dev.tidemill.data.DataType;
import dev.tidemill.data.DoubleColumn;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;

/** avg: a sum, exact where the input is, and a count of values. Of nothing it is null. */
final class MeanAccumulator extends Accumulator {
    private final Accumulator sum;
    private final CountAccumulator count;

    MeanAccumulator(Accumulator sum, CountAccumulator count) {
        this.sum = sum;
        this.count = count;
    }

    @Override
    void reserve(int groups) {
        sum.reserve(groups);
        count.reserve(groups);
    }

    @Override
    void add(Column column, int[] rows, int rowCount, int[] groups) {
        sum.add(column, rows, rowCount, groups);
        count.add(column, rows, rowCount, groups);
    }

    @Override
    void addPartial(Column[] columns, int first, int[] rows, int rowCount, int[] groups) {
        sum.addPartial(columns, first, rows, rowCount, groups);
        count.addPartial(columns, first + sum.partialColumns(), rows, rowCount, groups);
    }

    @Override
    Accumulator merged(List<Accumulator> parts, int[][] groups, int[][] targets, int groupCount) {
        List<Accumulator> sums = new ArrayList<>(parts.size());
        List<Accumulator> counts = new ArrayList<>(parts.size());
        for (Accumulator part : parts) {
            sums.add(((MeanAccumulator) part).sum);
            counts.add(((MeanAccumulator) part).count);
        }
        return new MeanAccumulator(
                sum.merged(sums, groups, targets, groupCount),
                (CountAccumulator) count.merged(counts, groups, targets, groupCount));
    }

    @Override
    DataType resultType() {
        return DataType.FLOAT64;
    }

    @Override
    Column result(int[] groups, int groupCount) {
        double[] means = new double[groupCount];
        boolean[] present = new boolean[groupCount];
        for (int i = 0; i < groupCount; i++) {
            long values = count.get(groups[i]);
            present[i] = values > 0;
            if (values > 0) {
                means[i] = mean(groups[i], values);
            }
        }
        return new DoubleColumn(means, Validity.of(present, groupCount), groupCount);
    }

    private double mean(int group, long values) {
        return switch (sum) {
            case SumLongAccumulator longs -> longs.mean(group, values);
            case SumDoubleAccumulator doubles -> doubles.get(group) / values;
            case SumDecimalAccumulator decimals ->
                    decimals.get(group)
                            .divide(BigDecimal.valueOf(values), MathContext.DECIMAL128)
                            .doubleValue();
            default -> throw new IllegalStateException(sum.getClass().getName());
        };
    }

    @Override
    int partialColumns() {
        return sum.partialColumns() + 1;
    }

    @Override
    Column partial(int index, int[] groups, int groupCount) {
        return index < sum.partialColumns()
                ? sum.partial(index, groups, groupCount)
                : count.partial(0, groups, groupCount);
    }

    @Override
    void clear() {
        sum.clear();
        count.clear();
    }

    @Override
    Accumulator widen(DataType inputType, int groups) {
        return new MeanAccumulator(sum.widen(inputType, groups), count);
    }

    @Override
    long sizeInBytes() {
        return sum.sizeInBytes() + count.sizeInBytes();
    }
}
