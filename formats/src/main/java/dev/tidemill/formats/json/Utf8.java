package dev.tidemill.formats.json;

/** Well-formed UTF-8 as in table 3-7 of the Unicode standard: no overlong forms, no surrogates, nothing above U+10FFFF. */
final class Utf8 {
    private Utf8() {}

    static void check(byte[] data, int from, int to) throws JsonError {
        int bad = firstBad(data, from, to);
        if (bad >= 0) {
            throw new JsonError(String.format("invalid UTF-8: byte 0x%02X", data[bad]));
        }
    }

    /** The position of the first byte that begins no well-formed character, or -1. */
    static int firstBad(byte[] data, int from, int to) {
        int at = from;
        while (at < to) {
            byte lead = data[at];
            if (lead >= 0) {
                at++;
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
        boolean bad = lead == 0xE0 && second < 0xA0
                || lead == 0xED && second > 0x9F
                || lead == 0xF0 && second < 0x90
                || lead == 0xF4 && second > 0x8F;
        return bad ? 0 : length;
    }
}
