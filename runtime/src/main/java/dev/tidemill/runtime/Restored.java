package dev.tidemill.runtime;

import dev.tidemill.operators.StateImage;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The epoch that a run goes on from. Thread-safe. */
public interface Restored {
    /** A run that begins anew. */
    Restored NOTHING =
            new Restored() {
                @Override
                public Optional<Map<String, String>> positions(String dataset) {
                    return Optional.empty();
                }

                @Override
                public Map<String, Long> times(String stepId) {
                    return Map.of();
                }

                @Override
                public Map<String, List<String>> handles() {
                    return Map.of();
                }

                @Override
                public List<FormerTask> state(String stepId) {
                    return List.of();
                }
            };

    /** The position of each split of a source, by identity; empty when the source was not there, or has not been read. */
    Optional<Map<String, String>> positions(String dataset);

    /** The event time of each split, by identity, for the step that reads time. */
    Map<String, Long> times(String stepId);

    /** What sinks prepared, by dataset: to commit again, since a crash may have come between the epoch and its commit. */
    Map<String, List<String>> handles();

    /** What each task of a step gave; none when the step was not there. */
    List<FormerTask> state(String stepId) throws Exception;

    /**
     * @param task   its number
     * @param tasks  how many there were of the step
     * @param images the newest first, down to the last that has all
     */
    record FormerTask(int task, int tasks, List<StateImage> images) {
        public FormerTask {
            images = List.copyOf(images);
        }
    }
}
