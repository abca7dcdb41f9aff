package dev.tidemill.formats;

import dev.tidemill.data.Column;
import dev.tidemill.data.DataType;
import dev.tidemill.data.DecimalColumn;
import dev.tidemill.data.DictionaryColumn;
import dev.tidemill.data.DoubleColumn;
import dev.tidemill.data.LongColumn;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/**
 * Writes numbers and times as text into {@link EncodedRows}, alike in every text format. Not thread-safe.
 *
 * <p>A float64 has the shortest digits that read back as the same value, always a point or an exponent ({@code 12.0}), and the exponent
 * form from 1e10 up and
 * below 1e-5 ({@code 1.7e12}). A timestamp is RFC 3339 in UTC with milliseconds, a date {@code YYYY-MM-DD}.
 */
final class TextWriter {
    private static final byte[] MIN_LONG =
            "-9223372036854775808".getBytes(StandardCharsets.US_ASCII);
    private static final DateTimeFormatter TIMESTAMP =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    /** Two digits for each number below 100. */
    private static final byte[] PAIRS = pairs();

    private final StringBuilder digits = new StringBuilder(32);

    private static byte[] pairs() {
        byte[] out = new byte[200];
        for (int i = 0; i < 100; i++) {
            out[2 * i] = (byte) ('0' + i / 10);
            out[2 * i + 1] = (byte) ('0' + i % 10);
        }
        return out;
    }

    /** A number, time or boolean of a row that is not null, without quotes. */
    void scalar(EncodedRows out, Column column, int row) {
        switch (column) {
            case DictionaryColumn c -> scalar(out, c.dictionary(), c.indices()[row]);
            case LongColumn c when c.type() == DataType.INT64 -> whole(out, c.get(row));
            case LongColumn c -> time(out, c.type(), c.get(row));
            case DoubleColumn c -> floating(out, c.get(row));
            case DecimalColumn c -> ascii(out, c.get(row).toPlainString());
            default -> text(out, String.valueOf(column.value(row)));
        }
    }

    void whole(EncodedRows out, long value) {
        byte[] data = out.reserve(20);
        int at = out.size();
        if (value == Long.MIN_VALUE) {
            System.arraycopy(MIN_LONG, 0, data, at, MIN_LONG.length);
            out.advanceTo(at + MIN_LONG.length);
            return;
        }
        if (value < 0) {
            data[at++] = '-';
            value = -value;
        }
        int end = at + length(value);
        int to = end;
        while (value >= 100) {
            long rest = value / 100;
            int pair = (int) (value - 100 * rest) << 1;
            data[--to] = PAIRS[pair + 1];
            data[--to] = PAIRS[pair];
            value = rest;
        }
        if (value >= 10) {
            data[--to] = PAIRS[((int) value << 1) + 1];
            data[--to] = PAIRS[(int) value << 1];
        } else {
            data[--to] = (byte) ('0' + value);
        }
        out.advanceTo(end);
    }

    private static int length(long value) {
        int length = 1;
        while (value >= 1000) {
            value /= 1000;
            length += 3;
        }
        return length + (value >= 100 ? 2 : value >= 10 ? 1 : 0);
    }

    /** A finite number. */
    void floating(EncodedRows out, double value) {
        long wholeValue = (long) value;
        if (wholeValue == value
                && Math.abs(wholeValue) < 10_000_000_000L
                && (wholeValue != 0 || 1 / value > 0)) {
            whole(out, wholeValue);
            raw(out, '.', '0');
            return;
        }
        digits.setLength(0);
        digits.append(value);
        int e = digits.indexOf("E");
        double size = Math.abs(value);
        if (e < 0 && size < 1e10) {
            copyDigits(out);
            return;
        }
        int exponent = e < 0 ? 0 : Integer.parseInt(digits, e + 1, digits.length(), 10);
        if (e >= 0) {
            digits.setLength(e);
        }
        if (size >= 1e-5 && size < 1e10) {
            plain(out, exponent);
            return;
        }
        if (digits.charAt(digits.length() - 1) == '0'
                && digits.charAt(digits.length() - 2) == '.') {
            digits.setLength(digits.length() - 2);
        }
        digits.append('e').append(exponent);
        copyDigits(out);
    }

    /** Moves the point of {@code d.ddd} to get rid of an exponent between -5 and 9. */
    private void plain(EncodedRows out, int exponent) {
        boolean negative = digits.charAt(0) == '-';
        if (negative) {
            digits.deleteCharAt(0);
        }
        digits.deleteCharAt(1);
        if (exponent < 0) {
            digits.insert(0, "0.00000", 0, 1 - exponent);
        } else {
            while (digits.length() < exponent + 2) {
                digits.append('0');
            }
            digits.insert(exponent + 1, '.');
        }
        while (digits.charAt(digits.length() - 1) == '0'
                && digits.charAt(digits.length() - 2) != '.') {
            digits.setLength(digits.length() - 1);
        }
        if (negative) {
            digits.insert(0, '-');
        }
        copyDigits(out);
    }

    private void copyDigits(EncodedRows out) {
        int length = digits.length();
        byte[] data = out.reserve(length);
        int at = out.size();
        for (int i = 0; i < length; i++) {
            data[at + i] = (byte) digits.charAt(i);
        }
        out.advanceTo(at + length);
    }

    private static void time(EncodedRows out, DataType type, long ms) {
        ascii(
                out,
                type == DataType.DATE
                        ? LocalDate.ofEpochDay(Math.floorDiv(ms, 86_400_000L)).toString()
                        : TIMESTAMP.format(Instant.ofEpochMilli(ms)));
    }

    static void raw(EncodedRows out, char first, char second) {
        byte[] data = out.reserve(2);
        int at = out.size();
        data[at] = (byte) first;
        data[at + 1] = (byte) second;
        out.advanceTo(at + 2);
    }

    static void ascii(EncodedRows out, String text) {
        bytes(out, text.getBytes(StandardCharsets.ISO_8859_1));
    }

    static void text(EncodedRows out, String text) {
        bytes(out, text.getBytes(StandardCharsets.UTF_8));
    }

    static void bytes(EncodedRows out, byte[] bytes) {
        bytes(out, bytes, 0, bytes.length);
    }

    static void bytes(EncodedRows out, byte[] bytes, int from, int to) {
        byte[] data = out.reserve(to - from);
        System.arraycopy(bytes, from, data, out.size(), to - from);
        out.advanceTo(out.size() + to - from);
    }

    static void put(EncodedRows out, byte value) {
        byte[] data = out.reserve(1);
        data[out.size()] = value;
        out.advanceTo(out.size() + 1);
    }
}
