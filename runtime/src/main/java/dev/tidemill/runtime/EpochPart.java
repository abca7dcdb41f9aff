package dev.tidemill.runtime;

import dev.tidemill.operators.StateImage;
import java.util.Map;

/** What one task hands over at a barrier. */
public sealed interface EpochPart {
    /**
     * How far a reader has come: of each split, by identity, its position as the connector writes it.
     *
     * @param dataset whose reader
     */
    record Positions(String dataset, Map<String, String> positions) implements EpochPart {
        public Positions {
            positions = Map.copyOf(positions);
        }
    }

    /**
     * The greatest event time of each split, by identity.
     *
     * @param stepId of the step whose time it is
     */
    record Times(String stepId, Map<String, Long> times) implements EpochPart {
        public Times {
            times = Map.copyOf(times);
        }
    }

    /**
     * The state of an operator.
     *
     * @param task  the number of the task
     * @param tasks how many there are of the step
     * @param full  whether the image has all of the state, and not only what changed since the one before
     */
    record State(String stepId, int task, int tasks, boolean full, StateImage image)
            implements EpochPart {}

    /**
     * What a writer has made durable and not yet visible.
     *
     * @param handle what the sink needs to make it visible
     */
    record Prepared(String dataset, int task, String handle) implements EpochPart {}
}
