package dev.tidemill.spi;

import java.util.List;

/**
 * What a writer may use.
 *
 * @param durable  whether the run keeps epochs that outlive the process, so that another process may go on from what {@link SinkWriter#prepare} gave
 * @param restored what all writers of this output prepared in the epoch to go on from, committed again before any writer is opened; none for a run that begins
 *                 anew
 */
public record SinkContext(
        String pipeline, Clock clock, Notices notices, boolean durable, List<String> restored) {
    public SinkContext {
        restored = List.copyOf(restored);
    }

    /** For a writer of a run that begins anew and keeps no epochs. */
    public SinkContext(String pipeline, Clock clock, Notices notices) {
        this(pipeline, clock, notices, false, List.of());
    }
}
