package dev.tidemill.formats.json;

import dev.tidemill.data.LittleEndian;
import java.util.Arrays;

/** A field name seen in the input, as the bytes {@code "name":} that usually stand there, and the column it goes to. */
final class Key {
    final String name;
    final byte[] pattern;
    private final long[] words;
    private final long lastMask;

    /** The column's position, or -1 when the plan does not read it. */
    int column = -1;
    /** What the value is written to; null when it is skipped. */
    Writer writer;
    /** The key that followed this one last time. */
    Key successor;

    Key(String name, byte[] pattern) {
        this.name = name;
        this.pattern = pattern;
        words = new long[(pattern.length + 7) / 8];
        for (int i = 0; i < words.length; i++) {
            int from = 8 * i;
            int to = Math.min(from + 8, pattern.length);
            words[i] = to - from == 8
                    ? LittleEndian.getLong(pattern, from)
                    : LittleEndian.getTail(pattern, from, to);
        }
        int rest = pattern.length & 7;
        lastMask = rest == 0 ? -1L : (1L << 8 * rest) - 1;
    }

    void forget(Key other) {
        if (successor == other) {
            successor = null;
        }
    }

    /** Whether these bytes stand at {@code at}. */
    boolean matches(byte[] data, int at, int to) {
        int end = at + pattern.length;
        if (end > to) {
            return false;
        }
        int last = words.length - 1;
        if (at + 8 * words.length > data.length) {
            return Arrays.equals(data, at, end, pattern, 0, pattern.length);
        }
        for (int i = 0; i < last; i++) {
            if (LittleEndian.getLong(data, at + 8 * i) != words[i]) {
                return false;
            }
        }
        return ((LittleEndian.getLong(data, at + 8 * last) ^ words[last]) & lastMask) == 0;
    }
}
