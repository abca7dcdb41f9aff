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

/**
 * Row keys {@code w|start|end|g1|g2…}: one for each result, the same on every replay, different for different results. A cell is {@code n} and a number
 * without exponent, {@code s} and text in which {@code \} and {@code |} are escaped by a backslash, {@code btrue}, {@code bfalse}, {@code x} and
 * another value's JSON; empty for null.
 */
final class RowKeys {
    private RowKeys() {}

    static Column of(String prefix, Column[] keys, int from, int to) {
        ColumnBuilder.Strings builder = (ColumnBuilder.Strings) ColumnBuilder.of(DataType.UTF8);
        StringBuilder text = new StringBuilder();
        for (int row = from; row < to; row++) {
            text.setLength(0);
            text.append(prefix);
            for (Column key : keys) {
                text.append('|');
                cell(text, key, row);
            }
            builder.appendString(text.toString());
        }
        return builder.build();
    }

    private static void cell(StringBuilder text, Column key, int row) {
        if (key.isNull(row)) {
            return;
        }
        switch (key) {
            case LongColumn longs -> text.append('n').append(longs.get(row));
            case DoubleColumn doubles -> number(text, doubles.get(row));
            case DecimalColumn decimals -> plain(text, decimals.get(row));
            case BoolColumn bools -> text.append(bools.get(row) ? "btrue" : "bfalse");
            case BytesColumn bytes when bytes.type() instanceof DataType.Utf8 -> {
                text.append('s');
                escaped(text, bytes.string(row));
            }
            default -> {
                text.append('x');
                escaped(text, JsonText.of(key.value(row)));
            }
        }
    }

    private static void number(StringBuilder text, double value) {
        if (Double.isFinite(value)) {
            // 0.0 and -0.0 are one key.
            plain(text, new BigDecimal(value == 0 ? 0.0 : value));
        } else {
            text.append('n').append(Double.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf");
        }
    }

    private static void plain(StringBuilder text, BigDecimal value) {
        text.append('n')
                .append(value.signum() == 0 ? "0" : value.stripTrailingZeros().toPlainString());
    }

    private static void escaped(StringBuilder text, String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '|' || c == '\\') {
                text.append('\\');
            }
            text.append(c);
        }
    }
}
