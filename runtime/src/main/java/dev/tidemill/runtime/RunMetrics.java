package dev.tidemill.runtime;

import java.util.Map;

/**
 * What a run has done so far.
 *
 * @param sources by dataset: {@code in} counts decoded rows
 * @param steps   by step id
 * @param sinks   by dataset: {@code out} counts written rows
 * @param busyNanos time that tasks worked, by role: {@code sources}, {@code operators}, {@code sinks}
 */
public record RunMetrics(
        Map<String, Step> sources,
        Map<String, Step> steps,
        Map<String, Step> sinks,
        Map<String, Long> busyNanos) {
    /**
     * Counts of one step over all its tasks.
     *
     * @param in        rows taken
     * @param out       rows passed on
     * @param filtered  rows turned away by a filter
     * @param dropped   bad records and rows without a usable time
     * @param late      rows whose windows had closed
     * @param errors    rows on which an expression or aggregate failed
     * @param misfits   rows with a value that did not fit its column and became null
     * @param watermark the least watermark of its tasks in ms; {@link Long#MIN_VALUE} before the first, or without time
     * @param maxTime   the greatest event time seen; {@link Long#MIN_VALUE} before the first
     * @param firstOutAt when the first row was passed on, in epoch ms of the wall clock; {@link Long#MAX_VALUE} before
     */
    public record Step(
            long in,
            long out,
            long filtered,
            long dropped,
            long late,
            long errors,
            long misfits,
            long watermark,
            long maxTime,
            long firstOutAt) {
        Step plus(Step other) {
            return new Step(
                    in + other.in,
                    out + other.out,
                    filtered + other.filtered,
                    dropped + other.dropped,
                    late + other.late,
                    errors + other.errors,
                    misfits + other.misfits,
                    Math.min(watermark, other.watermark),
                    Math.max(maxTime, other.maxTime),
                    Math.min(firstOutAt, other.firstOutAt));
        }
    }

    /** Rows decoded at the sources. */
    public long consumed() {
        return sources.values().stream().mapToLong(Step::in).sum();
    }

    /** Rows written to sinks. */
    public long emitted() {
        return sinks.values().stream().mapToLong(Step::out).sum();
    }

    /** When the first row was written to a sink, in epoch ms; {@link Long#MAX_VALUE} before. */
    public long firstRowAt() {
        return sinks.values().stream().mapToLong(Step::firstOutAt).min().orElse(Long.MAX_VALUE);
    }

    public long filtered() {
        return steps.values().stream().mapToLong(Step::filtered).sum();
    }

    /** Bad records and rows without a usable time. */
    public long dropped() {
        return sources.values().stream().mapToLong(Step::dropped).sum()
                + steps.values().stream().mapToLong(Step::dropped).sum();
    }

    public long late() {
        return steps.values().stream().mapToLong(Step::late).sum();
    }

    /** Rows with a value that did not fit its column and became null. */
    public long misfits() {
        return sources.values().stream().mapToLong(Step::misfits).sum();
    }

    public long errors() {
        return steps.values().stream().mapToLong(Step::errors).sum();
    }
}
