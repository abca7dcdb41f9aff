package dev.tidemill.operators.window;

import dev.tidemill.data.Batch;
import dev.tidemill.data.Selection;
import java.util.Arrays;

/**
 * The living rows of a batch, parted by slice. Most batches lie in one slice, or go through a few in order of time; but any order costs the same for each row.
 * Reused between batches; not thread-safe.
 */
final class RowsBySlice {
    private final Slicing slicing;
    private long[] starts = new long[8];

    /** The last ms of each slice. */
    private long[] lasts = new long[8];

    private int[] counts = new int[8];
    private Selection[] rows = new Selection[8];
    private int slices;

    /** The slice of each living row. */
    private int[] sliceOf = new int[0];

    /** Open addressing by start: the number of the slice plus one. */
    private int[] index = new int[32];

    private boolean isIndexUsed;

    RowsBySlice(Slicing slicing) {
        this.slicing = slicing;
    }

    /** How many slices the batch touches. */
    int slices() {
        return slices;
    }

    long start(int slice) {
        return starts[slice];
    }

    /** The rows of a slice; null for all physical rows. */
    Selection rows(int slice) {
        return rows[slice];
    }

    /** @param times of each physical row; the batch is not empty */
    void part(long[] times, Batch batch) {
        clear();
        int first = add(slicing.sliceStart(times[batch.physicalRow(0)]));
        if (isWithin(times, batch, starts[first], lasts[first])) {
            rows[first] = batch.selection();
            return;
        }
        int count = batch.rows();
        if (sliceOf.length < count) {
            sliceOf = new int[count];
        }
        assign(times, batch.selection(), count, first);
        fill(batch.selection(), count);
    }

    private void clear() {
        Arrays.fill(rows, 0, slices, null);
        slices = 0;
        if (isIndexUsed) {
            Arrays.fill(index, 0);
            isIndexUsed = false;
        }
    }

    private static boolean isWithin(long[] times, Batch batch, long start, long last) {
        long least = Long.MAX_VALUE;
        long greatest = Long.MIN_VALUE;
        int count = batch.rows();
        if (batch.selection() == null) {
            for (int row = 0; row < count; row++) {
                least = Math.min(least, times[row]);
                greatest = Math.max(greatest, times[row]);
            }
        } else {
            int[] numbers = batch.selection().rows();
            for (int i = 0; i < count; i++) {
                least = Math.min(least, times[numbers[i]]);
                greatest = Math.max(greatest, times[numbers[i]]);
            }
        }
        return least >= start && greatest <= last;
    }

    private void assign(long[] times, Selection selection, int count, int first) {
        int[] numbers = selection == null ? null : selection.rows();
        int current = first;
        for (int i = 0; i < count; i++) {
            long time = times[numbers == null ? i : numbers[i]];
            if (time < starts[current] || time > lasts[current]) {
                current = find(time);
            }
            sliceOf[i] = current;
            counts[current]++;
        }
    }

    private void fill(Selection selection, int count) {
        int[][] lists = new int[slices][];
        for (int slice = 0; slice < slices; slice++) {
            lists[slice] = new int[counts[slice]];
            rows[slice] = new Selection(lists[slice], counts[slice]);
            counts[slice] = 0;
        }
        for (int i = 0; i < count; i++) {
            int slice = sliceOf[i];
            lists[slice][counts[slice]++] = selection == null ? i : selection.rows()[i];
        }
    }

    private int find(long time) {
        // A few rows out of order go back and forth between the newest slices.
        for (int slice = slices - 1; slice >= Math.max(0, slices - 4); slice--) {
            if (time >= starts[slice] && time <= lasts[slice]) {
                return slice;
            }
        }
        long start = slicing.sliceStart(time);
        if (!isIndexUsed) {
            isIndexUsed = true;
            for (int slice = 0; slice < slices; slice++) {
                index[place(starts[slice])] = slice + 1;
            }
        }
        int place = place(start);
        return index[place] != 0 ? index[place] - 1 : add(start);
    }

    private int place(long start) {
        int mask = index.length - 1;
        int place = (int) (start * 0x9E3779B97F4A7C15L >>> 40) & mask;
        while (index[place] != 0 && starts[index[place] - 1] != start) {
            place = place + 1 & mask;
        }
        return place;
    }

    private int add(long start) {
        int slice = slices++;
        if (slice == starts.length) {
            grow();
        }
        starts[slice] = start;
        long end = slicing.sliceEnd(start);
        lasts[slice] = end == Long.MAX_VALUE ? end : end - 1;
        counts[slice] = 0;
        if (isIndexUsed) {
            index[place(start)] = slice + 1;
        }
        return slice;
    }

    private void grow() {
        int length = 2 * starts.length;
        int before = starts.length;
        starts = Arrays.copyOf(starts, length);
        lasts = Arrays.copyOf(lasts, length);
        counts = Arrays.copyOf(counts, length);
        rows = Arrays.copyOf(rows, length);
        index = new int[4 * length];
        for (int slice = 0; isIndexUsed && slice < before; slice++) {
            index[place(starts[slice])] = slice + 1;
        }
    }
}
