package dev.tidemill.pipeline.spec;

/** One thing that is wrong with a pipeline, or worth a warning, and where. Prints as {@code file:line:col: message}. */
public record Problem(Position at, String message) {
    @Override
    public String toString() {
        return at + ": " + message;
    }
}
