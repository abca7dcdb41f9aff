package dev.tidemill.data;

import java.math.BigDecimal;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** JSON text of a value as {@link Column#value} gives it. For the edges; the fast encoder is in the formats. */
public final class JsonText {
    private JsonText() {}

    public static String of(Object value) {
        StringBuilder out = new StringBuilder();
        append(out, value);
        return out.toString();
    }

    /** JSON text of a value of that type: unlike {@link #of(Object)} it knows json text, wherever it is inside, from strings. */
    public static String of(Object value, DataType type) {
        StringBuilder out = new StringBuilder();
        append(out, value, type);
        return out.toString();
    }

    /** A value as text: a string as it is, bytes in base64, NaN and the infinities by name, anything else as JSON writes it. */
    static String plain(Object value) {
        return switch (value) {
            case String string -> string;
            case byte[] bytes -> Base64.getEncoder().encodeToString(bytes);
            case Double d -> d.toString();
            default -> of(value);
        };
    }

    private static void append(StringBuilder out, Object value, DataType type) {
        switch (type) {
            case DataType.Json _ when value instanceof String text -> out.append(text);
            case DataType.ListOf(DataType element) when value instanceof List<?> list ->
                    appendList(out, list, element);
            case DataType.Struct struct when value instanceof Map<?, ?> map ->
                    appendStruct(out, map, struct);
            default -> append(out, value);
        }
    }

    private static void appendList(StringBuilder out, List<?> list, DataType element) {
        out.append('[');
        String separator = "";
        for (Object item : list) {
            out.append(separator);
            append(out, item, element);
            separator = ",";
        }
        out.append(']');
    }

    private static void appendStruct(StringBuilder out, Map<?, ?> map, DataType.Struct struct) {
        out.append('{');
        String separator = "";
        for (Field field : struct.fields()) {
            Object item = map.get(field.name());
            if (item == null) {
                continue;
            }
            out.append(separator);
            quote(out, field.name());
            out.append(':');
            append(out, item, field.type());
            separator = ",";
        }
        out.append('}');
    }

    private static void append(StringBuilder out, Object value) {
        switch (value) {
            case null -> out.append("null");
            case String s -> quote(out, s);
            case Double d -> appendDouble(out, d);
            case BigDecimal d -> out.append(d.toPlainString());
            case byte[] bytes -> quote(out, Base64.getEncoder().encodeToString(bytes));
            case List<?> list -> appendList(out, list);
            case Map<?, ?> map -> appendMap(out, map);
            default -> out.append(value);
        }
    }

    private static void appendDouble(StringBuilder out, double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            out.append("null");
            return;
        }
        out.append(value);
    }

    private static void appendList(StringBuilder out, List<?> list) {
        out.append('[');
        String separator = "";
        for (Object element : list) {
            out.append(separator);
            append(out, element);
            separator = ",";
        }
        out.append(']');
    }

    private static void appendMap(StringBuilder out, Map<?, ?> map) {
        out.append('{');
        String separator = "";
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            if (entry.getValue() == null) {
                continue;
            }
            out.append(separator);
            quote(out, (String) entry.getKey());
            out.append(':');
            append(out, entry.getValue());
            separator = ",";
        }
        out.append('}');
    }

    private static void quote(StringBuilder out, String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (c < 0x20) {
                        out.append(String.format("\\u%04x", (int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }

    /**
     * The value of JSON text: null, Boolean, Long (whole numbers in range), Double, String, List, Map. The text is taken to be valid, as that of json columns
     * is; what is not gives null.
     */
    public static Object parse(String text) {
        try {
            return new Reader(text).value();
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            return null;
        }
    }

    private static final class Reader {
        /** No text may exhaust the stack; what lies deeper reads as null. */
        private static final int MAX_DEPTH = 1000;

        private final String text;
        private int at;
        private int depth;

        Reader(String text) {
            this.text = text;
        }

        Object value() {
            skipBlanks();
            return switch (peek()) {
                case '{', '[' -> nested();
                case '"' -> string();
                case 't' -> literal(4, Boolean.TRUE);
                case 'f' -> literal(5, Boolean.FALSE);
                case 'n', 0 -> literal(4, null);
                default -> number();
            };
        }

        private Object nested() {
            if (++depth > MAX_DEPTH) {
                throw new IllegalArgumentException("nested more than " + MAX_DEPTH + " deep");
            }
            Object value = peek() == '{' ? map() : list();
            depth--;
            return value;
        }

        private Object literal(int length, Boolean value) {
            at += length;
            return value;
        }

        private Map<String, Object> map() {
            Map<String, Object> out = new java.util.LinkedHashMap<>();
            at++;
            skipBlanks();
            while (peek() == '"') {
                String key = string();
                skipBlanks();
                at++;
                out.put(key, value());
                skipBlanks();
                if (peek() == ',') {
                    at++;
                    skipBlanks();
                }
            }
            at++;
            return out;
        }

        private List<Object> list() {
            List<Object> out = new java.util.ArrayList<>();
            at++;
            skipBlanks();
            while (peek() != ']' && peek() != 0) {
                out.add(value());
                skipBlanks();
                if (peek() == ',') {
                    at++;
                    skipBlanks();
                }
            }
            at++;
            return out;
        }

        private String string() {
            StringBuilder out = new StringBuilder();
            at++;
            while (peek() != '"' && at < text.length()) {
                char c = text.charAt(at++);
                out.append(c == '\\' ? escape() : c);
            }
            at++;
            return out.toString();
        }

        private char escape() {
            char c = peek();
            at++;
            return switch (c) {
                case 'b' -> '\b';
                case 'f' -> '\f';
                case 'n' -> '\n';
                case 'r' -> '\r';
                case 't' -> '\t';
                case 'u' -> {
                    char unit =
                            (char) Integer.parseInt(text, at, Math.min(text.length(), at + 4), 16);
                    at += 4;
                    yield unit;
                }
                default -> c;
            };
        }

        private Object number() {
            int start = at;
            boolean whole = true;
            while (at < text.length() && "+-0123456789.eE".indexOf(text.charAt(at)) >= 0) {
                whole &= ".eE".indexOf(text.charAt(at)) < 0;
                at++;
            }
            String digits = text.substring(start, at);
            if (digits.isEmpty()) {
                at = text.length();
                return null;
            }
            if (!whole) {
                return Double.valueOf(digits);
            }
            try {
                return Long.valueOf(digits);
            } catch (NumberFormatException e) {
                return new BigDecimal(digits);
            }
        }

        private void skipBlanks() {
            while (at < text.length() && text.charAt(at) <= ' ') {
                at++;
            }
        }

        private char peek() {
            return at < text.length() ? text.charAt(at) : 0;
        }
    }
}
