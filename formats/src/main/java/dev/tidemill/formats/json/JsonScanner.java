package dev.tidemill.formats.json;

import dev.tidemill.data.LittleEndian;
import dev.tidemill.formats.Numbers;
import dev.tidemill.formats.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Walks over JSON text in bytes, eight at a time where it can, and checks all of its syntax, also of what is skipped. Positions are
 * indices in the array; every method returns the position behind what it took. Bytes beyond {@code to} may be looked at, never used.
 *
 * <p>The search for the end of a string uses the well-known bit trick to find a zero byte in a word (Alan Mycroft, 1987).
 */
final class JsonScanner {
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH = 0x8080808080808080L;
    private static final long TWOS = 0x02 * ONES;
    private static final long TURNED_QUOTES = 0x21 * ONES;
    private static final long BACKSLASHES = 0x5C * ONES;

    /** A number inside a list is read as a value; the time that takes grows with the square of its length. */
    private static final int MAX_DIGITS = 1000;

    /** A bit for each ASCII character that may follow a backslash alone. */
    private static final long[] SIMPLE_ESCAPES = simpleEscapes();

    private final int maxDepth;

    /** Whether a newline ends the record, so that it cannot be white space inside. */
    private boolean newlineEnds;

    JsonScanner(int maxDepth) {
        this.maxDepth = maxDepth;
    }

    private static long[] simpleEscapes() {
        long[] bits = new long[2];
        for (char c : "\"\\/bfnrt".toCharArray()) {
            bits[c >>> 6] |= 1L << c;
        }
        return bits;
    }

    void newlineEnds(boolean value) {
        newlineEnds = value;
    }

    /**
     * The bytes of a word that end a plain run of string characters: quote, backslash, control characters; the lowest set bit is exact. Of
     * all bytes just
     * these two kinds are below 0x21 when their second bit is turned: control characters, and the quote, 0x22.
     */
    static long stops(long word) {
        long backslash = word ^ BACKSLASHES;
        return ((word ^ TWOS) - TURNED_QUOTES | backslash - ONES) & ~word & HIGH;
    }

    byte peek(byte[] data, int at, int to) throws JsonError {
        if (at >= to) {
            throw JsonError.END;
        }
        return data[at];
    }

    int skipSpace(byte[] data, int at, int to) throws JsonError {
        while (at < to && data[at] <= ' ') {
            byte c = data[at];
            if (c != ' ' && c != '\t' && c != '\r' && (c != '\n' || newlineEnds)) {
                throw c == '\n'
                        ? new JsonError("the record ends too early")
                        : unexpected(data, at, "white space");
            }
            at++;
        }
        return at;
    }

    /** Skips a string; {@code at} is behind its opening quote. */
    int skipString(byte[] data, int at, int to) throws JsonError {
        int from = at;
        int last = Math.min(to, data.length) - 8;
        long seen = 0;
        while (at <= last) {
            long word = LittleEndian.getLong(data, at);
            long stop = stops(word);
            if (stop == 0) {
                seen |= word;
                at += 8;
                continue;
            }
            int before = Long.numberOfTrailingZeros(stop) - 7;
            seen |= word & ~(-1L << before);
            at += before >>> 3;
            byte c = data[at];
            if (c == '"') {
                return endOfString(data, from, at, seen);
            }
            at =
                    c == '\\' && at + 1 < to && isSimpleEscape(data[at + 1])
                            ? at + 2
                            : skipStop(data, at, to);
        }
        return skipStringSlowly(data, from, at, to, seen);
    }

    private int skipStringSlowly(byte[] data, int from, int at, int to, long seen)
            throws JsonError {
        for (; ; ) {
            byte c = peek(data, at, to);
            if (c == '"') {
                return endOfString(data, from, at, seen);
            }
            if (isStop(c)) {
                at = skipStop(data, at, to);
            } else {
                seen |= c;
                at++;
            }
        }
    }

    /** Whether the byte behind a backslash makes an escape of two bytes. */
    private static boolean isSimpleEscape(byte c) {
        return c > 0 && (SIMPLE_ESCAPES[c >>> 6] >>> c & 1) != 0;
    }

