package dev.tidemill.pipeline;

/** Where a run is. */
public enum RunStatus {
    STARTING,
    RUNNING,
    /** A bounded input came to its end and all of it went through. */
    SUCCEEDED,
    /** Stopped in order before the end of its input. */
    STOPPED,
    FAILED;

    public boolean isFinal() {
        return this == SUCCEEDED || this == STOPPED || this == FAILED;
    }
}
