package dev.tidemill.pipeline.check;

import dev.tidemill.pipeline.read.Document;
import dev.tidemill.pipeline.read.Interpolation;
import dev.tidemill.pipeline.read.Node;
import dev.tidemill.pipeline.read.Problems;
import dev.tidemill.pipeline.spec.Inputs;
import dev.tidemill.pipeline.spec.InvalidPipelineException;
import dev.tidemill.pipeline.spec.PipelineSpec;
import java.io.IOException;
import java.nio.file.Path;

/** Reads and checks pipeline files, all that can be checked without opening their inputs and outputs. Stateless and thread-safe. */
public final class SpecLoader {
    private SpecLoader() {}

    /**
     * The pipeline of a TOML, YAML or JSON file, by its suffix.
     *
     * @throws IOException              when reading fails
     * @throws InvalidPipelineException with everything that is wrong, a missing file too
     */
    public static PipelineSpec load(Path file, Inputs inputs)
            throws IOException, InvalidPipelineException {
        String text = PipelineText.read(file);
        return parse(text, file.toString(), file.toAbsolutePath().getParent(), inputs);
    }

    /**
     * The pipeline of a text.
     *
     * @param fileName  how errors name it; its suffix decides the syntax
     * @param directory the folder that relative paths start from
     * @throws InvalidPipelineException with everything that is wrong
     */
    public static PipelineSpec parse(String text, String fileName, Path directory, Inputs inputs)
            throws InvalidPipelineException {
        return parse(text, fileName, directory, inputs, Catalogue.installed());
    }

    static PipelineSpec parse(
            String text, String fileName, Path directory, Inputs inputs, Catalogue catalogue)
            throws InvalidPipelineException {
        Problems problems = new Problems();
        Node.Table file = Document.parse(text, fileName);
        Node.Table resolved =
                new Interpolation(directory, inputs.environment(), problems).resolve(file);
        Overrides overrides = Overrides.of(inputs.overrides(), problems);
        SpecCheck check = new SpecCheck(fileName, directory, catalogue, problems);
        return check.check(overrides.apply(resolved), inputs.environment(), overrides.settings());
    }
}
