package dev.tidemill.runtime;

import java.util.Arrays;

/**
 * The event time of a task's splits, and what follows from it: the least of their maxima. A split counts from the moment it is announced, unheard
 * as minus infinity; it leaves when it is finished, or caught up and silent for the idle timeout, and comes back with its next row.
 */
final class SplitTimes {
    private final long idleNanos;
    private long[] maxima = new long[4];
    private long[] heardNanos = new long[4];
    private boolean[] active = new boolean[4];
    private boolean[] finished = new boolean[4];
    private boolean[] caughtUp = new boolean[4];
    private int count;

    /** @param idleTimeoutMs 0 for never */
    SplitTimes(long idleTimeoutMs) {
        idleNanos =
                idleTimeoutMs <= 0
                        ? Long.MAX_VALUE
                        : Math.multiplyExact(Math.min(idleTimeoutMs, 1L << 40), 1_000_000L);
    }

    void added(int split, long nowNanos) {
        if (split >= maxima.length) {
            int length = Math.max(split + 1, 2 * maxima.length);
            maxima = Arrays.copyOf(maxima, length);
            heardNanos = Arrays.copyOf(heardNanos, length);
            active = Arrays.copyOf(active, length);
            finished = Arrays.copyOf(finished, length);
            caughtUp = Arrays.copyOf(caughtUp, length);
        }
        Arrays.fill(maxima, count, Math.max(count, split + 1), Long.MIN_VALUE);
        count = Math.max(count, split + 1);
        active[split] = true;
        heardNanos[split] = nowNanos;
    }

    /** The split had come to that time before a restart; it holds time there, and no longer at minus infinity. */
    void restore(int split, long time) {
        maxima[split] = Math.max(maxima[split], time);
    }

    /** The greatest time of a split, {@link Long#MIN_VALUE} before its first row. */
    long time(int split) {
        return split < count ? maxima[split] : Long.MIN_VALUE;
    }

    void rows(int split, long maxTime, long nowNanos) {
        if (split >= count) {
            added(split, nowNanos);
        }
        maxima[split] = Math.max(maxima[split], maxTime);
        heardNanos[split] = nowNanos;
        active[split] = true;
        caughtUp[split] = false;
    }

    void caughtUp(int split) {
        caughtUp[split] = true;
    }

    void finished(int split) {
        finished[split] = true;
        active[split] = false;
    }

    /** Splits that have been silent for too long leave. */
    void expire(long nowNanos) {
        for (int split = 0; split < count; split++) {
            if (active[split] && caughtUp[split] && nowNanos - heardNanos[split] >= idleNanos) {
                active[split] = false;
            }
        }
    }

    /** Whether no split holds time back. */
    boolean allQuiet() {
        for (int split = 0; split < count; split++) {
            if (active[split]) {
                return false;
            }
        }
        return true;
    }

    /** The watermark; where no split holds time back, the greatest time seen. {@link Long#MIN_VALUE} when there is none yet. */
    long watermark() {
        long least = Long.MAX_VALUE;
        long greatest = Long.MIN_VALUE;
        boolean anyActive = false;
        for (int split = 0; split < count; split++) {
            greatest = Math.max(greatest, maxima[split]);
            if (active[split]) {
                anyActive = true;
                least = Math.min(least, maxima[split]);
            }
        }
        return anyActive ? least : greatest;
    }

    long tickMillis() {
        return idleNanos == Long.MAX_VALUE
                ? Long.MAX_VALUE
                : Math.clamp(idleNanos / 4_000_000L, 1, 100);
    }
}
