package dev.tidemill.formats.csv;

import dev.tidemill.data.Casts;
import dev.tidemill.data.Column;
import dev.tidemill.data.ColumnBuilder;
import dev.tidemill.data.DataType;
import dev.tidemill.data.LittleEndian;
import dev.tidemill.formats.Numbers;
import dev.tidemill.formats.Utf8;
import dev.tidemill.formats.json.JsonCheck;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.Base64;

/**
 * One column of the batch that is being decoded, and its value in the row at hand: {@link #parse} reads it, {@link #append} adds it, so that a row
 * with an error adds nothing. Not thread-safe.
 */
final class Cell {
    private static final BigDecimal LEAST = BigDecimal.valueOf(Long.MIN_VALUE);
    private static final BigDecimal GREATEST = BigDecimal.valueOf(Long.MAX_VALUE);

    private enum State {
        NULL,
        LONG,
        DOUBLE,
        BOOL,
        TEXT,
        OBJECT
    }

    final String name;

    /** The position of the field in a record, or -1 when there is none. */
    int field = -1;

    private ColumnBuilder builder;
    private State state = State.NULL;
    private long whole;
    private double real;
    private Object object;
    private byte[] text;
    private int textFrom;
    private int textTo;
    private byte[] unquoted = new byte[0];

    Cell(String name, DataType type) {
        this.name = name;
        builder = ColumnBuilder.of(type);
    }

    DataType type() {
        return builder.type();
    }

    /** A record that cannot give a row. Without a stack trace, since hostile input makes many. */
    static final class Unusable extends Exception {
        private static final long serialVersionUID = 1;

        Unusable(String message) {
            super(message, null, false, false);
        }
    }

    void setNull() {
        state = State.NULL;
    }

    Column take() {
        return builder.build();
    }

    /**
     * Reads the value of a record.
     *
     * @return why the value does not fit the column (and is null), or null when it does
     */
    String parse(CsvRecord record, byte[] data, boolean widen) throws Unusable {
        boolean isQuoted = record.isQuoted(field);
        int from = record.start(field);
        int to = record.end(field);
        state = State.NULL;
        if (from == to) {
            empty(isQuoted, widen);
            return null;
        }
        byte[] source = data;
        if (record.hasDoubledQuotes(field)) {
            if (unquoted.length < to - from) {
                unquoted = new byte[Math.max(to - from, 2 * unquoted.length)];
            }
            to = record.unquote(data, field, unquoted);
            from = 0;
            source = unquoted;
        }
        if (builder instanceof ColumnBuilder.Longs
                && type() instanceof DataType.Int64
                && Numbers.isTiny(source, from, to)) {
            state = State.LONG;
            whole = Numbers.ofDigits(LittleEndian.getLong(source, from), to - from);
            return null;
        }
        if (widen && !(type() instanceof DataType.Utf8)) {
            widenTo(inferred(source, from, to));
        }
        return value(source, from, to);
    }

    /** Without quotes it is null; in quotes it is the empty string, in a column that can hold it. */
    private void empty(boolean isQuoted, boolean widen) {
        if (!isQuoted) {
            return;
        }
        if (widen && type() instanceof DataType.Null) {
            widenTo(DataType.UTF8);
        }
        if (type() instanceof DataType.Utf8 || type() instanceof DataType.Bytes) {
            text(unquoted, 0, 0);
        }
    }

    private void text(byte[] source, int from, int to) {
        state = State.TEXT;
        text = source;
        textFrom = from;
        textTo = to;
    }

    /** The narrowest type that keeps the text: what is not written as a number usually is stays a string, such as {@code 007}. */
    private static DataType inferred(byte[] data, int from, int to) {
        return switch (Numbers.kind(data, from, to)) {
            case WHOLE -> isInt64(data, from, to) ? DataType.INT64 : DataType.UTF8;
            case REAL ->
                    Double.isInfinite(Numbers.parseDouble(data, from, to))
                            ? DataType.UTF8
                            : DataType.FLOAT64;
            case NONE -> isBool(data, from, to) ? DataType.BOOL : DataType.UTF8;
        };
    }

    private static boolean isInt64(byte[] data, int from, int to) {
        return Numbers.isShort(from, to)
                || to - from <= 20 && inRange(new BigDecimal(string(data, from, to)));
    }

    private static boolean inRange(BigDecimal number) {
        return number.compareTo(LEAST) >= 0 && number.compareTo(GREATEST) <= 0;
    }

    private static boolean isBool(byte[] data, int from, int to) {
        return isWord(data, from, to, "true") || isWord(data, from, to, "false");
    }

