package dev.tidemill.operators.window;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Merges the runs of the slices of a window. Windows that overlap share the merges of aligned blocks of 2, 4, 8 … slices (a binary tree over
 * time), so that a slice takes part in a logarithmic number of merges however many windows it counts in.
 */
final class RunCache {
    /** With fewer slices a window, blocks cost more than they save. */
    private static final long LEAST_SLICES_FOR_BLOCKS = 4;

    /** Numbers of slices are exact within. */
    private static final long FAR = Long.MAX_VALUE / 4;

    private final Slicing slicing;
    private final TreeMap<Long, Slice> slices;
    private final boolean hasBlocks;

    /** Level 1 is blocks of two slices. */
    private final List<Map<Long, Run>> levels = new ArrayList<>();

    RunCache(Slicing slicing, TreeMap<Long, Slice> slices) {
        this.slicing = slicing;
        this.slices = slices;
        long inWindow = slicing.numberedSlices();
        hasBlocks = inWindow >= LEAST_SLICES_FOR_BLOCKS;
        int highest = hasBlocks ? 63 - Long.numberOfLeadingZeros(inWindow) : 0;
        for (int level = 0; level <= highest; level++) {
            levels.add(new HashMap<>());
        }
    }

    /** The groups of the slices in {@code [start, end)}, or null when there are none. */
    Run window(long start, long end) {
        List<Run> parts = new ArrayList<>();
        if (hasBlocks && start > -FAR && end < FAR) {
            collectBlocks(slicing.number(start), slicing.number(end), parts);
        } else {
            for (Slice slice : slices.subMap(start, true, end, end == Long.MAX_VALUE).values()) {
                parts.add(slice.run());
            }
        }
        return parts.isEmpty() ? null : Run.merge(parts);
    }

    private void collectBlocks(long first, long end, List<Run> parts) {
        long at = first;
        while (at < end) {
            int level = Math.min(levels.size() - 1, Long.numberOfTrailingZeros(at));
            while (1L << level > end - at) {
                level--;
            }
            Run run = block(level, at >> level);
            if (run != null) {
                parts.add(run);
            }
            at += 1L << level;
        }
    }

    private Run block(int level, long index) {
        if (level == 0) {
            Slice slice = slices.get(slicing.startOf(index));
            return slice == null ? null : slice.run();
        }
        Run cached = levels.get(level).get(index);
        if (cached != null) {
            return cached;
        }
        long first = index << level;
        Long slice = slices.ceilingKey(slicing.startOf(first));
        if (slice == null || slice >= slicing.startOf(first + (1L << level))) {
            return null;
        }
        Run left = block(level - 1, 2 * index);
        Run right = block(level - 1, 2 * index + 1);
        if (left == null || right == null) {
            return left == null ? right : left;
        }
        Run run = Run.merge(List.of(left, right));
        levels.get(level).put(index, run);
        return run;
    }

    /** A slice has changed, or is gone. */
    void invalidate(long sliceStart) {
        if (!hasBlocks || sliceStart <= -FAR || sliceStart >= FAR) {
            return;
        }
        long number = slicing.number(sliceStart);
        for (int level = 1; level < levels.size(); level++) {
            Map<Long, Run> ofLevel = levels.get(level);
            if (!ofLevel.isEmpty()) {
                ofLevel.remove(number >> level);
            }
        }
    }

    /** Types have widened: every run is void. */
    void clear() {
        levels.forEach(Map::clear);
    }
}
