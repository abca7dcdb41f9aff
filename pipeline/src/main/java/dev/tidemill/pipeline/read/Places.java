package dev.tidemill.pipeline.read;

import dev.tidemill.pipeline.spec.Position;

/** Turns offsets of a text into lines and columns. Cheap when asked in rising order, also within very long lines. */
final class Places {
    private final String text;
    private final String source;
    private int offset;
    private int line = 1;
    private int column;

    Places(String text, String source) {
        this.text = text;
        this.source = source;
        this.column = firstColumn();
    }

    Position at(int wanted) {
        if (wanted < offset) {
            offset = 0;
            line = 1;
            column = firstColumn();
        }
        while (offset < wanted) {
            advance();
        }
        return new Position(source, line, column);
    }

    /** A byte order mark takes no place. */
    private int firstColumn() {
        return text.startsWith("\uFEFF") ? 0 : 1;
    }

    private void advance() {
        char c = text.charAt(offset++);
        if (c == '\n') {
            line++;
            column = 1;
            return;
        }
        boolean secondHalf =
                Character.isLowSurrogate(c)
                        && offset > 1
                        && Character.isHighSurrogate(text.charAt(offset - 2));
        if (!secondHalf) {
            column++;
        }
    }

    /** Where a value's characters stand, or null when the text has them in other words. */
    Position content(String value, int start) {
        return text.startsWith(value, start) ? at(start) : null;
    }
}
