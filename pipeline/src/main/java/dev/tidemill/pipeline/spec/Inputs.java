package dev.tidemill.pipeline.spec;

import java.util.List;
import java.util.Map;

/**
 * What comes from outside the file.
 *
 * @param overrides   {@code KEY=VALUE} of the command line, the strongest
 * @param environment the variables of the process; for settings and for <code>${NAME}</code> in values
 */
public record Inputs(List<String> overrides, Map<String, String> environment) {
    public Inputs {
        overrides = List.copyOf(overrides);
        environment = Map.copyOf(environment);
    }

    /** No overrides, the environment of this process. */
    public static Inputs ofProcess() {
        return new Inputs(List.of(), System.getenv());
    }
}
