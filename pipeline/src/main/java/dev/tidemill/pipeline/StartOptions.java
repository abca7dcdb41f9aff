package dev.tidemill.pipeline;

import java.util.Set;

/**
 * How one start of a pipeline deals with its stored state; none of it is remembered for the next start.
 *
 * @param resetState whether all stored state is forgotten
 * @param dropState  ids of steps whose stored state may be forgotten when it does not fit the pipeline any more
 */
public record StartOptions(boolean resetState, Set<String> dropState) {
    /** Goes on from the stored state, or refuses to. */
    public static final StartOptions DEFAULT = new StartOptions(false, Set.of());

    public StartOptions {
        dropState = Set.copyOf(dropState);
    }
}
