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
    private final Flags dirty = new Flags();

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

    /** Folds rows in, and leaves the group of each at its physical position in {@code groupOf}. */
    void add(SliceInput input, Selection selection, int[] groupOf) {
        table.probe(input.keys(), input.hashes(), selection, input.physicalRows(), groupOf);
        run = null;
        int count = selection == null ? input.physicalRows() : selection.count();
        int[] rows = Accumulator.rowsOf(selection);
        int first = 0;
        for (int i = 0; i < accumulators.length; i++) {
            accumulators[i].reserve(table.size());
            if (input.partials()) {
                accumulators[i].addPartial(input.values(), first, rows, count, groupOf);
                first += accumulators[i].partialColumns();
            } else {
                accumulators[i].add(input.values()[i], rows, count, groupOf);
            }
        }
        if (rowCounts != null) {
            rowCounts.reserve(table.size());
            rowCounts.add(null, rows, count, groupOf);
        }
    }

    /**
     * Takes groups from an image: those that are new here. A group that is here already came from a newer image.
     *
     * @param least the number of groups there were before the image
     */
    void restore(SliceInput input, Selection selection, int[] groupOf, int least) {
        table.probe(input.keys(), input.hashes(), selection, input.physicalRows(), groupOf);
        run = null;
        int[] fresh = new int[selection.count()];
        int count = 0;
        for (int i = 0; i < selection.count(); i++) {
            int row = selection.rows()[i];
            if (groupOf[row] >= least) {
                fresh[count++] = row;
            }
        }
        int first = 0;
        for (Accumulator accumulator : accumulators) {
            accumulator.reserve(table.size());
            accumulator.addPartial(input.values(), first, fresh, count, groupOf);
            first += accumulator.partialColumns();
        }
    }

    /** Leaves the group of each row's key in {@code groupOf}, or -1 where there is none. */
    void find(Column[] keys, long[] hashes, int[] groupOf) {
        table.find(keys, hashes, groupOf);
    }

    /** Notes the groups of these rows, as {@link #add} left them in {@code groupOf}. */
    void note(Flags flags, Selection selection, int physicalRows, int[] groupOf) {
        int[] rows = Accumulator.rowsOf(selection);
        flags.set(
                groupOf, rows, selection == null ? physicalRows : selection.count(), table.size());
    }

    /** Groups that changed since they were last written early. */
    Flags changed() {
        return changed;
    }

    /** Groups that changed since the last image. */
    Flags dirty() {
        return dirty;
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
        return rowCounts.result(groups, count);
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
        int[] order = KeyOrder.sorted(keys(Accumulator.all(count), count), count);
        return new Run(
                count,
                keys(order, count),
                order,
                accumulators,
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
        dirty.clear();
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
