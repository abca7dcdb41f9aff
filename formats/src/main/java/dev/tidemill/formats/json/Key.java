package dev.tidemill.formats.json;

import dev.tidemill.data.LittleEndian;
import java.util.Arrays;

/** A field name seen in the input, as the bytes {@code "name":} that usually stand there, and the column it goes to. */
final class Key {
    final String name;
    final byte[] pattern;
    private final int length;

    /** The first and the second eight bytes of the pattern, and which of their bits count. */
    private final long first;

    private final long firstMask;
    private final long second;
    private final long secondMask;

    /** The column's position, or -1 when the plan does not read it. */
    int column = -1;

    /** What the value is written to; null when it is skipped. */
    Writer writer;

    /** The key that followed this one last time. */
    Key successor;

    Key(String name, byte[] pattern) {
        this.name = name;
        this.pattern = pattern;
        length = pattern.length;
        first = word(pattern, 0);
        firstMask = mask(length);
        second = word(pattern, 8);
        secondMask = mask(length - 8);
    }

    private static long word(byte[] pattern, int from) {
        int to = Math.min(from + 8, pattern.length);
        if (to <= from) {
            return 0;
        }
        return to - from == 8
                ? LittleEndian.getLong(pattern, from)
                : LittleEndian.getTail(pattern, from, to);
    }

    private static long mask(int bytes) {
        return bytes >= 8 ? -1L : bytes <= 0 ? 0 : (1L << 8 * bytes) - 1;
    }

    void forget(Key other) {
        if (successor == other) {
            successor = null;
        }
    }

    /** Whether these bytes stand at {@code at}. */
    boolean matches(byte[] data, int at, int to) {
        int end = at + length;
        if (end > to) {
            return false;
        }
        if (at + 16 > data.length) {
            return Arrays.equals(data, at, end, pattern, 0, length);
        }
        long differences =
                (LittleEndian.getLong(data, at) ^ first) & firstMask
                        | (LittleEndian.getLong(data, at + 8) ^ second) & secondMask;
        return differences == 0
                && (length <= 16 || Arrays.equals(data, at + 16, end, pattern, 16, length));
    }
}
