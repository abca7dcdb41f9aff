package dev.tidemill.operators;

import java.time.ZoneId;

/**
 * How event time is cut into windows {@code [start, end)}: starts are the multiples of {@code slideMs}, shifted by {@code offsetMs}, below and at zero too.
 *
 * @param sizeMs   length, above 0
 * @param slideMs  distance of starts, above 0 and at most {@code sizeMs}; equal to it for tumbling windows; need not divide it
 * @param offsetMs shift of all starts, any sign
 * @param zone     null for the plain arithmetic above; else windows follow the wall clock of this zone: a window of whole days covers
 *                 local days, be they 23, 24 or 25 hours long
 */
public record WindowSpec(long sizeMs, long slideMs, long offsetMs, ZoneId zone) {
    public WindowSpec {
        if (sizeMs <= 0 || slideMs <= 0 || slideMs > sizeMs) {
            throw new IllegalArgumentException("size " + sizeMs + " and slide " + slideMs);
        }
    }

    public static WindowSpec tumbling(long sizeMs) {
        return new WindowSpec(sizeMs, sizeMs, 0, null);
    }

    public static WindowSpec sliding(long sizeMs, long slideMs) {
        return new WindowSpec(sizeMs, slideMs, 0, null);
    }

    public boolean isTumbling() {
        return sizeMs == slideMs;
    }
}
