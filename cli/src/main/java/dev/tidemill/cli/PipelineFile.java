package dev.tidemill.cli;

import dev.tidemill.pipeline.Pipeline;
import dev.tidemill.pipeline.spec.Inputs;
import dev.tidemill.pipeline.spec.InvalidPipelineException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
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

    /** Reads and checks it. */
    Pipeline load() throws RefusedException, InvalidPipelineException {
        if (Files.notExists(file)) {
            throw RefusedException.wrongInput(file + ": no such file");
        }
        if (Files.isDirectory(file)) {
            throw RefusedException.wrongInput(file + ": is a directory, not a pipeline file");
        }
        try {
            return Pipeline.load(file, new Inputs(overrides, System.getenv()));
        } catch (AccessDeniedException e) {
            throw RefusedException.wrongInput(file + ": no permission to read it");
        } catch (IOException e) {
            throw RefusedException.wrongInput(file + ": cannot be read: " + e.getMessage());
        }
    }
}
