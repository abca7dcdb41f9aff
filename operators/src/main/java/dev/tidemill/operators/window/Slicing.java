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

    /** How many slices a window has when slices are numbered by {@link #number}, else 0. */
    abstract long numberedSlices();

    /** The number of the slice that starts there; neighbours have neighbouring numbers. */
    abstract long number(long sliceStart);

    /** The start of the slice of that number. */
    abstract long startOf(long number);

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

        @Override
        long numberedSlices() {
            return cut == 0 ? size / slide : 2 * (size / slide) + 1;
        }

        @Override
        long number(long sliceStart) {
            long slides = Math.floorDiv(sliceStart - offset, slide);
            return cut == 0 ? slides : 2 * slides + (sliceStart - offset == slides * slide ? 0 : 1);
        }

        @Override
        long startOf(long number) {
            return cut == 0
                    ? number * slide + offset
                    : (number >> 1) * slide + offset + (number & 1) * cut;
        }
    }

    /**
     * Multiples of the slide on the wall clock of a zone. A boundary in a gap of the clock is the moment of the gap, and windows that thereby start at one
     * moment are one, the last of them; a boundary that comes twice is the first.
     */
    static final class Zoned extends Slicing {
        /** Beyond so many days from 1970 there are no calendars; wall clocks are taken for UTC. */
        private static final long MAX_DAYS = 300_000_000L;

        private final Plain local;
        private final long slide;
        private final ZoneRules rules;

        Zoned(WindowSpec window, ZoneRules rules) {
            // The day that offsets count from is local, so the plain arithmetic holds on local
            // time.
            local =
                    new Plain(
                            new WindowSpec(
                                    window.sizeMs(), window.slideMs(), window.offsetMs(), null));
            slide = window.slideMs();
            this.rules = rules;
        }

        private static boolean isBeyondCalendars(long time) {
            return time / DAY > MAX_DAYS || time / DAY < -MAX_DAYS;
        }

        private long toLocal(long time) {
            return isBeyondCalendars(time)
                    ? time
                    : time + offsetMs(rules.getOffset(Instant.ofEpochMilli(time)));
        }

        private static long offsetMs(ZoneOffset offset) {
            return offset.getTotalSeconds() * 1000L;
        }

        private long toInstant(long localTime) {
            if (isBeyondCalendars(localTime)) {
                return localTime;
            }
            LocalDateTime wall = wall(localTime);
            List<ZoneOffset> offsets = rules.getValidOffsets(wall);
            if (offsets.isEmpty()) {
                return rules.getTransition(wall).toEpochSecond() * 1000;
            }
            return localTime - offsetMs(offsets.getFirst());
        }

        private static LocalDateTime wall(long localTime) {
            return LocalDateTime.ofEpochSecond(
                    Math.floorDiv(localTime, 1000L),
                    (int) Math.floorMod(localTime, 1000L) * 1_000_000,
                    ZoneOffset.UTC);
        }

        /** The local start of the slice that holds {@code time}. */
        private long localSlice(long time) {
            long localTime = toLocal(time);
            if (isBeyondCalendars(time)) {
                return local.sliceStart(localTime);
            }
            List<ZoneOffset> offsets = rules.getValidOffsets(wall(localTime));
            boolean isSecondPass =
                    offsets.size() == 2 && localTime - offsetMs(offsets.get(1)) == time;
            if (isSecondPass) {
                // All boundaries of this hour were in its first pass: the slice is the one the
                // clock was in when it was set back.
                ZoneOffsetTransition overlap = rules.getTransition(wall(localTime));
                long setBackAt =
                        overlap.toEpochSecond() * 1000 + offsetMs(overlap.getOffsetBefore());
                return local.sliceStart(setBackAt - 1);
            }
            return local.sliceStart(localTime);
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
            return toInstant(localWindow(sliceStart));
        }

        @Override
        long nextWindow(long windowStart) {
            long wall = local.nextWindow(localWindow(windowStart));
            while (toInstant(wall) <= windowStart && wall != Long.MAX_VALUE) {
                wall = local.nextWindow(wall);
            }
            return toInstant(wall);
        }

        /** The local start of the last window that starts at or before a slice. */
        private long localWindow(long start) {
            return local.lastWindow(localSlice(start));
        }

        @Override
        long windowEnd(long windowStart) {
            return toInstant(local.windowEnd(localWindow(windowStart)));
        }

        @Override
        long firstWindowEndingAfter(long time) {
            if (isBeyondCalendars(time)) {
                return local.firstWindowEndingAfter(time);
            }
            long first = add(local.firstWindowEndingAfter(toLocal(time)), -slidesInADay() * slide);
            // Ends ascend with starts: halve the range of the first that is late enough, which no
            // clock change puts off by more than a day.
            long low = 0;
            long high = 2 * slidesInADay();
            while (low < high) {
                long middle = low + high >>> 1;
                if (toInstant(local.windowEnd(first + middle * slide)) > time) {
                    high = middle;
                } else {
                    low = middle + 1;
                }
            }
            return toInstant(first + low * slide);
        }

        private long slidesInADay() {
            return DAY / slide + 1;
        }

        @Override
        long numberedSlices() {
            return 0;
        }

        @Override
        long number(long sliceStart) {
            throw new UnsupportedOperationException("slices of wall clocks have no numbers");
        }

        @Override
        long startOf(long number) {
            throw new UnsupportedOperationException("slices of wall clocks have no numbers");
        }
    }
}
