package dev.tidemill.operators.window;

import dev.tidemill.data.Batch;
import dev.tidemill.data.Casts;
import dev.tidemill.data.Column;
import dev.tidemill.data.Columns;
import dev.tidemill.data.DataType;
import dev.tidemill.data.Hashing;
import dev.tidemill.data.LongColumn;
import dev.tidemill.data.Schema;
import dev.tidemill.data.Selection;
import dev.tidemill.operators.AggregateKind;
import dev.tidemill.operators.AggregateSpec;
import dev.tidemill.operators.WindowedAggregateSpec;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;

/** The slices that hold rows, by start, and how a batch comes into them: rows are parted by slice, then folded into each slice as a whole. */
final class SliceTable {
    /** Is asked once for each slice that a batch touches, and told what went in. */
    interface Gate {
        /** Whether rows of the slice are still taken; else the gate has dealt with them. */
        boolean takes(long sliceStart, Batch rows);

        void taken(long sliceStart, Slice slice, Selection rows, int physicalRows, int[] groups);
    }

    private static final int MAX_SPARE_SLICES = 16;
    private static final long MAX_SPARE_BYTES = 1 << 20;

    private final WindowedAggregateSpec spec;
    private final Slicing slicing;
    private final boolean partials;
    private final boolean countsRows;
    private final Runnable onWiden;
    private final List<AggregateSpec> aggregates;
    private final TreeMap<Long, Slice> slices = new TreeMap<>();
    private final ArrayDeque<Slice> spare = new ArrayDeque<>();
    private final DataType[] keyTypes;
    private final DataType[] inputTypes;
    private Schema boundSchema;
    private int timeIndex;
    private int[] keyIndices;
    private int[] inputIndices;
    private int[] scratch = new int[0];

    // The slices that the current batch touches, with their rows.
    private long[] touchedStarts = new long[8];
    private long[] touchedEnds = new long[8];
    private int[][] touchedRows = new int[8][];
    private int[] touchedCounts = new int[8];
    private int touched;

    /**
     * @param partials   whether batches bring partial aggregates ({@link PartialColumns})
     * @param countsRows whether slices keep the number of rows of each group
     * @param onWiden    is called when keys or states have become of wider types
     */
    SliceTable(
            WindowedAggregateSpec spec,
            Slicing slicing,
            boolean partials,
            boolean countsRows,
            Runnable onWiden) {
        this.countsRows = countsRows;
        this.onWiden = onWiden;
        this.spec = spec;
        this.slicing = slicing;
        this.partials = partials;
        this.aggregates = spec.aggregates();
        this.keyTypes = new DataType[spec.groupBy().size()];
        this.inputTypes = new DataType[aggregates.size()];
        Arrays.fill(keyTypes, DataType.NULL);
        Arrays.fill(inputTypes, DataType.NULL);
    }

    /** By start. */
    TreeMap<Long, Slice> slices() {
        return slices;
    }

    List<DataType> keyTypes() {
        return List.of(keyTypes);
    }

    /** Removes a slice and keeps its memory for another. */
    void remove(long sliceStart) {
        Slice slice = slices.remove(sliceStart);
        if (spare.size() < MAX_SPARE_SLICES && slice.sizeInBytes() < MAX_SPARE_BYTES) {
            slice.clear();
            spare.push(slice);
        }
    }

    void add(Batch batch, Gate gate) {
        if (batch.schema() != boundSchema) {
            bind(batch.schema());
        }
        Column[] keys = new Column[keyIndices.length];
        for (int k = 0; k < keys.length; k++) {
            keys[k] =
                    keyIndices[k] < 0
                            ? Columns.allNull(keyTypes[k], batch.physicalRows())
                            : Casts.cast(Columns.plain(batch.column(keyIndices[k])), keyTypes[k]);
        }
        long[] hashes = batch.hashes() != null ? batch.hashes() : Hashing.hash(batch, keyIndices);
        Column[] inputs = partials ? partialInputs(batch) : inputs(batch);
        if (scratch.length < batch.physicalRows()) {
            scratch = new int[batch.physicalRows()];
        }
        part(batch);
        for (int i = 0; i < touched; i++) {
            Selection rows =
                    touched == 1
                            ? batch.selection()
                            : new Selection(touchedRows[i], touchedCounts[i]);
            addTo(touchedStarts[i], batch, rows, keys, hashes, inputs, gate);
            touchedRows[i] = null;
        }
    }

