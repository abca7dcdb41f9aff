package dev.tidemill.spi;

import java.io.IOException;
import java.util.Map;

/** One task's share of a source. Used by one thread. */
public interface SourceReader extends AutoCloseable {
    enum Status {
        /** Something was emitted, or work was done: poll again at once. */
        PROGRESS,
        /** Nothing to read now. */
        IDLE,
        /** Nothing will ever come again. */
        FINISHED
    }

    /**
     * Does a bounded piece of work, at most about one batch. The first call announces every split known so far before any row and any other news. Does not block,
     * unless the source says that it may: then it returns within about 100 ms, and at once after {@link #wakeup}.
     */
    Status poll(SourceOutput out) throws Exception;

    /** Makes a blocked {@link #poll} return; callable from any thread. */
    default void wakeup() {}

    /**
     * Where to go on after what has been emitted: for each split by its identity, also for one without a row and one that is finished. None for a
     * source that cannot go back. Called by the thread that polls, between two polls.
     */
    default Map<String, String> positions() {
        return Map.of();
    }

    /**
     * Every row before these positions stands at its outputs, so positions that are kept outside may be recorded. Called by the thread that polls, between two
     * polls, and at the end of input and at an ordered stop before {@link #close}.
     *
     * @param positions as {@link #positions} gave them at the barrier of an epoch that stands, of all tasks of the dataset
     */
    default void committed(Map<String, String> positions) throws Exception {}

    @Override
    void close() throws IOException;
}