    private static boolean isWord(byte[] data, int from, int to, String word) {
        if (to - from != word.length()) {
            return false;
        }
        for (int i = 0; i < word.length(); i++) {
            if ((data[from + i] | 0x20) != word.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private void widenTo(DataType found) {
        DataType wide = DataType.widen(type(), found);
        if (wide.equals(type())) {
            return;
        }
        Column soFar = Casts.cast(builder.build(), wide);
        builder = ColumnBuilder.of(wide);
        for (int row = 0; row < soFar.length(); row++) {
            builder.appendFrom(soFar, row);
        }
    }

    private String value(byte[] data, int from, int to) throws Unusable {
        return switch (type()) {
            case DataType.Utf8 _ -> string(data, from, to, true);
            case DataType.Int64 _ -> int64(data, from, to);
            case DataType.Float64 _ -> float64(data, from, to);
            case DataType.Bool _ -> bool(data, from, to);
            case DataType.Null _ -> null;
            case DataType.Timestamp _, DataType.Date _ -> time(data, from, to);
            case DataType.Decimal decimal -> decimal(data, from, to, decimal);
            case DataType.Json _ -> json(data, from, to);
            case DataType.Bytes _ -> base64(data, from, to);
            case DataType.ListOf _, DataType.Struct _ ->
                    "is no " + type() + ", which CSV cannot hold";
        };
    }

    private String string(byte[] data, int from, int to, boolean check) throws Unusable {
        int bad = check ? Utf8.firstBad(data, from, to) : -1;
        if (bad >= 0) {
            throw new Unusable(Utf8.complaint(data, bad));
        }
        text(data, from, to);
        return null;
    }

    private String int64(byte[] data, int from, int to) throws Unusable {
        if (Numbers.isShort(from, to) && Numbers.kind(data, from, to) == Numbers.Kind.WHOLE) {
            state = State.LONG;
            whole = Numbers.parseLong(data, from, to);
            return null;
        }
        BigDecimal number = Numbers.decimal(string(data, from, to));
        if (number == null) {
            return "is no " + type();
        }
        if (!inRange(number)) {
            throw new Unusable(
                    "the number "
                            + abbreviated(data, from, to)
                            + " in "
                            + name
                            + " is beyond int64");
        }
        if (number.stripTrailingZeros().scale() > 0) {
            return "has a fraction, the column is " + type();
        }
        state = State.LONG;
        whole = number.longValueExact();
        return null;
    }

    private String float64(byte[] data, int from, int to) throws Unusable {
        double value;
        if (Numbers.kind(data, from, to) != Numbers.Kind.NONE) {
            value = Numbers.parseDouble(data, from, to);
            if (Double.isInfinite(value)) {
                throw new Unusable(
                        "the number "
                                + abbreviated(data, from, to)
                                + " in "
                                + name
                                + " is beyond float64");
            }
        } else {
            BigDecimal number = Numbers.decimal(string(data, from, to));
            if (number == null) {
                return "is no number";
            }
            value = number.doubleValue();
        }
        state = State.DOUBLE;
        real = value;
        return null;
    }

    private String bool(byte[] data, int from, int to) {
        if (!isBool(data, from, to)) {
            return "is no boolean";
        }
        state = State.BOOL;
        whole = to - from == 4 ? 1 : 0;
        return null;
    }

    /** Milliseconds, or text: RFC 3339 for a timestamp, YYYY-MM-DD for a date. */
    private String time(byte[] data, int from, int to) throws Unusable {
        String value = string(data, from, to).strip();
        if (Numbers.decimal(value) != null) {
            return int64(data, from, to);
        }
        try {
            whole =
                    type() instanceof DataType.Date
                            ? LocalDate.parse(value).toEpochDay() * 86_400_000L
                            : OffsetDateTime.parse(value).toInstant().toEpochMilli();
            state = State.LONG;
            return null;
        } catch (DateTimeException | ArithmeticException e) {
            return "is no " + type();
        }
    }

    private String decimal(byte[] data, int from, int to, DataType.Decimal type) {
        BigDecimal number = Numbers.decimal(string(data, from, to));
        BigDecimal fitted =
                number == null ? null : Numbers.fit(number, type.precision(), type.scale());
        return object(fitted);
    }

    private String json(byte[] data, int from, int to) throws Unusable {
        return JsonCheck.isValue(data, from, to) ? string(data, from, to, false) : "is no JSON";
    }

    private String base64(byte[] data, int from, int to) {
        try {
            return object(Base64.getDecoder().decode(string(data, from, to)));
        } catch (IllegalArgumentException e) {
            return "is not base64";
        }
    }

    private String object(Object value) {
        if (value == null) {
            return "is no " + type();
        }
        state = State.OBJECT;
        object = value;
        return null;
    }

    private static String string(byte[] data, int from, int to) {
        return new String(data, from, to - from, StandardCharsets.ISO_8859_1);
    }

    private static String abbreviated(byte[] data, int from, int to) {
        return to - from <= 40 ? string(data, from, to) : string(data, from, from + 37) + "...";
    }

    /** Adds the value read last. */
    void append() {
        switch (state) {
            case NULL -> builder.appendNull();
            case LONG -> ((ColumnBuilder.Longs) builder).appendLong(whole);
            case DOUBLE -> ((ColumnBuilder.Doubles) builder).appendDouble(real);
            case BOOL -> ((ColumnBuilder.Bools) builder).appendBool(whole != 0);
            case TEXT -> ((ColumnBuilder.Strings) builder).appendBytes(text, textFrom, textTo);
            case OBJECT -> builder.append(object);
        }
    }
}
