package dev.tidemill.pipeline.read;

import dev.tidemill.pipeline.spec.Position;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Puts values from outside into the texts of a file: <code>${NAME}</code> and <code>${NAME:-default}</code> from the environment,
 * <code>${file:path}</code> from a file beside the pipeline file; <code>$${</code> stands for <code>${</code>. What comes out is a secret.
 */
public final class Interpolation {
    /** Texts in which <code>${</code> belongs to the language. */
    private static final Set<String> LANGUAGES = Set.of("expression", "sql");

    private static final int MAX_FILE_BYTES = 1 << 20;

    private final Path directory;
    private final Map<String, String> environment;
    private final Problems problems;

    public Interpolation(Path directory, Map<String, String> environment, Problems problems) {
        this.directory = directory;
        this.environment = environment;
        this.problems = problems;
    }

    /** The tree with its references replaced; those that lead nowhere are problems, and stay. Keys are left alone. */
    public Node.Table resolve(Node.Table table) {
        Map<String, Node.Entry> entries = new LinkedHashMap<>();
        table.entries()
                .forEach(
                        (key, entry) -> {
                            boolean language =
                                    LANGUAGES.contains(key) && entry.value() instanceof Node.Text;
                            entries.put(
                                    key,
                                    language
                                            ? entry
                                            : new Node.Entry(
                                                    key, entry.at(), resolve(entry.value())));
                        });
        return new Node.Table(table.at(), entries);
    }

    private Node resolve(Node node) {
        if (node instanceof Node.Table table) {
            return resolve(table);
        }
        if (node instanceof Node.Items items) {
            return new Node.Items(items.at(), items.items().stream().map(this::resolve).toList());
        }
        return node instanceof Node.Text text && text.value().contains("${") ? resolve(text) : node;
    }

    private Node.Text resolve(Node.Text text) {
        String value = text.value();
        StringBuilder out = new StringBuilder();
        boolean secret = false;
        boolean failed = false;
        int pos = 0;
        while (pos < value.length()) {
            if (value.startsWith("$${", pos)) {
                out.append("${");
                pos += 3;
                continue;
            }
            if (!value.startsWith("${", pos)) {
                out.append(value.charAt(pos++));
                continue;
            }
            int end = value.indexOf('}', pos);
            int before = problems.errorCount();
            if (end < 0) {
                problems.error(
                        text.place(pos),
                        "${ without }: write $${ for the two characters themselves");
                end = value.length() - 1;
            } else {
                out.append(lookup(value.substring(pos + 2, end), text.place(pos)));
            }
            failed |= problems.errorCount() > before;
            secret = true;
            pos = end + 1;
        }
        if (failed) {
            problems.settle(text.at());
        }
        return new Node.Text(
                text.at(), out.toString(), secret ? Node.Origin.SECRET : text.origin());
    }

    private String lookup(String reference, Position at) {
        if (reference.startsWith("file:")) {
            return content(reference.substring(5), at);
        }
        int alternative = reference.indexOf(":-");
        String name = alternative < 0 ? reference : reference.substring(0, alternative);
        if (!isName(name)) {
            problems.error(
                    at,
                    "expected ${NAME}, ${NAME:-default} or ${file:path}, found "
                            + Node.Text.quote("${" + reference + "}")
                            + "; write $${ for the two characters themselves");
            return "";
        }
        String value = environment.get(name);
        if (alternative >= 0) {
            return value == null || value.isEmpty() ? reference.substring(alternative + 2) : value;
        }
        if (value == null) {
            problems.error(
                    at,
                    "the environment has no "
                            + name
                            + "; ${"
                            + name
                            + ":-default} would do without");
            return "";
        }
        return value;
    }

    private static boolean isName(String name) {
        if (name.isEmpty() || name.charAt(0) >= '0' && name.charAt(0) <= '9') {
            return false;
        }
        return name.chars()
                .allMatch(
                        c ->
                                c == '_'
                                        || c >= 'a' && c <= 'z'
                                        || c >= 'A' && c <= 'Z'
                                        || c >= '0' && c <= '9');
    }

    private String content(String path, Position at) {
        String shown = Node.Text.quote(path);
        try {
            Path file = directory.resolve(path);
            if (Files.isDirectory(file)) {
                problems.error(at, "${file:…}: " + shown + " is a directory");
                return "";
            }
            if (Files.isRegularFile(file) && Files.size(file) > MAX_FILE_BYTES) {
                problems.error(at, "${file:…}: " + shown + " is larger than 1 MiB");
                return "";
            }
            return withoutBreak(Files.readString(file, StandardCharsets.UTF_8));
        } catch (NoSuchFileException e) {
            problems.error(at, "${file:…}: there is no file " + shown);
        } catch (CharacterCodingException e) {
            problems.error(at, "${file:…}: " + shown + " is not UTF-8 text");
        } catch (InvalidPathException e) {
            problems.error(at, "${file:…}: " + shown + " is no path");
        } catch (IOException e) {
            problems.error(
                    at,
                    "${file:…}: "
                            + shown
                            + " cannot be read ("
                            + e.getClass().getSimpleName()
                            + ")");
        }
        return "";
    }

    private static String withoutBreak(String text) {
        if (text.endsWith("\r\n")) {
            return text.substring(0, text.length() - 2);
        }
        return text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
    }
}
