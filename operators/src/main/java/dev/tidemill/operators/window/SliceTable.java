package dev.tidemill.operators.window;

import dev.tidemill.data.Batch;
import dev.tidemill.data.DataType;
import dev.tidemill.data.Selection;
import dev.tidemill.operators.WindowedAggregateSpec;
import java.util.ArrayDeque;
import java.util.TreeMap;

/** The slices that hold rows, by start, and how a batch comes into them: rows are parted by slice, then folded into each slice as a whole. */
final class SliceTable {
    /** Is asked once for each slice that a batch touches, and told what went in. */
    interface Gate {
        /** Whether rows of the slice are still taken; else the gate has dealt with them. */
        boolean takes(long sliceStart, Batch rows);

        void taken(long sliceStart, Slice slice, Selection rows, int physicalRows, int[] groupOf);
    }

    private static final int MAX_SPARE_SLICES = 16;
    private static final long MAX_SPARE_BYTES = 32 << 20;

    /** A slice with more room than this for its groups is not kept: clearing it would cost those who have few groups. */
    private static final long MOST_BYTES_A_GROUP = 256;

    private static final long SMALL_BYTES = 1 << 14;

    private final WindowedAggregateSpec spec;
    private final boolean countsRows;
    private final SliceInputs inputs;
    private final RowsBySlice parted;
    private final TreeMap<Long, Slice> slices = new TreeMap<>();
    private final ArrayDeque<Slice> spare = new ArrayDeque<>();
    private final Runnable onWiden;
    private int[] groupOf = new int[0];
    private long groups;
    private long spareBytes;

    /**
     * @param countsRows whether slices keep the number of rows of each group
     * @param onWiden    is called when keys or states have become of wider types
     */
    SliceTable(WindowedAggregateSpec spec, Slicing slicing, boolean countsRows, Runnable onWiden) {
        this.spec = spec;
        this.countsRows = countsRows;
        this.onWiden = onWiden;
        this.inputs = new SliceInputs(spec, new WidenSlices());
        this.parted = new RowsBySlice(slicing);
    }

    private final class WidenSlices implements SliceInputs.Widening {
        @Override
        public void key(int key, DataType type) {
            slices.values().forEach(slice -> slice.widenKey(key, type));
            forgetNarrow();
        }

        @Override
        public void input(int aggregate, DataType from, DataType to) {
            slices.values()
                    .forEach(
                            slice ->
                                    slice.widenInput(
                                            aggregate, spec.aggregates().get(aggregate), from, to));
            forgetNarrow();
        }

        private void forgetNarrow() {
            spare.clear();
            spareBytes = 0;
            onWiden.run();
        }
    }

    /** By start. */
    TreeMap<Long, Slice> slices() {
        return slices;
    }

    SliceInputs inputs() {
        return inputs;
    }

    /** The number of groups of all slices. */
    long groups() {
        return groups;
    }

    /** Removes a slice and keeps its memory for another. */
    void remove(long sliceStart) {
        Slice slice = slices.remove(sliceStart);
        groups -= slice.groups();
        boolean isUsed = slice.sizeInBytes() <= SMALL_BYTES + MOST_BYTES_A_GROUP * slice.groups();
        if (isUsed && spare.size() < MAX_SPARE_SLICES) {
            slice.clear();
            keep(slice);
        }
    }

    private void keep(Slice slice) {
        long bytes = slice.sizeInBytes();
        if (spareBytes + bytes <= MAX_SPARE_BYTES) {
            spare.push(slice);
            spareBytes += bytes;
        }
    }

    /** Adds the living rows of a batch, of which there are some. */
    void add(Batch batch, Gate gate) {
        SliceInput input = inputs.of(batch);
        if (groupOf.length < batch.physicalRows()) {
            groupOf = new int[batch.physicalRows()];
        }
        parted.part(input.times(), batch);
        for (int i = 0; i < parted.slices(); i++) {
            Selection rows = parted.rows(i);
            long start = parted.start(i);
            if (gate.takes(start, parted.slices() == 1 ? batch : batch.select(rows))) {
                Slice slice = slice(start);
                int before = slice.groups();
                slice.add(input, rows, groupOf);
                groups += slice.groups() - before;
                gate.taken(start, slice, rows, batch.physicalRows(), groupOf);
            }
        }
    }

    /** Takes groups of a slice from an image; see {@link Slice#restore}. */
    void restore(long start, SliceInput input, Selection rows, int least) {
        Slice slice = slice(start);
        int before = slice.groups();
        slice.restore(input, rows, new int[input.physicalRows()], least);
        groups += slice.groups() - before;
    }

    private Slice slice(long start) {
        Slice slice = slices.get(start);
        if (slice == null) {
            slice = spare.isEmpty() ? newSlice() : takeSpare();
            slices.put(start, slice);
        }
        return slice;
    }

    private Slice newSlice() {
        return new Slice(inputs.keyTypes(), spec.aggregates(), inputs.inputTypes(), countsRows);
    }

    private Slice takeSpare() {
        Slice slice = spare.pop();
        spareBytes -= slice.sizeInBytes();
        return slice;
    }
}
