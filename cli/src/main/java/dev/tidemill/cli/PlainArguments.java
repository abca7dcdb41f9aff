package dev.tidemill.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the usual {@code run} lines without picocli, whose classes are in a format too old for the JVM's AOT cache: loading them takes longer than a small run.
 * Whatever is not plain is left to picocli, which also words the errors.
 */
final class PlainArguments {
    private PlainArguments() {}

    /** The options of a plain run, or empty when picocli is to read the line. */
    static Optional<RunOptions> ofRun(String... arguments) {
        if (arguments.length < 2 || !arguments[0].equals("run")) {
            return Optional.empty();
        }
        Path file = null;
        List<String> overrides = new ArrayList<>();
        Path report = null;
        String serve = null;
        for (int i = 1; i < arguments.length; i++) {
            String word = arguments[i];
            if (isPlainValue(word)) {
                if (file != null) {
                    return Optional.empty();
                }
                file = Path.of(word);
                continue;
            }
            i++;
            if (i == arguments.length || !isPlainValue(arguments[i])) {
                return Optional.empty();
            }
            String value = arguments[i];
            switch (word) {
                case "--set" -> overrides.add(value);
                case "--report" -> {
                    if (report != null) {
                        return Optional.empty();
                    }
                    report = Path.of(value);
                }
                case "--serve" -> {
                    if (serve != null) {
                        return Optional.empty();
                    }
                    serve = value;
                }
                default -> {
                    return Optional.empty();
                }
            }
        }
        return file == null
                ? Optional.empty()
                : Optional.of(
                        new RunOptions(file, overrides, report, serve, null, false, Set.of()));
    }

    /** Quotes, argument files and options mean something to picocli. */
    private static boolean isPlainValue(String word) {
        return !word.isEmpty()
                && word.charAt(0) != '-'
                && word.charAt(0) != '@'
                && word.charAt(0) != '"'
                && word.charAt(0) != '\'';
    }
}
