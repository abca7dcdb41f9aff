package dev.tidemill.formats;

import dev.tidemill.data.LittleEndian;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;

/** Numbers out of bytes, alike in every text format. Stateless and thread-safe. */
public final class Numbers {
    /** What a text is when it is read as a number. */
    public enum Kind {
        /** No number as JSON writes them. */
        NONE,
        /** Digits, with a minus or without. */
        WHOLE,
        /** With a point or an exponent. */
        REAL
    }

    private static final double[] POWERS = {
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
        1e17, 1e18, 1e19, 1e20, 1e21, 1e22
    };

    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH = 0x8080808080808080L;
    private static final long ZEROS = 0x30 * ONES;

    private Numbers() {}

    /** The number of digits that a word, low byte first, begins with. */
    public static int digits(long word) {
        long value = word ^ ZEROS;
        // A byte above 9 sets its high bit, and may carry into the ones behind it only.
        return Long.numberOfTrailingZeros((value + 0x76 * ONES | value) & HIGH) >>> 3;
    }

    /**
     * The number that the first {@code digits} (1..8) bytes of a word are the digits of. Neighbours are added up in three steps, to numbers
     * of two, four and
     * eight digits (Wojciech Muła, Daniel Lemire).
     */
    public static long ofDigits(long word, int digits) {
        long value = (word ^ ZEROS) << 64 - 8 * digits;
        value = value * 10 + (value >>> 8) & 0x00FF00FF00FF00FFL;
        value = value * 100 + (value >>> 16) & 0x0000FFFF0000FFFFL;
        return value * 10_000 + (value >>> 32) & 0xFFFFFFFFL;
    }

    /** Whether {@code data[from .. to)} is a whole number of at most 8 digits, without a sign and a needless zero in front, in one look. */
    public static boolean isTiny(byte[] data, int from, int to) {
        int length = to - from;
        return length > 0
                && length <= 8
                && from + 8 <= data.length
                && digits(LittleEndian.getLong(data, from)) >= length
                && (length == 1 || data[from] != '0');
    }

    /** Whether {@code data[from .. to)} is a number in JSON's grammar: no plus, no needless zero in front, digits on both sides of a point. */
    public static Kind kind(byte[] data, int from, int to) {
        int at = from < to && data[from] == '-' ? from + 1 : from;
        int digits = at;
        at = skipDigits(data, at, to);
        if (at == digits || at - digits > 1 && data[digits] == '0') {
            return Kind.NONE;
        }
        if (at == to) {
            return Kind.WHOLE;
        }
        if (data[at] == '.') {
            digits = at + 1;
            at = skipDigits(data, digits, to);
            if (at == digits) {
                return Kind.NONE;
            }
        }
        if (at < to && (data[at] | 0x20) == 'e') {
            at++;
            if (at < to && (data[at] == '+' || data[at] == '-')) {
                at++;
            }
            digits = at;
            at = skipDigits(data, at, to);
            if (at == digits) {
                return Kind.NONE;
            }
        }
        return at == to ? Kind.REAL : Kind.NONE;
    }

    private static int skipDigits(byte[] data, int at, int to) {
        while (at < to && data[at] >= '0' && data[at] <= '9') {
            at++;
        }
        return at;
    }

    /** Whether {@link #parseLong} may be called for the whole number {@code data[from .. to)}: at most 18 digits, so that nothing can overflow. */
    public static boolean isShort(int from, int to) {
        return to - from <= 18;
    }

    /** The value of a whole number for which {@link #isShort} holds. */
    public static long parseLong(byte[] data, int from, int to) {
        boolean negative = data[from] == '-';
        long value = 0;
        for (int i = negative ? from + 1 : from; i < to; i++) {
            value = 10 * value + (data[i] - '0');
        }
        return negative ? -value : value;
    }

    /**
     * The nearest double of a number in JSON's grammar; infinite when it is too large. A mantissa below 2^53 and a power of ten up to 22
     * are both exact, so one
     * operation rounds correctly (William Clinger, 1990); the rest goes to the JDK.
     */
    public static double parseDouble(byte[] data, int from, int to) {
        int i = from;
        boolean negative = data[i] == '-';
        if (negative) {
            i++;
        }
        long mantissa = 0;
        int digits = 0;
        int scale = 0;
        boolean point = false;
        for (; i < to; i++) {
            byte c = data[i];
            if (c == '.') {
                point = true;
                continue;
            }
            if (c < '0' || c > '9') {
                break;
            }
            mantissa = 10 * mantissa + (c - '0');
            digits++;
            scale += point ? 1 : 0;
        }
        if (i == to && digits <= 18 && mantissa >>> 53 == 0 && scale <= 22) {
            double value = mantissa / POWERS[scale];
            return negative ? -value : value;
        }
        return Double.parseDouble(new String(data, from, to - from, StandardCharsets.ISO_8859_1));
    }

    /** The number that the text is, surrounding blanks aside, or null. Absurd lengths and exponents are no numbers. */
    public static BigDecimal decimal(String text) {
        String trimmed = text.strip();
        if (trimmed.isEmpty() || trimmed.length() > 400) {
            return null;
        }
        try {
            BigDecimal number = new BigDecimal(trimmed);
            return Math.abs((long) number.scale()) > 2000 ? null : number;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** The number with exactly that scale, or null when it does not fit without loss. */
    public static BigDecimal fit(BigDecimal number, int precision, int scale) {
        if (number.signum() != 0
                && (long) number.precision() - number.scale() > precision - scale) {
            return null;
        }
        try {
            BigDecimal scaled = number.setScale(scale, java.math.RoundingMode.UNNECESSARY);
            return scaled.precision() <= precision ? scaled : null;
        } catch (ArithmeticException e) {
            return null;
        }
    }
}