    private void addTo(
            long start,
            Batch batch,
            Selection rows,
            Column[] keys,
            long[] hashes,
            Column[] inputs,
            Gate gate) {
        if (!gate.takes(start, touched == 1 ? batch : batch.select(rows))) {
            return;
        }
        Slice slice = slices.get(start);
        if (slice == null) {
            slice =
                    spare.isEmpty()
                            ? new Slice(keyTypes(), aggregates, inputTypes, countsRows)
                            : spare.pop();
            slices.put(start, slice);
        }
        if (partials) {
            slice.addPartial(keys, hashes, inputs, rows, batch.physicalRows(), scratch);
        } else {
            slice.add(keys, hashes, inputs, rows, batch.physicalRows(), scratch);
        }
        gate.taken(start, slice, rows, batch.physicalRows(), scratch);
    }

    /** Parts the living rows by slice. Rows mostly come in order of time, so the slice of the row before is tried first. */
    private void part(Batch batch) {
        long[] times = ((LongColumn) batch.column(timeIndex)).values();
        int count = batch.rows();
        touched = 0;
        int current = touch(times[batch.physicalRow(0)]);
        if (staysIn(times, batch, touchedStarts[current], touchedEnds[current])) {
            return;
        }
        touchedRows[current] = new int[count];
        for (int i = 0; i < count; i++) {
            int row = batch.physicalRow(i);
            long time = times[row];
            if (time < touchedStarts[current]
                    || time >= touchedEnds[current] && touchedEnds[current] != Long.MAX_VALUE) {
                current = touch(time);
            }
            if (touchedRows[current] == null) {
                touchedRows[current] = new int[count - i];
            } else if (touchedCounts[current] == touchedRows[current].length) {
                touchedRows[current] = Arrays.copyOf(touchedRows[current], count);
            }
            touchedRows[current][touchedCounts[current]++] = row;
        }
    }

    private static boolean staysIn(long[] times, Batch batch, long start, long end) {
        int count = batch.rows();
        Selection selection = batch.selection();
        long last = end == Long.MAX_VALUE ? end : end - 1;
        if (selection == null) {
            for (int row = 0; row < count; row++) {
                if (times[row] < start || times[row] > last) {
                    return false;
                }
            }
            return true;
        }
        int[] rows = selection.rows();
        for (int i = 0; i < count; i++) {
            if (times[rows[i]] < start || times[rows[i]] > last) {
                return false;
            }
        }
        return true;
    }

    /** The entry of the slice that holds {@code time}, made when it is new to the batch. */
    private int touch(long time) {
        for (int i = touched - 1; i >= Math.max(0, touched - 8); i--) {
            if (time >= touchedStarts[i]
                    && (time < touchedEnds[i] || touchedEnds[i] == Long.MAX_VALUE)) {
                return i;
            }
        }
        long start = slicing.sliceStart(time);
        for (int i = touched - 9; i >= 0; i--) {
            if (touchedStarts[i] == start) {
                return i;
            }
        }
        if (touched == touchedStarts.length) {
            touchedStarts = Arrays.copyOf(touchedStarts, 2 * touched);
            touchedEnds = Arrays.copyOf(touchedEnds, 2 * touched);
            touchedRows = Arrays.copyOf(touchedRows, 2 * touched);
            touchedCounts = Arrays.copyOf(touchedCounts, 2 * touched);
        }
        touchedStarts[touched] = start;
        touchedEnds[touched] = slicing.sliceEnd(start);
        touchedCounts[touched] = 0;
        touchedRows[touched] = null;
        return touched++;
    }

    private Column[] inputs(Batch batch) {
        Column[] inputs = new Column[aggregates.size()];
        for (int i = 0; i < inputs.length; i++) {
            AggregateSpec aggregate = aggregates.get(i);
            if (aggregate.column() == null) {
                continue;
            }
            inputs[i] =
                    inputIndices[i] < 0
                            ? Columns.allNull(DataType.NULL, batch.physicalRows())
                            : asInput(
                                    i,
                                    Accumulators.taken(
                                            aggregate.kind(), batch.column(inputIndices[i])));
        }
        return inputs;
    }

