package dev.tidemill.operators.window;

import dev.tidemill.data.Column;
import dev.tidemill.data.DataType;
import dev.tidemill.data.DecimalColumn;
import dev.tidemill.data.DoubleColumn;
import dev.tidemill.data.LongColumn;
import dev.tidemill.operators.AggregateKind;
import java.util.Arrays;
import java.util.List;

/** Variance and standard deviation by Welford's recurrence (1962), merged by Chan, Golub and LeVeque's formula (1979). */
final class MomentsAccumulator extends Accumulator {
    private final AggregateKind kind;
    private double[] counts;
    private double[] means;

    /** Sums of squared distances from the mean. */
    private double[] squares;

    MomentsAccumulator(AggregateKind kind, int groups) {
        this(
                kind,
                new double[Math.max(FEWEST_GROUPS, groups)],
                new double[Math.max(FEWEST_GROUPS, groups)],
                new double[Math.max(FEWEST_GROUPS, groups)]);
    }

    private MomentsAccumulator(
            AggregateKind kind, double[] counts, double[] means, double[] squares) {
        this.kind = kind;
        this.counts = counts;
        this.means = means;
        this.squares = squares;
    }

    @Override
    void reserve(int groups) {
        if (counts.length < groups) {
            int length = Math.max(groups, 2 * counts.length);
            counts = Arrays.copyOf(counts, length);
            means = Arrays.copyOf(means, length);
            squares = Arrays.copyOf(squares, length);
        }
    }

    @Override
    void add(Column column, int[] rows, int count, int[] groups) {
        for (int i = 0; i < count; i++) {
            int row = physicalRow(rows, i);
            if (!column.isNull(row)) {
                addOne(groups[row], number(column, row));
            }
        }
    }

    private static double number(Column column, int row) {
        return switch (column) {
            case LongColumn longs -> longs.get(row);
            case DoubleColumn doubles -> doubles.get(row);
            case DecimalColumn decimals -> decimals.get(row).doubleValue();
            default -> Double.NaN;
        };
    }

    private void addOne(int group, double value) {
        double count = ++counts[group];
        double distance = value - means[group];
        means[group] += distance / count;
        squares[group] += distance * (value - means[group]);
    }

    private void fold(int group, double count, double mean, double square) {
        if (count == 0) {
            return;
        }
        double total = counts[group] + count;
        double distance = mean - means[group];
        squares[group] += square + distance * distance * counts[group] * count / total;
        means[group] += distance * count / total;
        counts[group] = total;
    }

    @Override
    void addPartial(Column[] columns, int first, int[] rows, int count, int[] groups) {
        DoubleColumn n = (DoubleColumn) columns[first];
        DoubleColumn mean = (DoubleColumn) columns[first + 1];
        DoubleColumn square = (DoubleColumn) columns[first + 2];
        for (int i = 0; i < count; i++) {
            int row = physicalRow(rows, i);
            fold(groups[row], n.get(row), mean.get(row), square.get(row));
        }
    }

    @Override
    Accumulator merged(List<Accumulator> parts, int[][] groups, int[][] targets, int count) {
        MomentsAccumulator out = new MomentsAccumulator(kind, count);
        for (int part = 0; part < groups.length; part++) {
            out.addAll((MomentsAccumulator) parts.get(part), groups[part], targets[part]);
        }
        return out;
    }

    private void addAll(MomentsAccumulator from, int[] groups, int[] targets) {
        for (int i = 0; i < groups.length; i++) {
            int group = groups[i];
            fold(targets[i], from.counts[group], from.means[group], from.squares[group]);
        }
    }

    @Override
    DataType resultType() {
        return DataType.FLOAT64;
    }

    @Override
    Column result(int[] groups, int count) {
        boolean sample = kind == AggregateKind.VAR_SAMP || kind == AggregateKind.STDDEV_SAMP;
        boolean root = kind == AggregateKind.STDDEV_POP || kind == AggregateKind.STDDEV_SAMP;
        double[] out = new double[count];
        boolean[] present = new boolean[count];
        for (int i = 0; i < count; i++) {
            int group = groups[i];
            double divisor = sample ? counts[group] - 1 : counts[group];
            present[i] = divisor > 0;
            if (present[i]) {
                double variance = Math.max(0, squares[group]) / divisor;
                out[i] = root ? Math.sqrt(variance) : variance;
            }
        }
        return new DoubleColumn(out, Validity.of(present, count), count);
    }

    @Override
    int partialColumns() {
        return 3;
    }

    @Override
    Column partial(int index, int[] groups, int count) {
        double[] part = index == 0 ? counts : index == 1 ? means : squares;
        return new DoubleColumn(Longs.gather(part, groups, count), null, count);
    }

    @Override
    void clear() {
        Arrays.fill(counts, 0);
        Arrays.fill(means, 0);
        Arrays.fill(squares, 0);
    }

    @Override
    Accumulator widen(DataType inputType, int groups) {
        return this;
    }

    @Override
    long sizeInBytes() {
        return 24L * counts.length;
    }
}
