package dev.tidemill.operators;

import dev.tidemill.data.Batch;

/**
 * Takes the rows that leave the main road of a step. Always accepts: a step emits at most the rows of the batch it was given, and the caller
 * makes room before the next one. Rows given here are counted by the caller under the step's name.
 */
public interface SideOutput {
    /**
     * Rows on which an expression or an aggregate failed: compact or with a selection. Input rows are in the step's input schema; a result that cannot
     * be represented (a sum beyond int64) is in the step's output schema, with null in its place.
     *
     * @param reasons one message for each living row, in order
     */
    void errors(Batch rows, String[] reasons);

    /**
     * Rows that came after their windows had closed, in the step's input schema.
     *
     * @param lateByMs for each living row, in order: how far behind the last close it was, in ms, at least 0
     */
    void late(Batch rows, long[] lateByMs);

    /** {@code count} late rows that are known by number only, since they came as partial aggregates. */
    void late(long count);

    /** {@code count} rows that a filter turned away. */
    void filtered(long count);

    /** {@code count} rows without a usable event time. */
    void dropped(long count);
}
