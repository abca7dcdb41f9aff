package dev.tidemill.spi;

import dev.tidemill.data.Batch;
import java.io.IOException;

/** One task's share of a sink. Used by one thread. */
public interface SinkWriter extends AutoCloseable {
    /** Takes the rows that live in the batch. Engine columns are not for the outside, unless the sink's format says so. */
    void write(Batch batch) throws Exception;

    /** Everything written so far is handed to the outside, confirmed where the outside confirms. */
    void flush() throws Exception;

    /** No more rows will come, and those written stand: publish what is unfinished. Called at the end of input and at an ordered stop. */
    void finish() throws Exception;

    /** Releases everything. Without a {@link #finish} before it, what was not flushed is given up, and nothing half-written is left to be read as whole. */
    @Override
    void close() throws IOException;
}
