package dev.tidemill.operators.window;

import dev.tidemill.data.Batch;
import dev.tidemill.data.Casts;
import dev.tidemill.data.Column;
import dev.tidemill.data.Columns;
import dev.tidemill.data.DataType;
import dev.tidemill.data.Field;
import dev.tidemill.data.Hashing;
import dev.tidemill.data.LongColumn;
import dev.tidemill.data.Schema;
import dev.tidemill.data.Selection;
import dev.tidemill.state.GroupTable;
import java.util.Arrays;
import java.util.List;

/** countDistinct: one table of the pairs of group and value, exact. Values are equal as keys are: NaN equals NaN, -0.0 equals 0.0. */
final class DistinctAccumulator extends Accumulator {
    private static final int[] BOTH = {0, 1};

    private final DataType type;
    private final GroupTable pairs;
    private long[] counts;

    DistinctAccumulator(DataType type, int groups) {
        this.type = type;
        this.pairs = new GroupTable(List.of(DataType.INT64, type));
        this.counts = new long[Math.max(FEWEST_GROUPS, groups)];
    }

    @Override
    void reserve(int groups) {
        if (counts.length < groups) {
            counts = Arrays.copyOf(counts, Math.max(groups, 2 * counts.length));
        }
    }

    @Override
    void add(Column column, int[] rows, int count, int[] groups) {
        int length = column.length();
        int[] present = new int[count];
        long[] groupOf = new long[length];
        int found = 0;
        for (int i = 0; i < count; i++) {
            int row = physicalRow(rows, i);
            if (!column.isNull(row)) {
                present[found++] = row;
                groupOf[row] = groups[row];
            }
        }
        if (found > 0) {
            insert(
                    new LongColumn(DataType.INT64, groupOf, null, length),
                    column,
                    new Selection(present, found));
        }
    }

    /** Adds pairs; each new one counts for its group. {@code groupColumn} has the group at each selected position. */
    private void insert(LongColumn groupColumn, Column values, Selection selection) {
        Schema schema = Schema.of(new Field("group", DataType.INT64), new Field("value", type));
        Batch batch =
                Batch.of(schema, new Column[] {groupColumn, values}, values.length())
                        .select(selection);
        int[] ids = new int[values.length()];
        int before = pairs.size();
        pairs.probe(batch, BOTH, Hashing.hash(batch, BOTH), ids);
        int added = pairs.size() - before;
        if (added == 0) {
            return;
        }
        int[] news = new int[added];
        Arrays.setAll(news, i -> before + i);
        LongColumn newGroups = (LongColumn) pairs.keyColumn(0, news, added);
        for (int i = 0; i < added; i++) {
            counts[(int) newGroups.get(i)]++;
        }
    }

    /** The pairs are no columns of a partial state: {@link #pairsOf} gives them apart. */
    @Override
    void addPartial(Column[] columns, int first, int[] rows, int count, int[] groups) {}

    /**
     * The pairs of the groups that are wanted: the group of each, and its value.
     *
     * @param wanted by group
     */
    Pairs pairsOf(boolean[] wanted) {
        int size = pairs.size();
        int[] all = Selection.all(size).rows();
        long[] groups = ((LongColumn) pairs.keyColumn(0, all, size)).values();
        int[] found = new int[size];
        int[] groupOf = new int[size];
        int count = 0;
        for (int i = 0; i < size; i++) {
            if (wanted[(int) groups[i]]) {
                groupOf[count] = (int) groups[i];
                found[count++] = i;
            }
        }
        return new Pairs(groupOf, Columns.plain(pairs.keyColumn(1, found, count)), count);
    }

    /** Groups and values by position. */
    record Pairs(int[] groups, Column values, int count) {}

    private void take(DistinctAccumulator from, long[] newOfOld) {
        int size = from.pairs.size();
        if (size == 0) {
            return;
        }
        int[] all = Selection.all(size).rows();
        long[] oldGroups = ((LongColumn) from.pairs.keyColumn(0, all, size)).values();
        long[] newGroups = new long[size];
        int[] kept = new int[size];
        int found = 0;
        for (int i = 0; i < size; i++) {
            newGroups[i] = newOfOld[(int) oldGroups[i]];
            if (newGroups[i] >= 0) {
                kept[found++] = i;
            }
        }
        Column values = Columns.plain(from.pairs.keyColumn(1, all, size));
        insert(
                new LongColumn(DataType.INT64, newGroups, null, size),
                values,
                new Selection(kept, found));
    }

    @Override
    Accumulator merged(List<Accumulator> parts, int[][] groups, int[][] targets, int count) {
        DistinctAccumulator out = new DistinctAccumulator(type, count);
        for (int part = 0; part < groups.length; part++) {
            DistinctAccumulator from = (DistinctAccumulator) parts.get(part);
            long[] newOfOld = new long[from.counts.length];
            Arrays.fill(newOfOld, -1);
            for (int i = 0; i < groups[part].length; i++) {
                newOfOld[groups[part][i]] = targets[part][i];
            }
            out.take(from, newOfOld);
        }
        return out;
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
        return 0;
    }

    @Override
    Column partial(int index, int[] groups, int count) {
        throw new IllegalArgumentException("countDistinct has no column " + index);
    }

    @Override
    void clear() {
        Arrays.fill(counts, 0);
        pairs.clear();
    }

    @Override
    Accumulator widen(DataType inputType, int groups) {
        DistinctAccumulator wide = new DistinctAccumulator(inputType, groups);
        int size = pairs.size();
        if (size > 0) {
            int[] all = Selection.all(size).rows();
            Column values = Casts.cast(pairs.keyColumn(1, all, size), inputType);
            wide.insert(
                    (LongColumn) pairs.keyColumn(0, all, size),
                    Columns.plain(values),
                    Selection.all(size));
        }
        return wide;
    }

    @Override
    long sizeInBytes() {
        return 8L * counts.length + pairs.sizeInBytes();
    }
}
