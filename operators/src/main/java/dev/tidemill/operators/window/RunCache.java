package dev.tidemill.operators.window;

import dev.tidemill.operators.WindowSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Merges the runs of the slices of a window. Windows that overlap share the merges of aligned blocks of 2, 4, 8 … slices (a binary tree over
 * time), so that a slice takes part in a logarithmic number of merges however many windows it counts in.
 */
final class RunCache {
    /** With fewer slices a window, blocks cost more than they save. */
    private static final long LEAST_SLICES_FOR_BLOCKS = 8;

    private final TreeMap<Long, Slice> slices;
    private final boolean blocks;
    private final long slide;
    private final long offset;
    private final int levels;

    /** Level 1 is blocks of two slices. */
    private final List<TreeMap<Long, Run>> cache = new ArrayList<>();

    RunCache(WindowSpec window, TreeMap<Long, Slice> slices) {
        this.slices = slices;
        slide = window.slideMs();
        offset = Math.floorMod(window.offsetMs(), slide);
        long inWindow = window.sizeMs() / slide;
        blocks =
                window.zone() == null
                        && window.sizeMs() % slide == 0
                        && inWindow >= LEAST_SLICES_FOR_BLOCKS;
        levels = 63 - Long.numberOfLeadingZeros(inWindow);
        for (int level = 0; level <= levels; level++) {
            cache.add(new TreeMap<>());
        }
    }

    /** The groups of the slices in {@code [start, end)}, or null when there are none. */
    Run window(long start, long end) {
        List<Run> parts = new ArrayList<>();
        boolean saturated = start == Long.MIN_VALUE || end == Long.MAX_VALUE;
        if (blocks && !saturated) {
            collectBlocks(
                    Math.floorDiv(start - offset, slide),
                    Math.floorDiv(end - offset, slide),
                    parts);
        } else {
            for (Slice slice : slices.subMap(start, true, end, end == Long.MAX_VALUE).values()) {
                parts.add(slice.run());
            }
        }
        return merged(parts);
    }

    /** Pairs neighbours until one is left, so that small runs are not merged into a large one again and again. */
    private static Run merged(List<Run> parts) {
        List<Run> runs = parts;
        while (runs.size() > 1) {
            List<Run> next = new ArrayList<>();
            for (int i = 0; i < runs.size(); i += 2) {
                next.add(i + 1 < runs.size() ? runs.get(i).merge(runs.get(i + 1)) : runs.get(i));
            }
            runs = next;
        }
        return runs.isEmpty() ? null : runs.getFirst();
    }

    private void collectBlocks(long first, long end, List<Run> parts) {
        long at = first;
        while (at < end) {
            int level = Math.min(levels, Long.numberOfTrailingZeros(at));
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
            Slice slice = slices.get(index * slide + offset);
            return slice == null ? null : slice.run();
        }
        Run cached = cache.get(level).get(index);
        if (cached != null) {
            return cached;
        }
        long first = index << level;
        if (slices.subMap(first * slide + offset, (first + (1L << level)) * slide + offset)
                .isEmpty()) {
            return null;
        }
        Run left = block(level - 1, 2 * index);
        Run right = block(level - 1, 2 * index + 1);
        Run run = left == null ? right : right == null ? left : left.merge(right);
        if (run != null) {
            cache.get(level).put(index, run);
        }
        return run;
    }

    /** A slice has changed, or is gone. */
    void invalidate(long sliceStart) {
        if (!blocks) {
            return;
        }
        long index = Math.floorDiv(sliceStart - offset, slide);
        for (int level = 1; level <= levels; level++) {
            Map<Long, Run> ofLevel = cache.get(level);
            if (!ofLevel.isEmpty()) {
                ofLevel.remove(index >> level);
            }
        }
    }

    /** Types have widened: every run is void. */
    void clear() {
        cache.forEach(Map::clear);
    }
}
