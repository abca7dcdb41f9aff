package dev.tidemill.formats;

import dev.tidemill.data.LittleEndian;

/** Finds bytes in text, eight at a time. */
public final class Lines {
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH = 0x8080808080808080L;

    private Lines() {}

    /** The position of the first newline in {@code data[from .. to)}, or -1. */
    public static int newline(byte[] data, int from, int to) {
        return indexOf(data, from, to, (byte) '\n');
    }

    /** The position behind the empty line at {@code at}; {@code at} when the line is not empty or its end has not come. */
    public static int behindBlankLine(byte[] data, int at, int to, boolean last) {
        int end = at < to && data[at] == '\r' ? at + 1 : at;
        if (end < to) {
            return data[end] == '\n' ? end + 1 : at;
        }
        return last ? end : at;
    }

    /** The position of the first such byte in {@code data[from .. to)}, or -1. */
    public static int indexOf(byte[] data, int from, int to, byte wanted) {
        long pattern = (wanted & 0xFF) * ONES;
        int at = from;
        for (; at <= to - 8; at += 8) {
            long word = LittleEndian.getLong(data, at) ^ pattern;
            long found = word - ONES & ~word & HIGH;
            if (found != 0) {
                return at + (Long.numberOfTrailingZeros(found) >>> 3);
            }
        }
        for (; at < to; at++) {
            if (data[at] == wanted) {
                return at;
            }
        }
        return -1;
    }
}
