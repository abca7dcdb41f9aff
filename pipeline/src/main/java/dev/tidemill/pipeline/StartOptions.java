package dev.tidemill.pipeline;

import java.util.Set;

/**
 * How one start of a pipeline deals with its stored state. Immutable; not remembered for the next start.
 *
 * @param stateStore where epochs are kept when the settings of the pipeline do not say; empty for nowhere
 * @param resetState whether all stored state is forgotten
 * @param dropState  ids of steps whose stored state may be forgotten when it does not fit the pipeline any more
 */
public record StartOptions(String stateStore, boolean resetState, Set<String> dropState) {
    /** Goes on from the stored state, or refuses to; keeps none unless the settings say so. */
    public static final StartOptions DEFAULT = new StartOptions("", false, Set.of());

    public StartOptions {
        dropState = Set.copyOf(dropState);
    }
}
