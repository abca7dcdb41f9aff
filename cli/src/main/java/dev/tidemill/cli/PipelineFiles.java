package dev.tidemill.cli;

import dev.tidemill.pipeline.Pipeline;
import dev.tidemill.pipeline.spec.Inputs;
import dev.tidemill.pipeline.spec.InvalidPipelineException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Loads the file that a command is about. Stateless. */
final class PipelineFiles {
    private PipelineFiles() {}

    /**
     * Reads and checks it.
     *
     * @param overrides settings as {@code KEY=VALUE}
     */
    static Pipeline load(Path file, List<String> overrides)
            throws RefusedException, InvalidPipelineException {
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