    private int skipStop(byte[] data, int at, int to) throws JsonError {
        if (data[at] != '\\') {
            throw controlInString(data, at);
        }
        return skipEscape(data, at, to);
    }

    private static void checkUtf8(byte[] data, int from, int to) throws JsonError {
        int bad = Utf8.firstBad(data, from, to);
        if (bad >= 0) {
            throw new JsonError(Utf8.complaint(data, bad));
        }
    }

    private int skipEscape(byte[] data, int at, int to) throws JsonError {
        byte c = peek(data, at + 1, to);
        if (c != 'u') {
            unescape(c);
            return at + 2;
        }
        int unit = hex4(data, at + 2, to);
        at += 6;
        if (Character.isHighSurrogate((char) unit)) {
            return lowSurrogate(data, at, to) < 0 ? at : at + 6;
        }
        if (Character.isLowSurrogate((char) unit)) {
            throw loneSurrogate();
        }
        return at;
    }

    /** Appends the text of a string to {@code out}, escapes resolved; {@code at} is behind its opening quote. */
    int copyString(byte[] data, int at, int to, GrowingBytes out) throws JsonError {
        int from = at;
        int last = Math.min(to, data.length) - 8;
        long seen = 0;
        byte[] target = out.data;
        int size = out.size;
        while (at <= last) {
            if (size + 8 > target.length) {
                out.size = size;
                out.reserve(8);
                target = out.data;
            }
            long word = LittleEndian.getLong(data, at);
            // What is behind the stop is overwritten by what comes next.
            LittleEndian.putLong(target, size, word);
            long stop = stops(word);
            if (stop == 0) {
                seen |= word;
                at += 8;
                size += 8;
                continue;
            }
            int before = Long.numberOfTrailingZeros(stop) - 7;
            seen |= word & ~(-1L << before);
            at += before >>> 3;
            size += before >>> 3;
            out.size = size;
            if (data[at] == '"') {
                return endOfString(data, from, at, seen);
            }
            at = copyStop(data, at, to, out);
            target = out.data;
            size = out.size;
        }
        out.size = size;
        return copyStringSlowly(data, from, at, to, seen, out);
    }

    private int copyStringSlowly(byte[] data, int from, int at, int to, long seen, GrowingBytes out)
            throws JsonError {
        for (; ; ) {
            byte c = peek(data, at, to);
            if (c == '"') {
                return endOfString(data, from, at, seen);
            }
            if (isStop(c)) {
                at = copyStop(data, at, to, out);
            } else {
                out.append(c);
                seen |= c;
                at++;
            }
        }
    }

    private static boolean isStop(byte c) {
        return c == '\\' || c >= 0 && c < ' ';
    }

    private static int endOfString(byte[] data, int from, int at, long seen) throws JsonError {
        if ((seen & HIGH) != 0) {
            checkUtf8(data, from, at);
        }
        return at + 1;
    }

    private int copyStop(byte[] data, int at, int to, GrowingBytes out) throws JsonError {
        if (data[at] != '\\') {
            throw controlInString(data, at);
        }
        return copyEscape(data, at, to, out);
    }

    private int copyEscape(byte[] data, int at, int to, GrowingBytes out) throws JsonError {
        byte c = peek(data, at + 1, to);
        if (c != 'u') {
            out.append(unescape(c));
            return at + 2;
        }
        int unit = hex4(data, at + 2, to);
        at += 6;
        if (Character.isHighSurrogate((char) unit)) {
            int low = lowSurrogate(data, at, to);
            out.appendCodePoint(Character.toCodePoint((char) unit, (char) low));
            return at + 6;
        }
        if (Character.isLowSurrogate((char) unit)) {
            throw loneSurrogate();
        }
        out.appendCodePoint(unit);
        return at;
    }

    private int lowSurrogate(byte[] data, int at, int to) throws JsonError {
        if (peek(data, at, to) != '\\' || peek(data, at + 1, to) != 'u') {
            throw loneSurrogate();
        }
        int low = hex4(data, at + 2, to);
        if (!Character.isLowSurrogate((char) low)) {
            throw loneSurrogate();
        }
        return low;
    }

