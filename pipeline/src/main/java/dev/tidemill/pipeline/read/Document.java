package dev.tidemill.pipeline.read;

import dev.tidemill.pipeline.spec.InvalidPipelineException;
import dev.tidemill.pipeline.spec.Position;
import java.util.List;
import java.util.Locale;

/** Reads the text of a pipeline file. Stateless and thread-safe. */
public final class Document {
    private Document() {}

    /**
     * The tree of a text in the syntax that the file's suffix says: {@code .toml}, {@code .yaml} or {@code .yml}, {@code .json}.
     *
     * @throws InvalidPipelineException when the suffix is another, or with the first place where the text does not follow its syntax
     */
    public static Node.Table parse(String text, String file) throws InvalidPipelineException {
        String name = file.toLowerCase(Locale.ROOT);
        try {
            if (name.endsWith(".toml")) {
                return table(notEmpty(text, file), new TomlReader(text, file).read());
            }
            if (name.endsWith(".json")) {
                return table(notEmpty(text, file), new JsonReader(text, file).read());
            }
            if (name.endsWith(".yaml") || name.endsWith(".yml")) {
                return table(notEmpty(text, file), new YamlReader(text, file).read());
            }
            throw new SyntaxException(
                    Position.of(file), "a pipeline file ends in .toml, .yaml, .yml or .json");
        } catch (SyntaxException e) {
            throw new InvalidPipelineException(List.of(e.problem()));
        }
    }

    private static String notEmpty(String text, String file) throws SyntaxException {
        if (text.isBlank()) {
            throw new SyntaxException(Position.of(file), "the file is empty");
        }
        return file;
    }

    private static Node.Table table(String file, Node node) throws SyntaxException {
        if (node instanceof Node.Table table) {
            return table;
        }
        Position at = node.at().line() == 0 ? Position.of(file) : node.at();
        throw new SyntaxException(
                at, "a pipeline file is a table of keys and values, found " + node.shown());
    }
}
