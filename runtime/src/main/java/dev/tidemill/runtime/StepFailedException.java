package dev.tidemill.runtime;

import dev.tidemill.data.Batch;

/** A row failed in a step that is told to fail then. */
public final class StepFailedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    StepFailedException(String stepId, String reason, Batch errorRows) {
        super("step " + stepId + ": " + reason + " in row " + errorRows.row(0).get("row"));
    }
}
