package dev.tidemill.cli;

import dev.tidemill.pipeline.Pipeline;
import dev.tidemill.pipeline.spec.InvalidPipelineException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The file that a command is about, and what the command line changes in it. */
final class PipelineFile {
    @Parameters(index = "0", paramLabel = "FILE", description = "A pipeline in TOML, YAML or JSON.")
    private Path file;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "A setting, stronger than the file and the environment; may be repeated.")
    private List<String> overrides = new ArrayList<>();

    Path path() {
        return file;
    }

    List<String> overrides() {
        return overrides;
    }

    Pipeline load() throws RefusedException, InvalidPipelineException {
        return PipelineFiles.load(file, overrides);
    }
}
