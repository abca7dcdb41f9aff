package dev.tidemill.file;

import java.nio.file.Path;

/**
 * A part of the input that one task reads in order.
 *
 * @param file     null for standard input
 * @param name     the file's name below the path that the user gave
 * @param from     the first byte; the line it is in belongs to the range before, unless it begins there
 * @param to       the byte behind the last in which a line may begin; -1 for the end of the file
 */
record FileSplit(Path file, String name, long from, long to) {
    static final FileSplit STDIN = new FileSplit(null, "-", 0, -1);

    static FileSplit whole(Path file, String name) {
        return new FileSplit(file, name, 0, -1);
    }

    /** The file, the same in this run and the next. */
    String path() {
        return file == null ? "-" : file.toString();
    }

    /** The same for the same bytes, in this run and the next. */
    String identity() {
        String path = path();
        return from == 0 && to < 0
                ? path
                : path + "#" + from + "-" + (to < 0 ? "end" : Long.toString(to));
    }
}
