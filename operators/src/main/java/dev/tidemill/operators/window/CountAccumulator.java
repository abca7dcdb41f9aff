package dev.tidemill.operators.window;

import dev.tidemill.data.Column;
import dev.tidemill.data.DataType;
import dev.tidemill.data.LongColumn;
import dev.tidemill.data.NullColumn;
import java.util.Arrays;
import java.util.List;

/** Rows, or values that are not null. */
final class CountAccumulator extends Accumulator {
    private long[] counts;

    CountAccumulator(int groups) {
        counts = new long[Math.max(FEWEST_GROUPS, groups)];
    }

    private CountAccumulator(long[] counts) {
        this.counts = counts;
    }

    long get(int group) {
        return counts[group];
    }

    @Override
    void reserve(int groups) {
        if (counts.length < groups) {
            counts = Arrays.copyOf(counts, Math.max(groups, 2 * counts.length));
        }
    }

    @Override
    void add(Column column, int[] rows, int count, int[] groups) {
        if (column instanceof NullColumn) {
            return;
        }
        long[] to = counts;
        if (column != null && column.hasNulls()) {
            for (int i = 0; i < count; i++) {
                int row = physicalRow(rows, i);
                to[groups[row]] += column.isNull(row) ? 0 : 1;
            }
        } else if (rows == null) {
            for (int row = 0; row < count; row++) {
                to[groups[row]]++;
            }
        } else {
            for (int i = 0; i < count; i++) {
                to[groups[rows[i]]]++;
            }
        }
    }

    @Override
    void addPartial(Column[] columns, int first, int[] rows, int count, int[] groups) {
        long[] partials = ((LongColumn) columns[first]).values();
        for (int i = 0; i < count; i++) {
            int row = physicalRow(rows, i);
            counts[groups[row]] += partials[row];
        }
    }

    @Override
    Accumulator merged(List<Accumulator> parts, int[][] groups, int[][] targets, int count) {
        CountAccumulator out = new CountAccumulator(count);
        for (int part = 0; part < groups.length; part++) {
            out.addAll((CountAccumulator) parts.get(part), groups[part], targets[part]);
        }
        return out;
    }

    private void addAll(CountAccumulator from, int[] groups, int[] targets) {
        long[] to = counts;
        long[] more = from.counts;
        for (int i = 0; i < groups.length; i++) {
            to[targets[i]] += more[groups[i]];
        }
    }

    @Override
    DataType resultType() {
        return DataType.INT64;
    }

    @Override
    Column result(int[] groups, int count) {
        return new LongColumn(DataType.INT64, Longs.gather(counts, groups, count), null, count);
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
        Arrays.fill(counts, 0);
    }

    @Override
    Accumulator widen(DataType inputType, int groups) {
        return this;
    }

    @Override
    long sizeInBytes() {
        return 8L * counts.length;
    }
}
