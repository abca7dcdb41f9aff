package dev.tidemill.operators;

import dev.tidemill.data.Batch;

/**
 * A step with state or more than one input. It owns no thread, no clock and no I/O; it is pure in the sense that the same calls give the
 * same output. One instance belongs to one task and sees the rows of the vnodes that the task owns; not thread-safe.
 *
 * <p>The contract with the caller: after every call of {@link #process}, {@link #advance}, {@link #tick}, {@link #flush} or {@link #finish} the caller calls
 * {@link #drain} until it returns true, waiting for room whenever the outbox refuses, before it makes the next call. So an operator
 * queues in O(1) what is due (a window, a group) and emits it in pieces; it never buffers unbounded output.
 */
public interface Operator {
    /** Takes one batch of input {@code input} (from 0), all of it. */
    void process(int input, Batch batch, SideOutput side);

    /**
     * Time has come to {@code watermark} (ms): no more rows with event time below it. Strictly greater than in the call before.
     */
    void advance(long watermark);

    /** Processing time is {@code nowMillis}; called about every {@link #tickMillis()}. */
    void tick(long nowMillis);

    /** How often {@link #tick} is wanted, in ms; 0 for never. */
    long tickMillis();

    /** One input has ended; called once for each. */
    default void endOfInput(int input) {}

    /** All inputs have ended: everything that is open becomes due. Called once, last. Not called at a stop. */
    void finish();

    /**
     * What the operator holds back only to make its output smaller becomes due (a partial aggregate before a shuffle). Called before the task
     * stops holding time back because its input is idle; nothing for most operators.
     */
    default void flush() {}

    /**
     * Emits what is due until the outbox refuses a batch or nothing is left; true when nothing is due any more.
     *
     * @param side takes results that cannot be represented, such as a sum beyond int64: at most one batch of them a call
     */
    boolean drain(Outbox out, SideOutput side);

    /**
     * Gives the state that a restart needs. Called when the operator is drained.
     *
     * @param full all of it; else only what changed since the call before, which had the same output's predecessor
     */
    default void snapshot(boolean full, StateOutput out) {}

    /** Takes state that instances of the same step gave. Called at most once, before anything else. */
    default void restore(StateInput in) {}

    /**
     * The watermark that holds downstream once this operator has been advanced to {@code watermark} and drained: a bound on the
     * event times of all it can still emit. Saturates.
     */
    long outputWatermark(long watermark);
}
