package dev.tidemill.pipeline.spec;

/**
 * A place in a file, as people count: lines and columns from 1.
 *
 * @param source the file as the user named it, or {@code environment} or {@code command line}
 * @param line   0 when the source has no lines
 */
public record Position(String source, int line, int column) {
    public static Position of(String source) {
        return new Position(source, 0, 0);
    }

    @Override
    public String toString() {
        return line == 0 ? source : source + ":" + line + ":" + column;
    }
}
