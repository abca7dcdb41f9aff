package dev.tidemill.formats.json;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** RFC 8259 as plainly as possible. Numbers are BigDecimal. */
final class ReferenceJson {
    private static final Pattern NUMBER =
            Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");

    private final String text;
    private int at;
    private int depth;

    /** Whether each value of the object itself fits a column, also those that a later one of the same name replaces. */
    private boolean allFit = true;

    private ReferenceJson(String text) {
        this.text = text;
    }

    static Map<String, Object> object(String text) {
        return new ReferenceJson(text).whole();
    }

    private Map<String, Object> whole() {
        space();
        check(at < text.length() && text.charAt(at) == '{');
        Map<String, Object> value = map();
        space();
        check(at == text.length());
        return value;
    }

    /** An object with a number that int64 and float64 cannot hold; whether it gives a row depends on the column. */
    static final Map<String, Object> UNFIT = new LinkedHashMap<>();

    /** Null for what is no object. */
    static Map<String, Object> objectOrNull(byte[] data) {
        try {
            String text =
                    StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(data)).toString();
            ReferenceJson reader = new ReferenceJson(text);
            Map<String, Object> value = reader.whole();
            return reader.allFit ? value : UNFIT;
        } catch (IllegalArgumentException | CharacterCodingException e) {
            return null;
        }
    }

    private static boolean fits(Object value) {
        if (value instanceof List<?> list) {
            return list.stream().allMatch(ReferenceJson::fits);
        }
        if (!(value instanceof BigDecimal number)) {
            return true;
        }
        boolean whole = number.scale() == 0;
        return whole
                ? number.toBigInteger().bitLength() < 64
                : !Double.isInfinite(number.doubleValue());
    }

    private static void check(boolean holds) {
        if (!holds) {
            throw new IllegalArgumentException("not JSON");
        }
    }

    private void space() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private char next() {
        check(at < text.length());
        return text.charAt(at++);
    }

    private Object value() {
        space();
        check(at < text.length());
        for (Map.Entry<String, Boolean> word : Map.of("true", true, "false", false).entrySet()) {
            if (text.startsWith(word.getKey(), at)) {
                at += word.getKey().length();
                return word.getValue();
            }
        }
        if (text.startsWith("null", at)) {
            at += 4;
            return null;
        }
        return switch (text.charAt(at)) {
            case '{' -> map();
            case '[' -> list();
            case '"' -> string();
            default -> number();
        };
    }

    private BigDecimal number() {
        Matcher matcher = NUMBER.matcher(text).region(at, text.length());
        check(matcher.lookingAt());
        at = matcher.end();
        try {
            return new BigDecimal(matcher.group());
        } catch (NumberFormatException e) {
            // An exponent beyond int.
            return Double.parseDouble(matcher.group()) == 0
                    ? BigDecimal.ZERO
                    : new BigDecimal("1e999");
        }
    }

    private Map<String, Object> map() {
        Map<String, Object> out = new LinkedHashMap<>();
        depth++;
        at++;
        space();
        if (at < text.length() && text.charAt(at) == '}') {
            depth--;
            at++;
            return out;
        }
        for (; ; ) {
            space();
            check(at < text.length() && text.charAt(at) == '"');
            String name = string();
            space();
            check(next() == ':');
            Object value = value();
            allFit &= depth > 1 || fits(value);
            out.put(name, value);
            space();
            char c = next();
            if (c == '}') {
                depth--;
                return out;
            }
            check(c == ',');
        }
    }

    private List<Object> list() {
        List<Object> out = new ArrayList<>();
        at++;
        space();
        if (at < text.length() && text.charAt(at) == ']') {
            at++;
            return out;
        }
        for (; ; ) {
            out.add(value());
            space();
            char c = next();
            if (c == ']') {
                return out;
            }
            check(c == ',');
        }
    }

    private String string() {
        StringBuilder out = new StringBuilder();
        at++;
        for (; ; ) {
            char c = next();
            if (c == '"') {
                break;
            }
            check(c >= ' ');
            out.append(c == '\\' ? escape() : c);
        }
        for (int i = 0; i < out.length(); i++) {
            boolean high = Character.isHighSurrogate(out.charAt(i));
            boolean pair =
                    high && i + 1 < out.length() && Character.isLowSurrogate(out.charAt(i + 1));
            check(pair || !Character.isSurrogate(out.charAt(i)));
            i += pair ? 1 : 0;
        }
        return out.toString();
    }

    private char escape() {
        char c = next();
        if (c == 'u') {
            check(at + 4 <= text.length() && text.substring(at, at + 4).matches("[0-9a-fA-F]{4}"));
            at += 4;
            return (char) Integer.parseInt(text.substring(at - 4, at), 16);
        }
        int index = "\"\\/bfnrt".indexOf(c);
        check(index >= 0);
        return "\"\\/\b\f\n\r\t".charAt(index);
    }

    /** Whether a decoded row says the same: types may have been widened, to float64, to text, to a list, to json. */
    static boolean sameValues(Map<String, Object> row, Map<String, Object> expected) {
        return row.keySet().equals(expected.keySet())
                && row.entrySet().stream()
                        .allMatch(each -> same(each.getValue(), expected.get(each.getKey())));
    }

    private static boolean same(Object decoded, Object expected) {
        return switch (decoded) {
            case null -> expected == null;
            case Boolean b -> b.equals(expected);
            case Long n ->
                    expected instanceof BigDecimal d && d.compareTo(BigDecimal.valueOf(n)) == 0;
            case Double n -> expected instanceof BigDecimal d && d.doubleValue() == n;
            case String s when expected instanceof String ->
                    s.equals(expected) || sameJson(s, expected);
            case String s -> sameJson(s, expected);
            case List<?> list when expected instanceof List<?> others -> sameLists(list, others);
            case List<?> list -> list.size() == 1 && same(list.getFirst(), expected);
            default -> false;
        };
    }

    private static boolean sameLists(List<?> list, List<?> others) {
        if (list.size() != others.size()) {
            return false;
        }
        for (int i = 0; i < list.size(); i++) {
            if (!same(list.get(i), others.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** Text that was made of a value: its JSON, equal as a value; a number may have gone through float64. */
    private static boolean sameJson(String text, Object expected) {
        try {
            return sameTree(object("{\"v\":" + text + "}").get("v"), expected);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static boolean sameTree(Object a, Object b) {
        return switch (a) {
            case null -> b == null;
            // A scalar that became text, and then the text became json.
            case String s when b instanceof BigDecimal || b instanceof Boolean -> sameJson(s, b);
            case BigDecimal n ->
                    b instanceof BigDecimal d
                            && (n.compareTo(d) == 0 || n.doubleValue() == d.doubleValue());
            case List<?> list when b instanceof List<?> others && list.size() == others.size() -> {
                for (int i = 0; i < list.size(); i++) {
                    if (!sameTree(list.get(i), others.get(i))) {
                        yield false;
                    }
                }
                yield true;
            }
            case List<?> list -> list.size() == 1 && sameTree(list.getFirst(), b);
            case Map<?, ?> map when b instanceof Map<?, ?> others -> {
                // A null inside an object may have been left out.
                Set<Object> names = new HashSet<>(map.keySet());
                names.addAll(others.keySet());
                yield names.stream().allMatch(key -> sameTree(map.get(key), others.get(key)));
            }
            default -> a.equals(b);
        };
    }
}
