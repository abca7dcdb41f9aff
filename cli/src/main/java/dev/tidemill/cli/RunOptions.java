package dev.tidemill.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * What {@code run} was asked for.
 *
 * @param overrides settings as {@code KEY=VALUE}
 * @param report    where the record of the run is kept, or null
 * @param serve     where the run answers questions, or null for what the settings say
 * @param tokenFile holds the token for that, or null
 * @param resetState whether stored state is forgotten
 * @param dropState  ids of steps whose stored state may be forgotten
 */
record RunOptions(
        Path file,
        List<String> overrides,
        Path report,
        String serve,
        Path tokenFile,
        boolean resetState,
        Set<String> dropState) {
    RunOptions {
        overrides = List.copyOf(overrides);
        dropState = Set.copyOf(dropState);
    }
}
