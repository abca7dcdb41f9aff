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
import dev.tidemill.operators.AggregateKind;
import dev.tidemill.operators.StateImage;
import dev.tidemill.operators.StateOutput;
import dev.tidemill.operators.WindowedAggregateSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongPredicate;

/**
 * The slices of a windowed step as images, and back. An image has the slices that live, and of each the groups that changed, with their whole state in the
 * columns that also travel over a shuffle ({@link PartialColumns}): so a group is taken from the newest image that has it, and from no other.
 */
final class SliceState {
    private static final String LIVE = "slices";
    private static final String GROUPS = "groups";
    private static final String FLAGS = "flags";
    private static final String VALUE = Schema.ENGINE_PREFIX + "value";
    private static final int CHANGED = 1;
    private static final int CORRECTED = 2;
    private static final int CHUNK_ROWS = 1 << 16;

    private final WindowedAggregateSpec spec;
    private final SliceTable table;
    private final PartialColumns columns;

    SliceState(WindowedAggregateSpec spec, SliceTable table) {
        this.spec = spec;
        this.table = table;
        this.columns = new PartialColumns(spec);
    }

    private static String pairs(int aggregate) {
        return "pairs_" + aggregate;
    }

    // ---- out ----

    void write(boolean full, StateOutput out) {
        long[] starts = table.slices().keySet().stream().mapToLong(Long::longValue).toArray();
        out.rows(
                LIVE,
                Batch.of(
                        Schema.of(new Field(PartialColumns.SLICE, DataType.INT64)),
                        LongColumn.of(starts)));
        table.slices().forEach((start, slice) -> write(start, slice, full, out));
    }

    private void write(long start, Slice slice, boolean full, StateOutput out) {
        int[] groups = full ? Accumulator.all(slice.groups()) : slice.dirty().list(slice.groups());
        int total = full ? slice.groups() : groups.length;
        for (int from = 0; from < total; from += CHUNK_ROWS) {
            int[] chunk = Arrays.copyOfRange(groups, from, Math.min(total, from + CHUNK_ROWS));
            out.rows(GROUPS, groups(start, slice, chunk));
        }
        for (int a = 0; a < slice.accumulators().length; a++) {
            if (total > 0 && slice.accumulators()[a] instanceof DistinctAccumulator distinct) {
                writePairs(start, slice, a, distinct, wanted(groups, total, slice), out);
            }
        }
        writeFlags(start, slice, out);
        slice.dirty().clear();
    }

    private Batch groups(long start, Slice slice, int[] groups) {
        return columns.batch(
                filled(start, groups.length),
                filled(1, groups.length),
                slice.keys(groups, groups.length),
                slice.accumulators(),
                table.inputs().inputTypes(),
                groups,
                groups.length,
                null);
    }

    private static boolean[] wanted(int[] groups, int count, Slice slice) {
        boolean[] wanted = new boolean[slice.groups()];
        for (int i = 0; i < count; i++) {
            wanted[groups[i]] = true;
        }
        return wanted;
    }

    private void writePairs(
            long start,
            Slice slice,
            int aggregate,
            DistinctAccumulator distinct,
            boolean[] wanted,
            StateOutput out) {
        DistinctAccumulator.Pairs pairs = distinct.pairsOf(wanted);
        if (pairs.count() > 0) {
            out.rows(
                    pairs(aggregate),
                    keyed(start, slice, pairs.groups(), pairs.count(), pairs.values()));
        }
    }

    /** Which groups are still to be written early or corrected: few, and all of them each time, since a flag goes without a row. */
    private void writeFlags(long start, Slice slice, StateOutput out) {
        if (!slice.changed().any() && !slice.corrected().any()) {
            return;
        }
        int[] all = Accumulator.all(slice.groups());
        boolean[] changed = slice.changed().gather(all, slice.groups());
        boolean[] corrected = slice.corrected().gather(all, slice.groups());
        int[] groups = new int[slice.groups()];
        long[] flags = new long[slice.groups()];
        int count = 0;
        for (int group = 0; group < slice.groups(); group++) {
            long flag =
                    (changed != null && changed[group] ? CHANGED : 0)
                            | (corrected != null && corrected[group] ? CORRECTED : 0);
            if (flag != 0) {
                groups[count] = group;
                flags[count++] = flag;
            }
        }
        out.rows(
                FLAGS,
                keyed(
                        start,
                        slice,
                        groups,
                        count,
                        new LongColumn(DataType.INT64, flags, null, count)));
    }

    /** Rows of slice, keys of the groups, and a value. */
    private Batch keyed(long start, Slice slice, int[] groups, int count, Column values) {
        Column[] keys = slice.keys(groups, count);
        List<Field> fields = new ArrayList<>();
        fields.add(new Field(PartialColumns.SLICE, DataType.INT64));
        for (int k = 0; k < keys.length; k++) {
            fields.add(new Field(spec.groupBy().get(k), keys[k].type()));
        }
        fields.add(new Field(VALUE, values.type()));
        Column[] all = new Column[keys.length + 2];
        all[0] = filled(start, count);
        System.arraycopy(keys, 0, all, 1, keys.length);
        all[keys.length + 1] = values;
        return Batch.of(new Schema(fields), all, count);
    }