    private static byte unescape(byte c) throws JsonError {
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            default -> throw new JsonError("\\" + (char) (c & 0xFF) + " is no escape");
        };
    }

    private int hex4(byte[] data, int at, int to) throws JsonError {
        int value = 0;
        for (int i = 0; i < 4; i++) {
            int digit = Character.digit(peek(data, at + i, to), 16);
            if (digit < 0) {
                throw new JsonError("\\u needs four hexadecimal digits");
            }
            value = value << 4 | digit;
        }
        return value;
    }

    /** Skips a value of any kind and checks it. */
    int skipValue(byte[] data, int at, int to, int depth) throws JsonError {
        byte c = peek(data, at, to);
        if (c == '"') {
            return skipString(data, at + 1, to);
        }
        if (c == '-' || c >= '0' && c <= '9') {
            return skipNumber(data, at, to);
        }
        return switch (c) {
            case 't' -> literal(data, at, to, "true");
            case 'f' -> literal(data, at, to, "false");
            case 'n' -> literal(data, at, to, "null");
            case '{' -> skipObject(data, at, to, deeper(depth));
            case '[' -> skipArray(data, at, to, deeper(depth));
            default -> throw unexpected(data, at, "a value");
        };
    }

    private int deeper(int depth) throws JsonError {
        if (depth >= maxDepth) {
            throw new JsonError("nested more than " + maxDepth + " deep");
        }
        return depth + 1;
    }

    private int skipObject(byte[] data, int at, int to, int depth) throws JsonError {
        at = skipSpace(data, at + 1, to);
        if (peek(data, at, to) == '}') {
            return at + 1;
        }
        for (; ; ) {
            at = skipString(data, expect(data, at, to, '"'), to);
            at = skipSpace(data, at, to);
            at = skipSpace(data, expect(data, at, to, ':'), to);
            at = skipSpace(data, skipValue(data, at, to, depth), to);
            if (peek(data, at, to) == '}') {
                return at + 1;
            }
            at = skipSpace(data, expect(data, at, to, ','), to);
        }
    }

    private int skipArray(byte[] data, int at, int to, int depth) throws JsonError {
        at = skipSpace(data, at + 1, to);
        if (peek(data, at, to) == ']') {
            return at + 1;
        }
        for (; ; ) {
            at = skipSpace(data, skipValue(data, at, to, depth), to);
            if (peek(data, at, to) == ']') {
                return at + 1;
            }
            at = skipSpace(data, expect(data, at, to, ','), to);
        }
    }

    int expect(byte[] data, int at, int to, char wanted) throws JsonError {
        if (peek(data, at, to) != wanted) {
            throw unexpected(data, at, "'" + wanted + "'");
        }
        return at + 1;
    }

    int literal(byte[] data, int at, int to, String word) throws JsonError {
        for (int i = 0; i < word.length(); i++) {
            if (peek(data, at + i, to) != word.charAt(i)) {
                throw unexpected(data, at + i, word);
            }
        }
        return at + word.length();
    }

    int skipNumber(byte[] data, int at, int to) throws JsonError {
        if (data[at] == '-') {
            at++;
        }
        int digits = at;
        at = skipDigits(data, at, to);
        if (at - digits > 1 && data[digits] == '0') {
            throw new JsonError("a number begins with 0");
        }
        if (at < to && data[at] == '.') {
            at = skipDigits(data, at + 1, to);
        }
        if (at < to && (data[at] | 0x20) == 'e') {
            at++;
            if (at < to && (data[at] == '+' || data[at] == '-')) {
                at++;
            }
            at = skipDigits(data, at, to);
        }
        return at;
    }

    private int skipDigits(byte[] data, int at, int to) throws JsonError {
        byte first = peek(data, at, to);
        if (first < '0' || first > '9') {
            throw unexpected(data, at, "a digit");
        }
        for (int last = Math.min(to, data.length) - 8; at <= last; at += 8) {
            int digits = Numbers.digits(LittleEndian.getLong(data, at));
            if (digits < 8) {
                return at + digits;
            }
        }
        while (at < to && data[at] >= '0' && data[at] <= '9') {
            at++;
        }
        return at;
    }

    /** Whether the number {@code data[at .. to)}, already checked, is written without point and exponent. */
    static boolean isWhole(byte[] data, int at, int to) {
        for (; at < to; at++) {
            if (data[at] == '.' || (data[at] | 0x20) == 'e') {
                return false;
            }
        }
        return true;
    }

    /** The value at {@code at}, already checked by {@link #skipValue}: null, Boolean, Long, BigDecimal, String, List, Map. For rare kinds only. */
    Object read(byte[] data, int at, int to) throws JsonError {
        Cursor cursor = new Cursor();
        cursor.at = at;
        return read(data, cursor, to);
    }

    private static final class Cursor {
        int at;
    }

    private Object read(byte[] data, Cursor cursor, int to) throws JsonError {
        cursor.at = skipSpace(data, cursor.at, to);
        return switch (data[cursor.at]) {
            case '"' -> readString(data, cursor, to);
            case '{' -> readObject(data, cursor, to);
            case '[' -> readArray(data, cursor, to);
            case 't' -> readLiteral(cursor, 4, true);
            case 'f' -> readLiteral(cursor, 5, false);
            case 'n' -> readLiteral(cursor, 4, null);
            default -> readNumber(data, cursor, to);
        };
    }

    private static Object readLiteral(Cursor cursor, int length, Boolean value) {
        cursor.at += length;
        return value;
    }

    private String readString(byte[] data, Cursor cursor, int to) throws JsonError {
        GrowingBytes out = new GrowingBytes();
        cursor.at = copyString(data, cursor.at + 1, to, out);
        return out.text();
    }

    private Object readNumber(byte[] data, Cursor cursor, int to) throws JsonError {
        int start = cursor.at;
        cursor.at = skipNumber(data, start, to);
        if (cursor.at - start > MAX_DIGITS) {
            throw new JsonError("a number of " + (cursor.at - start) + " characters");
        }
        return number(data, start, cursor.at);
    }

    /** A number that was checked: Long when whole and in range, else Double when it has a point or exponent, else BigDecimal. */
    static Object number(byte[] data, int from, int to) {
        String text = new String(data, from, to - from, StandardCharsets.ISO_8859_1);
        if (!isWhole(data, from, to)) {
            return Double.valueOf(text);
        }
        try {
            return Long.valueOf(text);
        } catch (NumberFormatException e) {
            return new java.math.BigDecimal(text);
        }
    }

    private Map<String, Object> readObject(byte[] data, Cursor cursor, int to) throws JsonError {
        Map<String, Object> out = new LinkedHashMap<>();
        cursor.at = skipSpace(data, cursor.at + 1, to);
        while (data[cursor.at] != '}') {
            String key = readString(data, cursor, to);
            cursor.at = skipSpace(data, cursor.at, to) + 1;
            out.put(key, read(data, cursor, to));
            cursor.at = skipSpace(data, cursor.at, to);
            if (data[cursor.at] == ',') {
                cursor.at = skipSpace(data, cursor.at + 1, to);
            }
        }
        cursor.at++;
        return out;
    }

    private List<Object> readArray(byte[] data, Cursor cursor, int to) throws JsonError {
        List<Object> out = new ArrayList<>();
        cursor.at = skipSpace(data, cursor.at + 1, to);
        while (data[cursor.at] != ']') {
            out.add(read(data, cursor, to));
            cursor.at = skipSpace(data, cursor.at, to);
            if (data[cursor.at] == ',') {
                cursor.at = skipSpace(data, cursor.at + 1, to);
            }
        }
        cursor.at++;
        return out;
    }

    static JsonError unexpected(byte[] data, int at, String wanted) {
        int c = data[at] & 0xFF;
        String found = c > ' ' && c < 0x7F ? "'" + (char) c + "'" : String.format("byte 0x%02X", c);
        return new JsonError("found " + found + " where " + wanted + " was expected");
    }

    private static JsonError controlInString(byte[] data, int at) {
        return new JsonError(String.format("control character 0x%02X in a string", data[at]));
    }

    private static JsonError loneSurrogate() {
        return new JsonError("half of a surrogate pair in a string");
    }
}
