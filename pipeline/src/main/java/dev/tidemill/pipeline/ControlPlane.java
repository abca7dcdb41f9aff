package dev.tidemill.pipeline;

/**
 * What the host of a pipeline does for it: the command line, a server, or a program that embeds it. All calls come from one thread of the pipeline's own and
 * may block; a failing call never stops the pipeline.
 */
public interface ControlPlane {
    enum Heartbeat {
        CONTINUE,
        /** Go on, but put no record: nobody can take it now. */
        CONTINUE_UNREACHABLE,
        /** Stop in order. */
        STOP
    }

    /** Asked every {@code heartbeatSeconds}. */
    default Heartbeat heartbeat(String buildId) {
        return Heartbeat.CONTINUE;
    }

    /** Takes the present record of a run: at its start, at each heartbeat, and at its end. */
    void putRecord(String buildId, BuildRecord record);

    /** Whether a dataset that another stage reads is also to be written to its sink. */
    default boolean publishes(String dataset) {
        return false;
    }

    /** A host that wants to know nothing. */
    ControlPlane NONE = (buildId, record) -> {};
}
