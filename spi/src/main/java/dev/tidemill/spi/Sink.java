package dev.tidemill.spi;

import java.util.List;

/** An external output. Thread-safe. */
public interface Sink {
    /** How often a row of a run that was broken off and went on from an epoch is seen by those who read the output. */
    enum Delivery {
        /** Once. */
        EXACTLY_ONCE,
        /** Once or more: what came after the epoch comes again. */
        AT_LEAST_ONCE
    }

    /** What the output promises of a run with epochs that outlive the process. */
    default Delivery delivery() {
        return Delivery.AT_LEAST_ONCE;
    }

    /** Whether rows are wanted with their row key in the engine column {@code __fv_key}. */
    default boolean wantsRowKeys() {
        return false;
    }

    /** Whether {@link SinkWriter} calls may block: then the writer gets a thread of its own behind a bounded queue. */
    boolean mayBlock();

    /** The greatest number of tasks that may write at once. */
    default int maxTasks() {
        return Integer.MAX_VALUE;
    }

    /**
     * Publishes what writers prepared in an epoch that stands. Doing it again changes nothing. Called by one thread, in the order of epochs; at a
     * restart again for the epoch that the run goes on from.
     *
     * @param handles of {@link SinkWriter#prepare}
     */
    default void commit(List<String> handles) throws Exception {}

    /** Opens the writer of task {@code task} of {@code tasks}. */
    SinkWriter open(int task, int tasks, SinkContext context) throws Exception;
}
