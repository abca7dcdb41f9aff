package dev.tidemill.operators.window;

import dev.tidemill.data.Column;
import dev.tidemill.data.DataType;
import dev.tidemill.data.DoubleColumn;
import dev.tidemill.data.LongColumn;
import dev.tidemill.data.Ordering;
import java.util.Arrays;
import java.util.List;

/** min and max of float64 by the order of keys: NaN is above all, -0.0 equals 0.0. */
final class DoubleFold extends Accumulator {
    private final boolean max;
    private double[] values;
    private boolean[] seen;

    DoubleFold(boolean max, int groups) {
        this(
                max,
                new double[Math.max(FEWEST_GROUPS, groups)],
                new boolean[Math.max(FEWEST_GROUPS, groups)]);
    }

    private DoubleFold(boolean max, double[] values, boolean[] seen) {
        this.max = max;
        this.values = values;
        this.seen = seen;
    }

    static DoubleFold of(boolean max, LongColumn from, int groups) {
        DoubleFold fold = new DoubleFold(max, groups);
        for (int group = 0; group < groups; group++) {
            if (!from.isNull(group)) {
                fold.fold(group, from.get(group));
            }
        }
        return fold;
    }

    @Override
    void reserve(int groups) {
        if (values.length < groups) {
            int length = Math.max(groups, 2 * values.length);
            values = Arrays.copyOf(values, length);
            seen = Arrays.copyOf(seen, length);
        }
    }

    @Override
    void add(Column column, int[] rows, int count, int[] groups) {
        if (!(column instanceof DoubleColumn doubles)) {
            return;
        }
        for (int i = 0; i < count; i++) {
            int row = physicalRow(rows, i);
            if (!doubles.isNull(row)) {
                fold(groups[row], doubles.get(row));
            }
        }
    }

    private void fold(int group, double given) {
        // One zero, so that the result does not depend on which came first.
        double value = given + 0.0;
        if (!seen[group]) {
            seen[group] = true;
            values[group] = value;
            return;
        }
        int order = Ordering.compare(value, values[group]);
        if (max ? order > 0 : order < 0) {
            values[group] = value;
        }
    }

    @Override
    void addPartial(Column[] columns, int first, int[] rows, int count, int[] groups) {
        add(columns[first], rows, count, groups);
    }

    @Override
    Accumulator merged(List<Accumulator> parts, int[][] groups, int[][] targets, int count) {
        DoubleFold out = new DoubleFold(max, count);
        for (int part = 0; part < groups.length; part++) {
            out.addAll((DoubleFold) parts.get(part), groups[part], targets[part]);
        }
        return out;
    }

    private void addAll(DoubleFold from, int[] groups, int[] targets) {
        for (int i = 0; i < groups.length; i++) {
            if (from.seen[groups[i]]) {
                fold(targets[i], from.values[groups[i]]);
            }
        }
    }

    @Override
    DataType resultType() {
        return DataType.FLOAT64;
    }

    @Override
    Column result(int[] groups, int count) {
        boolean[] present = new boolean[count];
        for (int i = 0; i < count; i++) {
            present[i] = seen[groups[i]];
        }
        return new DoubleColumn(
                Longs.gather(values, groups, count), Validity.of(present, count), count);
    }

    @Override
    int partialColumns() {
        return 1;
    }

    @Override
    Column partial(int index, int[] groups, int count) {
        return result(groups, count);
    }

    @Override
    void clear() {
        Arrays.fill(seen, false);
    }

    @Override
    Accumulator widen(DataType inputType, int groups) {
        return this;
    }

    @Override
    long sizeInBytes() {
        return 9L * values.length;
    }
}
