package dev.tidemill.cli;

import dev.tidemill.pipeline.spec.PipelineSpec;
import java.nio.file.Path;
import java.util.Set;

/** Where the command keeps epochs when nobody says. Stateless. */
final class DefaultStore {
    /** Outputs that are nowhere after the run: going on would leave out what nobody has. */
    private static final Set<String> PASSING = Set.of("stdout", "blackhole");

    private DefaultStore() {}

    static String of(PipelineSpec spec) {
        boolean allPass =
                spec.datasets().values().stream()
                        .filter(dataset -> dataset.sink() != null)
                        .allMatch(dataset -> PASSING.contains(dataset.sink().connector()));
        return allPass ? "memory" : dataDirectory().resolve("tidemill").resolve("state").toString();
    }

    /** By the XDG Base Directory Specification, which says to ignore a path that is not absolute. */
    private static Path dataDirectory() {
        String named = System.getenv("XDG_DATA_HOME");
        if (named != null && Path.of(named).isAbsolute()) {
            return Path.of(named);
        }
        return Path.of(System.getProperty("user.home"), ".local", "share");
    }
}
