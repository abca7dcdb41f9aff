package dev.tidemill.operators.window;

import dev.tidemill.data.Column;
import dev.tidemill.data.DataType;
import dev.tidemill.data.Selection;
import dev.tidemill.operators.AggregateSpec;
import dev.tidemill.state.GroupTable;
import java.util.List;

/** The groups of one slice of time, open for rows. */
final class Slice {
    private final GroupTable table;
    private final Accumulator[] accumulators;
    private final Flags changed = new Flags();
    private final Flags corrected = new Flags();

    /** Rows by group, for a partial aggregate; null else. */
    private final CountAccumulator rowCounts;

    private Run run;

    Slice(
            List<DataType> keyTypes,
            List<AggregateSpec> specs,
            DataType[] inputTypes,
            boolean countsRows) {
        rowCounts = countsRows ? new CountAccumulator(0) : null;
        table = new GroupTable(keyTypes);
        accumulators = new Accumulator[specs.size()];
        for (int i = 0; i < accumulators.length; i++) {
            accumulators[i] = Accumulators.of(specs.get(i).kind(), inputTypes[i], 0);
        }
    }

    int groups() {
        return table.size();
    }

    /**
     * Folds rows in.
     *
     * @param keys      key columns without dictionaries, in the table's types
     * @param inputs    the column of each aggregate, null for a count of rows
     * @param scratch   room for a group a physical row
     */
    void add(
            Column[] keys,
            long[] hashes,
            Column[] inputs,
            Selection selection,
            int physicalRows,
            int[] scratch) {
        int count = probe(keys, hashes, selection, physicalRows, scratch);
        int[] rows = Accumulator.rowsOf(selection);
        for (int i = 0; i < accumulators.length; i++) {
            accumulators[i].reserve(table.size());
            accumulators[i].add(inputs[i], rows, count, scratch);
        }
        if (rowCounts != null) {
            rowCounts.reserve(table.size());
            rowCounts.add(null, rows, count, scratch);
        }
    }

    /** Folds partial states in: {@code parts} are their columns, aggregate by aggregate. */
    void addPartial(
            Column[] keys,
            long[] hashes,
            Column[] parts,
            Selection selection,
            int physicalRows,
            int[] scratch) {
        int count = probe(keys, hashes, selection, physicalRows, scratch);
        int[] rows = Accumulator.rowsOf(selection);
        int first = 0;
        for (Accumulator accumulator : accumulators) {
            accumulator.reserve(table.size());
            accumulator.addPartial(parts, first, rows, count, scratch);
            first += accumulator.partialColumns();
        }
    }

    private int probe(
            Column[] keys, long[] hashes, Selection selection, int physicalRows, int[] scratch) {
        table.probe(keys, hashes, selection, physicalRows, scratch);
        run = null;
        return selection == null ? physicalRows : selection.count();
    }

    /** Notes the groups of these rows, as {@link #add} left them in {@code scratch}. */
    void note(Flags flags, Selection selection, int physicalRows, int[] scratch) {
        int[] rows = Accumulator.rowsOf(selection);
        flags.set(
                scratch, rows, selection == null ? physicalRows : selection.count(), table.size());
    }

    /** Groups that changed since they were last written early. */
    Flags changed() {
        return changed;
    }

    /** Groups that changed since closed windows over this slice were last written. */
    Flags corrected() {
        return corrected;
    }

    void forget(Flags flags) {
        if (flags.any()) {
            flags.clear();
            run = null;
        }
    }

    /** How many rows each of these groups has taken in. */
    Column rowCounts(int[] groups, int count) {
        return rowCounts.partial(0, groups, count);
    }

    /** The groups in key order; kept until the slice changes. */
    Run run() {
        if (run == null) {
            run = makeRun();
        }
        return run;
    }

    private Run makeRun() {
        int count = table.size();
        int[] all = Selection.all(count).rows();
        Column[] unsorted = keys(all, count);
        int[] order = KeyOrder.sorted(unsorted, count);
        Accumulator[] states = new Accumulator[accumulators.length];
        for (int i = 0; i < states.length; i++) {
            states[i] = accumulators[i].gather(order, count);
        }
        Column[] sorted = new Column[unsorted.length];
        for (int k = 0; k < sorted.length; k++) {
            sorted[k] = unsorted[k].gather(order, count);
        }
        return new Run(
                count,
                sorted,
                states,
                changed.gather(order, count),
                corrected.gather(order, count));
    }

    Column[] keys(int[] groups, int count) {
        Column[] keys = new Column[table.keyTypes().size()];
        for (int k = 0; k < keys.length; k++) {
            keys[k] = table.keyColumn(k, groups, count);
        }
        return keys;
    }

    long[] hashes() {
        return table.hashes();
    }

    Accumulator[] accumulators() {
        return accumulators;
    }

    void widenKey(int key, DataType type) {
        table.widenKey(key, type);
        run = null;
    }

    /** Makes the state of an aggregate fit inputs of a wider type. */
    void widenInput(int aggregate, AggregateSpec spec, DataType from, DataType to) {
        accumulators[aggregate] =
                from instanceof DataType.Null
                        ? Accumulators.of(spec.kind(), to, table.size())
                        : accumulators[aggregate].widen(to, table.size());
        run = null;
    }

    /** Makes the slice as good as new, with its memory. */
    void clear() {
        table.clear();
        for (Accumulator accumulator : accumulators) {
            accumulator.clear();
        }
        changed.clear();
        corrected.clear();
        if (rowCounts != null) {
            rowCounts.clear();
        }
        run = null;
    }

    long sizeInBytes() {
        long total = table.sizeInBytes();
        for (Accumulator accumulator : accumulators) {
            total += accumulator.sizeInBytes();
        }
        return total;
    }
}
