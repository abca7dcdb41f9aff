package dev.tidemill.operators.window;

import dev.tidemill.data.BoolColumn;
import dev.tidemill.data.BytesColumn;
import dev.tidemill.data.Column;
import dev.tidemill.data.ColumnBuilder;
import dev.tidemill.data.DataType;
import dev.tidemill.data.DecimalColumn;
import dev.tidemill.data.DoubleColumn;
import dev.tidemill.data.JsonText;
import dev.tidemill.data.LongColumn;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Row keys {@code w|start|end|g1|g2…}: one for each result, the same on every replay, different for different results. A cell is {@code n} and a number
 * without exponent, {@code s} and text in which {@code \} and {@code |} are escaped by a backslash, {@code btrue}, {@code bfalse}, {@code x} and
 * another value's JSON; empty for null. Not thread-safe.
 */
final class RowKeys {
    private static final int MOST_DIGITS = 20;

    private final ColumnBuilder.Strings builder =
            (ColumnBuilder.Strings) ColumnBuilder.of(DataType.UTF8);
    private byte[] text = new byte[64];
    private int length;

    /** The keys of rows {@code from} to {@code to}, exclusive, of a window's groups. */
    Column of(long windowStart, long windowEnd, Column[] keys, int from, int to) {
        length = 0;
        put('w');
        put('|');
        digits(windowStart);
        put('|');
        digits(windowEnd);
        int prefix = length;
        for (int row = from; row < to; row++) {
            length = prefix;
            for (Column key : keys) {
                put('|');
                cell(key, row);
            }
            builder.appendBytes(text, 0, length);
        }
        return builder.build();
    }

    private void cell(Column key, int row) {
        if (key.isNull(row)) {
            return;
        }
        switch (key) {
            case LongColumn longs -> {
                put('n');
                digits(longs.get(row));
            }
            case BytesColumn bytes when bytes.type() instanceof DataType.Utf8 -> {
                put('s');
                escaped(bytes.data(), bytes.start(row), bytes.end(row));
            }
            case DoubleColumn doubles -> put(number(doubles.get(row)));
            case DecimalColumn decimals -> put(plain(decimals.get(row)));
            case BoolColumn bools -> put(bools.get(row) ? "btrue" : "bfalse");
            default -> {
                put('x');
                byte[] json = JsonText.of(key.value(row)).getBytes(StandardCharsets.UTF_8);
                escaped(json, 0, json.length);
            }
        }
    }

    private static String number(double value) {
        if (Double.isFinite(value)) {
            // 0.0 and -0.0 are one key.
            return plain(new BigDecimal(value == 0 ? 0.0 : value));
        }
        return Double.isNaN(value) ? "nnan" : value > 0 ? "ninf" : "n-inf";
    }

    private static String plain(BigDecimal value) {
        return "n" + (value.signum() == 0 ? "0" : value.stripTrailingZeros().toPlainString());
    }

    private void escaped(byte[] from, int start, int end) {
        for (int i = start; i < end; i++) {
            if (from[i] == '|' || from[i] == '\\') {
                put('\\');
            }
            put(from[i]);
        }
    }

    private void digits(long value) {
        if (value == Long.MIN_VALUE) {
            put(Long.toString(value));
            return;
        }
        if (value < 0) {
            put('-');
        }
        room(MOST_DIGITS);
        long rest = Math.abs(value);
        int start = length;
        do {
            text[length++] = (byte) ('0' + rest % 10);
            rest /= 10;
        } while (rest != 0);
        for (int low = start, high = length - 1; low < high; low++, high--) {
            byte swap = text[low];
            text[low] = text[high];
            text[high] = swap;
        }
    }

    private void put(String ascii) {
        for (int i = 0; i < ascii.length(); i++) {
            put(ascii.charAt(i));
        }
    }

    private void put(int character) {
        room(1);
        text[length++] = (byte) character;
    }

    private void room(int bytes) {
        if (length + bytes > text.length) {
            text = Arrays.copyOf(text, Math.max(length + bytes, 2 * text.length));
        }
    }
}
