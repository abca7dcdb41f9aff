package dev.tidemill.spi;

import java.io.IOException;

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
     * Does a bounded piece of work, at most about one batch. The first call announces every split known so far before any row. Does not block,
     * unless the source says that it may: then it returns within about 100 ms, and at once after {@link #wakeup}.
     */
    Status poll(SourceOutput out) throws Exception;

    /** Makes a blocked {@link #poll} return; callable from any thread. */
    default void wakeup() {}

    /**
     * Every row emitted so far has reached its outputs and stands there, so positions that are kept outside may be recorded. Called at the end of
     * input and at an ordered stop, by the thread that polls, before {@link #close}; not after a failure.
     */
    default void delivered() throws Exception {}

    @Override
    void close() throws IOException;
}
