package dev.tidemill.spi;

import dev.tidemill.data.Batch;
import java.io.IOException;

/** One task's share of a sink. Used by one thread. */
public interface SinkWriter extends AutoCloseable {
    /** Takes the rows that live in the batch. Engine columns are not for the outside, unless the sink's format says so. */
    void write(Batch batch) throws Exception;

    /** Everything written so far is handed to the outside, confirmed where the outside confirms. */
    void flush() throws Exception;

    /**
     * An epoch ends: everything written so far is made durable. A sink that publishes at commit keeps it hidden until {@link Sink#commit}; any other hands it to the
     * outside, as {@link #flush} does.
     *
     * @param last whether no more rows will come, at the end of input or at an ordered stop
     * @return what {@link Sink#commit} needs to publish it, the same in another process; null when there is nothing to publish
     */
    default String prepare(boolean last) throws Exception {
        flush();
        return null;
    }

    /** Releases everything. What was neither flushed nor prepared is given up, and nothing half-written is left to be read as whole; what was prepared stays. */
    @Override
    void close() throws IOException;
}
