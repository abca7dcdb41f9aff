package dev.tidemill.operators.window;

import dev.tidemill.operators.WindowSpec;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.List;

/**
 * Cuts time into slices, so that every window is a run of whole slices and a row is kept once however many windows it counts in (panes: Li et al., "No pane,
 * no gain", 2005). Cut points are the starts and ends of all windows. Times are ms; arithmetic saturates at the ends of time.
 */
abstract sealed class Slicing {
    private static final long DAY = 86_400_000L;

    static Slicing of(WindowSpec window) {
        return window.zone() == null
                ? new Plain(window)
                : new Zoned(window, window.zone().getRules());
    }

    /** The start of the slice that holds {@code time}. */
    abstract long sliceStart(long time);

    /** The end, exclusive, of the slice that starts there. */
    abstract long sliceEnd(long sliceStart);

    /** The start of the first window that covers the slice. */
    abstract long firstWindow(long sliceStart);

    /** The start of the last window that covers the slice. */
    abstract long lastWindow(long sliceStart);

    /** The start of the window after the one that starts there. */
    abstract long nextWindow(long windowStart);

    abstract long windowEnd(long windowStart);

    /** The start of the first window whose end is above {@code time}. */
    abstract long firstWindowEndingAfter(long time);

    /** The end of the last window that covers the slice: when it has closed, a row of the slice is late. */
    final long lastEnd(long sliceStart) {
        return windowEnd(lastWindow(sliceStart));
    }

    static long add(long a, long b) {
        long sum = a + b;
        if (((a ^ sum) & (b ^ sum)) < 0) {
            return a < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
        return sum;
    }

    /** Multiples of the slide, shifted. */
    static final class Plain extends Slicing {
        private final long size;
        private final long slide;
        private final long offset;

        /** Where windows end within a slide; 0 when the slide divides the size. */
        private final long cut;

        Plain(WindowSpec window) {
            size = window.sizeMs();
            slide = window.slideMs();
            offset = Math.floorMod(window.offsetMs(), slide);
            cut = size % slide;
        }

        private long floor(long time) {
            // Far below zero the floor leaves the range of long: it saturates, so that all such
            // times share the first slice.
            long below = Math.floorMod(Math.floorMod(time, slide) - offset, slide);
            return add(time, -below);
        }

        @Override
        long sliceStart(long time) {
            long start = floor(time);
            return cut != 0 && time - start >= cut ? start + cut : start;
        }

        @Override
        long sliceEnd(long sliceStart) {
            if (cut == 0) {
                return add(sliceStart, slide);
            }
            long start = floor(sliceStart);
            return sliceStart == start ? add(start, cut) : add(start, slide);
        }

        @Override
        long firstWindow(long sliceStart) {
            // The least multiple whose window reaches to the end of the slice.
            long least = add(sliceEnd(sliceStart), -size);
            long floor = floor(least);
            return floor == least ? floor : add(floor, slide);
        }

        @Override
        long lastWindow(long sliceStart) {
            return floor(sliceStart);
        }

        @Override
        long nextWindow(long windowStart) {
            return add(windowStart, slide);
        }

        @Override
        long windowEnd(long windowStart) {
            return add(windowStart, size);
        }

        @Override
        long firstWindowEndingAfter(long time) {
            return add(floor(add(time, -size)), slide);
        }
    }

    /** Multiples of the slide on the wall clock of a zone. A boundary in a gap of the clock is the moment of the gap; one that comes twice is the first. */
    static final class Zoned extends Slicing {
        private final Plain local;
        private final ZoneRules rules;

        Zoned(WindowSpec window, ZoneRules rules) {
            // The day that offsets count from is local, so the plain arithmetic holds on local
            // time.
            local =
                    new Plain(
                            new WindowSpec(
                                    window.sizeMs(), window.slideMs(), window.offsetMs(), null));
            this.rules = rules;
        }

        private long toLocal(long time) {
            return add(time, rules.getOffset(Instant.ofEpochMilli(time)).getTotalSeconds() * 1000L);
        }

        private long toInstant(long localTime) {
            if (localTime == Long.MIN_VALUE
                    || localTime == Long.MAX_VALUE
                    || Math.abs(localTime / DAY) > 300_000_000L) {
                return localTime;
            }
            LocalDateTime wall =
                    LocalDateTime.ofEpochSecond(
                            Math.floorDiv(localTime, 1000L),
                            (int) Math.floorMod(localTime, 1000L) * 1_000_000,
                            ZoneOffset.UTC);
            List<ZoneOffset> offsets = rules.getValidOffsets(wall);
            if (offsets.isEmpty()) {
                ZoneOffsetTransition gap = rules.getTransition(wall);
                return gap.toEpochSecond() * 1000;
            }
            return localTime - offsets.getFirst().getTotalSeconds() * 1000L;
        }

        /** The local time of the slice start: the local arithmetic, corrected where the clock was set back. */
        private long localSlice(long time) {
            long start = local.sliceStart(toLocal(time));
            while (time >= toInstant(local.sliceEnd(start))
                    && local.sliceEnd(start) != Long.MAX_VALUE) {
                start = local.sliceEnd(start);
            }
            return start;
        }

        @Override
        long sliceStart(long time) {
            return toInstant(localSlice(time));
        }

        @Override
        long sliceEnd(long sliceStart) {
            return toInstant(local.sliceEnd(localSlice(sliceStart)));
        }

        @Override
        long firstWindow(long sliceStart) {
            return toInstant(local.firstWindow(localSlice(sliceStart)));
        }

        @Override
        long lastWindow(long sliceStart) {
            return toInstant(local.lastWindow(localSlice(sliceStart)));
        }

        @Override
        long nextWindow(long windowStart) {
            long wall = local.nextWindow(localWindow(windowStart));
            // A window that vanished in a gap starts where the one before does.
            while (toInstant(wall) <= windowStart && wall != Long.MAX_VALUE) {
                wall = local.nextWindow(wall);
            }
            return toInstant(wall);
        }

        private long localWindow(long windowStart) {
            return local.lastWindow(localSlice(windowStart));
        }

        @Override
        long windowEnd(long windowStart) {
            return toInstant(local.windowEnd(localWindow(windowStart)));
        }

        @Override
        long firstWindowEndingAfter(long time) {
            if (Math.abs(time / DAY) > 300_000_000L) {
                return local.firstWindowEndingAfter(time);
            }
            long wall = add(local.firstWindowEndingAfter(toLocal(time)), -DAY);
            wall = local.lastWindow(local.sliceStart(wall));
            while (toInstant(local.windowEnd(wall)) <= time) {
                wall = local.nextWindow(wall);
            }
            return toInstant(wall);
        }
    }
}
