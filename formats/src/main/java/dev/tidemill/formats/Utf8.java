package dev.tidemill.formats;

import dev.tidemill.data.LittleEndian;
import java.nio.charset.StandardCharsets;

/** Well-formed UTF-8 as in table 3-7 of the Unicode standard: no overlong forms, no surrogates, nothing above U+10FFFF. */
public final class Utf8 {
    private static final long HIGH = 0x8080808080808080L;

    private Utf8() {}

    /** The position of the first byte that begins no well-formed character, or -1. */
    public static int firstBad(byte[] data, int from, int to) {
        int at = from;
        while (at < to) {
            byte lead = data[at];
            if (lead >= 0) {
                at = at + 8 <= to && (LittleEndian.getLong(data, at) & HIGH) == 0 ? at + 8 : at + 1;
                continue;
            }
            int length = length(data, at, to);
            if (length == 0) {
                return at;
            }
            at += length;
        }
        return -1;
    }

    /** These bytes as they are when they are well-formed, else with U+FFFD for what is not: text columns hold valid UTF-8 only. */
    public static byte[] repaired(byte[] data, int from, int to) {
        if (firstBad(data, from, to) < 0) {
            return java.util.Arrays.copyOfRange(data, from, to);
        }
        return new String(data, from, to - from, StandardCharsets.UTF_8)
                .getBytes(StandardCharsets.UTF_8);
    }

    /** What is wrong at the position {@link #firstBad} gave. */
    public static String complaint(byte[] data, int at) {
        return String.format("invalid UTF-8: byte 0x%02X", data[at]);
    }

    private static int length(byte[] data, int at, int to) {
        int lead = data[at] & 0xFF;
        if (lead < 0xC2 || lead > 0xF4) {
            return 0;
        }
        int length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
        if (at + length > to) {
            return 0;
        }
        for (int i = 1; i < length; i++) {
            if ((data[at + i] & 0xC0) != 0x80) {
                return 0;
            }
        }
        int second = data[at + 1] & 0xFF;
        boolean bad =
                lead == 0xE0 && second < 0xA0
                        || lead == 0xED && second > 0x9F
                        || lead == 0xF0 && second < 0x90
                        || lead == 0xF4 && second > 0x8F;
        return bad ? 0 : length;
    }
}
