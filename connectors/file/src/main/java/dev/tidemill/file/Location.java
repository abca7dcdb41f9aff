package dev.tidemill.file;

import dev.tidemill.spi.ConfigException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.List;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;

/**
 * What the option {@code path} of a source names.
 *
 * @param text as the user wrote it
 * @param base the file, the directory, or for a pattern the directory that it starts from; null for standard input
 * @param glob the pattern for paths below the base, or null
 */
record Location(String text, Path base, PathMatcher glob) {
    private static final String WILD = "*?[{";

    /** @param directory where relative paths start */
    static Location of(String text, Path directory) throws ConfigException {
        if (text.equals("-")) {
            return new Location(text, null, null);
        }
        Path literal = resolve(text, directory);
        int wild = firstWild(text);
        if (wild < 0 || Files.exists(literal)) {
            return new Location(text, literal, null);
        }
        int slash = text.lastIndexOf('/', wild);
        String before = slash < 0 ? "." : text.substring(0, slash + 1);
        return new Location(text, resolve(before, directory), matcher(text.substring(slash + 1)));
    }

    /** Matches paths below the base. Two stars and a slash also stand for no directory at all. */
    private static PathMatcher matcher(String pattern) throws ConfigException {
        FileSystem files = FileSystems.getDefault();
        try {
            PathMatcher deep = files.getPathMatcher("glob:" + pattern);
            PathMatcher flat = files.getPathMatcher("glob:" + pattern.replace("**/", ""));
            return path -> deep.matches(path) || flat.matches(path);
        } catch (PatternSyntaxException e) {
            throw new ConfigException(
                    "path", "the pattern " + pattern + " is wrong: " + e.getDescription(), e);
        }
    }

    /** An absolute path of a local file; {@code file://} may stand in front. */
    static Path resolve(String text, Path directory) throws ConfigException {
        String name = text;
        if (name.startsWith("file://")) {
            name = name.substring("file://".length());
            if (!name.startsWith("/")) {
                throw new ConfigException(
                        "path",
                        text
                                + " names a host; file:// is followed by an absolute path, as in file:///data/in.jsonl");
            }
        }
        int scheme = name.indexOf("://");
        if (scheme > 0) {
            throw new ConfigException(
                    "path",
                    text
                            + ": "
                            + name.substring(0, scheme + 3)
                            + " is not in this version yet; there are local files");
        }
        if (name.isEmpty()) {
            throw new ConfigException("path", "is empty");
        }
        try {
            return directory.resolve(name).toAbsolutePath().normalize();
        } catch (InvalidPathException e) {
            throw new ConfigException("path", text + " cannot be a path: " + e.getReason(), e);
        }
    }

    private static int firstWild(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (WILD.indexOf(text.charAt(i)) >= 0) {
                return i;
            }
        }
        return -1;
    }

    boolean isStdin() {
        return base == null;
    }

    /** Whether it names one file, there or not. */
    boolean isOneFile() {
        return !isStdin() && glob == null && !Files.isDirectory(base);
    }

    /**
     * The files there are now, sorted by name. Names below the base that begin with {@code _} or {@code .} are hidden; how the base itself
     * is called does
     * not matter.
     */
    List<Path> list() throws IOException {
        if (isOneFile()) {
            if (!Files.exists(base)) {
                throw new NoSuchFileException(base.toString(), null, "there is no such file");
            }
            return List.of(base);
        }
        if (!Files.exists(base)) {
            throw new NoSuchFileException(base.toString(), null, "there is no such directory");
        }
        try (Stream<Path> all = Files.walk(base, FileVisitOption.FOLLOW_LINKS)) {
            return all.filter(path -> !isHidden(path))
                    .filter(path -> glob == null || glob.matches(base.relativize(path)))
                    .filter(Files::isRegularFile)
                    .sorted()
                    .toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private boolean isHidden(Path path) {
        if (path.equals(base)) {
            return false;
        }
        for (Path part : base.relativize(path)) {
            String name = part.toString();
            if (name.startsWith("_") || name.startsWith(".")) {
                return true;
            }
        }
        return false;
    }

    /** The file's name below the base; for a single file its own name. */
    String nameOf(Path file) {
        return file.equals(base) ? file.getFileName().toString() : base.relativize(file).toString();
    }
}
