package dev.tidemill.operators.window;

import dev.tidemill.data.Column;
import dev.tidemill.data.DataType;
import dev.tidemill.data.DoubleColumn;
import dev.tidemill.data.NullColumn;
import java.util.Arrays;
import java.util.List;

/** A compensated sum of doubles (Neumaier, 1974), so that the order of rows, and thus the number of tasks, hardly shows in it. */
final class SumDoubleAccumulator extends Accumulator {
    private double[] sums;
    private double[] corrections;

    SumDoubleAccumulator(int groups) {
        this(
                new double[Math.max(FEWEST_GROUPS, groups)],
                new double[Math.max(FEWEST_GROUPS, groups)]);
    }

    private SumDoubleAccumulator(double[] sums, double[] corrections) {
        this.sums = sums;
        this.corrections = corrections;
    }

    @Override
    void reserve(int groups) {
        if (sums.length < groups) {
            int length = Math.max(groups, 2 * sums.length);
            sums = Arrays.copyOf(sums, length);
            corrections = Arrays.copyOf(corrections, length);
        }
    }

    @Override
    void add(Column column, int[] rows, int count, int[] groups) {
        if (column instanceof NullColumn) {
            return;
        }
        DoubleColumn doubles = (DoubleColumn) column;
        double[] values = doubles.values();
        for (int i = 0; i < count; i++) {
            int row = physicalRow(rows, i);
            if (!doubles.isNull(row)) {
                addOne(groups[row], values[row]);
            }
        }
    }

    void addOne(int group, double value) {
        double before = sums[group];
        double after = before + value;
        corrections[group] +=
                Math.abs(before) >= Math.abs(value)
                        ? before - after + value
                        : value - after + before;
        sums[group] = after;
    }

    @Override
    void addPartial(Column[] columns, int first, int[] rows, int count, int[] groups) {
        double[] partials = ((DoubleColumn) columns[first]).values();
        double[] partialCorrections = ((DoubleColumn) columns[first + 1]).values();
        for (int i = 0; i < count; i++) {
            int row = physicalRow(rows, i);
            addOne(groups[row], partials[row]);
            corrections[groups[row]] += partialCorrections[row];
        }
    }

    @Override
    Accumulator merged(List<Accumulator> parts, int[][] groups, int[][] targets, int count) {
        SumDoubleAccumulator out = new SumDoubleAccumulator(count);
        for (int part = 0; part < groups.length; part++) {
            out.addAll((SumDoubleAccumulator) parts.get(part), groups[part], targets[part]);
        }
        return out;
    }

    private void addAll(SumDoubleAccumulator from, int[] groups, int[] targets) {
        for (int i = 0; i < groups.length; i++) {
            addOne(targets[i], from.sums[groups[i]]);
            corrections[targets[i]] += from.corrections[groups[i]];
        }
    }

    double get(int group) {
        // Beside an infinity or a NaN the correction is NaN and means nothing.
        return Double.isFinite(sums[group]) ? sums[group] + corrections[group] : sums[group];
    }

    @Override
    DataType resultType() {
        return DataType.FLOAT64;
    }

    @Override
    Column result(int[] groups, int count) {
        double[] out = new double[count];
        for (int i = 0; i < count; i++) {
            out[i] = get(groups[i]);
        }
        return new DoubleColumn(out, null, count);
    }

    @Override
    int partialColumns() {
        return 2;
    }

    @Override
    Column partial(int index, int[] groups, int count) {
        return new DoubleColumn(
                Longs.gather(index == 0 ? sums : corrections, groups, count), null, count);
    }

    @Override
    void clear() {
        Arrays.fill(sums, 0);
        Arrays.fill(corrections, 0);
    }

    @Override
    Accumulator widen(DataType inputType, int groups) {
        return this;
    }

    @Override
    long sizeInBytes() {
        return 16L * sums.length;
    }
}
