package dev.tidemill.pipeline;

import java.time.Duration;
import java.util.Optional;

/** A pipeline that was started. Thread-safe. */
public interface RunningPipeline {
    /** The id of this run. */
    String id();

    /** The record as of now. Cheap enough to be called every second. */
    BuildRecord record();

    /** Asks for an ordered stop and returns at once; nothing fires, sinks publish what they were given. A second call changes nothing. */
    void stop();

    /** Gives up at once: what sinks have not published is given up. The run ends as {@link RunStatus#FAILED}. */
    void abort();

    /** Waits for the end, whatever it is, and returns the final record. */
    BuildRecord await() throws InterruptedException;

    /** Waits at most so long; empty when it still runs then. */
    Optional<BuildRecord> await(Duration limit) throws InterruptedException;
}