    private static Column filled(long value, int count) {
        long[] values = new long[count];
        Arrays.fill(values, value);
        return new LongColumn(DataType.INT64, values, null, count);
    }

    // ---- in ----

    /** @param images of one former task, the newest first */
    void read(List<StateImage> images, LongPredicate owns) {
        Set<Long> live = live(images.getFirst());
        for (StateImage image : images) {
            Map<Long, Integer> before = new HashMap<>();
            table.slices().forEach((start, slice) -> before.put(start, slice.groups()));
            for (Batch rows : image.rows(GROUPS)) {
                readGroups(rows, live, before, owns);
            }
            for (int a = 0; a < spec.aggregates().size(); a++) {
                if (spec.aggregates().get(a).kind() == AggregateKind.COUNT_DISTINCT) {
                    for (Batch rows : image.rows(pairs(a))) {
                        readPairs(a, rows, before);
                    }
                }
            }
        }
        for (Batch rows : images.getFirst().rows(FLAGS)) {
            readFlags(rows);
        }
    }

    private static Set<Long> live(StateImage image) {
        Set<Long> live = new HashSet<>();
        for (Batch rows : image.rows(LIVE)) {
            for (int row = 0; row < rows.rows(); row++) {
                live.add(start(rows, row));
            }
        }
        return live;
    }

    private static long start(Batch rows, int row) {
        return ((LongColumn) rows.column(PartialColumns.SLICE)).get(row);
    }

    private void readGroups(
            Batch rows, Set<Long> live, Map<Long, Integer> before, LongPredicate owns) {
        if (rows.rows() == 0 || !live.contains(start(rows, 0))) {
            return;
        }
        SliceInput input = table.inputs().of(rows);
        int[] owned = new int[rows.rows()];
        int count = 0;
        for (int row = 0; row < rows.rows(); row++) {
            if (owns.test(input.hashes()[row])) {
                owned[count++] = row;
            }
        }
        if (count > 0) {
            long start = start(rows, 0);
            table.restore(start, input, new Selection(owned, count), before.getOrDefault(start, 0));
        }
    }

    private void readPairs(int aggregate, Batch rows, Map<Long, Integer> before) {
        Slice slice = rows.rows() == 0 ? null : table.slices().get(start(rows, 0));
        if (slice == null) {
            return;
        }
        Column values = rows.column(VALUE);
        table.inputs().widenInput(aggregate, values.type());
        DataType type = table.inputs().inputTypes()[aggregate];
        int[] groupOf = new int[rows.rows()];
        int[] positions = found(slice, rows, groupOf, before.getOrDefault(start(rows, 0), 0));
        slice.accumulators()[aggregate].add(
                Columns.plain(Casts.cast(values, type)), positions, positions.length, groupOf);
    }

    private void readFlags(Batch rows) {
        Slice slice = rows.rows() == 0 ? null : table.slices().get(start(rows, 0));
        if (slice == null) {
            return;
        }
        int[] groupOf = new int[rows.rows()];
        long[] flags = ((LongColumn) rows.column(VALUE)).values();
        int[] found = found(slice, rows, groupOf, 0);
        note(slice, slice.changed(), CHANGED, found, flags, groupOf);
        note(slice, slice.corrected(), CORRECTED, found, flags, groupOf);
    }

    private static void note(
            Slice slice, Flags to, int flag, int[] rows, long[] flags, int[] groupOf) {
        int[] flagged = Arrays.stream(rows).filter(row -> (flags[row] & flag) != 0).toArray();
        if (flagged.length > 0) {
            to.set(groupOf, flagged, flagged.length, slice.groups());
        }
    }

    /** The rows whose groups the slice has, from number {@code least} on, and the groups in {@code groupOf}. */
    private int[] found(Slice slice, Batch rows, int[] groupOf, int least) {
        Column[] keys = new Column[spec.groupBy().size()];
        List<Field> fields = new ArrayList<>();
        for (int k = 0; k < keys.length; k++) {
            keys[k] =
                    Columns.plain(
                            Casts.cast(
                                    rows.column(spec.groupBy().get(k)),
                                    table.inputs().keyTypes().get(k)));
            fields.add(new Field("key" + k, keys[k].type()));
        }
        Batch batch = Batch.of(new Schema(fields), keys, rows.rows());
        slice.find(keys, Hashing.hash(batch, Accumulator.all(keys.length)), groupOf);
        int[] found = new int[rows.rows()];
        int count = 0;
        for (int row = 0; row < rows.rows(); row++) {
            if (groupOf[row] >= least) {
                found[count++] = row;
            }
        }
        return Arrays.copyOf(found, count);
    }
}
