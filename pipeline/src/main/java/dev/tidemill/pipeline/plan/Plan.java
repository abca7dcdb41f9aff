package dev.tidemill.pipeline.plan;

import dev.tidemill.runtime.Dataflow;
import dev.tidemill.runtime.RuntimeOptions;
import java.util.List;

/**
 * A pipeline ready to run.
 *
 * @param outputs names of the datasets that are written
 * @param text    how it runs, for people
 */
public record Plan(Dataflow dataflow, RuntimeOptions options, List<String> outputs, String text) {
    public Plan {
        outputs = List.copyOf(outputs);
    }
}