    private Column asInput(int aggregate, Column column) {
        boolean isNull =
                column.type() instanceof DataType.Null
                        || inputTypes[aggregate] instanceof DataType.Null;
        return isNull ? column : Casts.cast(column, inputTypes[aggregate]);
    }

    private Column[] partialInputs(Batch batch) {
        Column[] columns = new Column[PartialColumns.width(aggregates)];
        int at = 0;
        for (int i = 0; i < aggregates.size(); i++) {
            int width = PartialColumns.width(aggregates.get(i));
            Column[] own = new Column[width];
            for (int part = 0; part < width; part++) {
                own[part] = Columns.plain(batch.column(inputIndices[at + part]));
            }
            Column[] fitting = fitting(i, own, batch.physicalRows());
            System.arraycopy(fitting, 0, columns, at, width);
            at += width;
        }
        return columns;
    }

    /** A state over a narrower type than ours, as one over ours. */
    private Column[] fitting(int aggregate, Column[] own, int rows) {
        AggregateKind kind = aggregates.get(aggregate).kind();
        DataType from = own[0].type();
        DataType to = inputTypes[aggregate];
        if (!hasInputType(kind)
                || from.equals(to)
                || to instanceof DataType.Decimal
                        && from instanceof DataType.Decimal d
                        && d.scale() == ((DataType.Decimal) to).scale()) {
            return own;
        }
        int[] identity = Selection.all(rows).rows();
        Accumulator narrow = Accumulators.of(kind, from, rows);
        narrow.addPartial(own, 0, null, rows, identity);
        Accumulator wide = narrow.widen(to, rows);
        Column[] out = new Column[own.length];
        for (int part = 0; part < out.length; part++) {
            out[part] = wide.partial(part, identity, rows);
        }
        return out;
    }

    private static boolean hasInputType(AggregateKind kind) {
        return switch (kind) {
            case SUM, AVG, MIN, MAX -> true;
            default -> false;
        };
    }

    /** Finds the columns, and widens keys and states where the batch's types are wider. */
    private void bind(Schema schema) {
        boundSchema = schema;
        timeIndex = schema.indexOf(partials ? PartialColumns.SLICE : spec.timeColumn());
        keyIndices = spec.groupBy().stream().mapToInt(schema::indexOf).toArray();
        for (int k = 0; k < keyIndices.length; k++) {
            widenKey(k, keyIndices[k] < 0 ? DataType.NULL : schema.type(keyIndices[k]));
        }
        inputIndices = partials ? partialIndices(schema) : rowIndices(schema);
    }

    private int[] rowIndices(Schema schema) {
        int[] indices = new int[aggregates.size()];
        for (int i = 0; i < indices.length; i++) {
            AggregateSpec aggregate = aggregates.get(i);
            indices[i] = aggregate.column() == null ? -1 : schema.indexOf(aggregate.column());
            if (indices[i] >= 0) {
                widenInput(i, Accumulators.usable(aggregate.kind(), schema.type(indices[i])));
            }
        }
        return indices;
    }

    private int[] partialIndices(Schema schema) {
        int[] indices = new int[PartialColumns.width(aggregates)];
        int at = 0;
        for (int i = 0; i < aggregates.size(); i++) {
            for (int part = 0; part < PartialColumns.width(aggregates.get(i)); part++) {
                indices[at++] = schema.indexOf(PartialColumns.state(i, part));
            }
            DataType first = schema.type(schema.indexOf(PartialColumns.state(i, 0)));
            widenInput(i, hasInputType(aggregates.get(i).kind()) ? first : DataType.INT64);
        }
        return indices;
    }

    private void widenKey(int key, DataType type) {
        DataType wide = DataType.widen(keyTypes[key], type);
        if (wide.equals(keyTypes[key])) {
            return;
        }
        keyTypes[key] = wide;
        spare.clear();
        onWiden.run();
        for (Slice slice : slices.values()) {
            slice.widenKey(key, wide);
        }
    }

    private void widenInput(int aggregate, DataType type) {
        DataType from = inputTypes[aggregate];
        DataType wide = DataType.widen(from, type);
        if (wide.equals(from)) {
            return;
        }
        inputTypes[aggregate] = wide;
        spare.clear();
        onWiden.run();
        for (Slice slice : slices.values()) {
            slice.widenInput(aggregate, aggregates.get(aggregate), from, wide);
        }
    }
}
