package dev.tidemill.data;

import java.math.BigDecimal;
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

    private static void append(StringBuilder out, Object value) {
        switch (value) {
            case null -> out.append("null");
            case String s -> quote(out, s);
            case Double d -> appendDouble(out, d);
            case BigDecimal d -> out.append(d.toPlainString());
            case byte[] bytes -> quote(out, java.util.Base64.getEncoder().encodeToString(bytes));
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
}
