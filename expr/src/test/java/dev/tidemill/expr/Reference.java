package dev.tidemill.expr;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The language one row at a time, as its rules are written and without thought for speed: what the kernels are compared with. Shares nothing with them but the
 * tree. Values are null, Boolean, Long, Double, String, List and Map.
 */
final class Reference {
    /** The row has no value. */
    static final class Failed extends Exception {
        private static final long serialVersionUID = 1;

        Failed(String message) {
            super(message, null, false, false);
        }
    }

    /** The functions that {@link #call} knows. */
    static final List<String> FUNCTIONS =
            List.of(
                    "abs",
                    "floor",
                    "ceil",
                    "trunc",
                    "round",
                    "sqrt",
                    "min",
                    "max",
                    "clamp",
                    "toNumber",
                    "upper",
                    "lower",
                    "trim",
                    "reverse",
                    "concat",
                    "concatWs",
                    "contains",
                    "startsWith",
                    "endsWith",
                    "replace",
                    "indexOf",
                    "repeat",
                    "padStart",
                    "split",
                    "splitPart",
                    "substr",
                    "left",
                    "right",
                    "toString",
                    "arrayContains",
                    "first",
                    "last",
                    "arrayReverse",
                    "distinct",
                    "arraySum",
                    "arrayMin",
                    "arrayMax",
                    "arrayJoin",
                    "coalesce",
                    "isNull",
                    "nullIf",
                    "isNumber",
                    "isString",
                    "isBoolean",
                    "length",
                    "typeOf");

    private final Map<String, Object> row;

    private Reference(Map<String, Object> row) {
        this.row = row;
    }

    static Object eval(Node node, Map<String, Object> row) throws Failed {
        return new Reference(row).eval(node);
    }

    private Object eval(Node node) throws Failed {
        return switch (node) {
            case Node.Literal literal -> literal.value();
            case Node.Name name -> row.get(name.name());
            case Node.ListOf list -> evalAll(list.items());
            case Node.Unary unary ->
                    unary.operator() == '!'
                            ? !bool(eval(unary.operand()))
                            : negate(eval(unary.operand()));
            case Node.Binary binary -> binary(binary);
            case Node.Conditional c ->
                    bool(eval(c.condition())) ? eval(c.then()) : eval(c.otherwise());
            case Node.Index index -> index(eval(index.target()), eval(index.index()));
            case Node.Call call -> call(call.function().name(), evalAll(call.arguments()));
        };
    }

    private List<Object> evalAll(List<Node> nodes) throws Failed {
        List<Object> out = new ArrayList<>();
        for (Node node : nodes) {
            out.add(eval(node));
        }
        return out;
    }

    private Object binary(Node.Binary node) throws Failed {
        Object a = eval(node.left());
        if (node.operator() == Node.Operator.AND) {
            return bool(a) && bool(eval(node.right()));
        }
        if (node.operator() == Node.Operator.OR) {
            return bool(a) || bool(eval(node.right()));
        }
        Object b = eval(node.right());
        return switch (node.operator()) {
            case EQUAL -> equal(a, b);
            case NOT_EQUAL -> !equal(a, b);
            case IN -> in(a, b);
            case LESS -> ordered(a, b, order -> order < 0);
            case LESS_OR_EQUAL -> ordered(a, b, order -> order <= 0);
            case GREATER -> ordered(a, b, order -> order > 0);
            case GREATER_OR_EQUAL -> ordered(a, b, order -> order >= 0);
            default -> arithmetic(node.operator(), a, b);
        };
    }

    static boolean bool(Object value) throws Failed {
        if (value instanceof Boolean bool) {
            return bool;
        }
        throw new Failed("no boolean: " + value);
    }

    private static Object negate(Object value) throws Failed {
        if (value == null) {
            return null;
        }
        return value instanceof Double d
                ? (Object) (-d)
                : (Object) whole(BigInteger.valueOf(number(value, Long.class)).negate());
    }

    private static <T> T number(Object value, Class<T> kind) throws Failed {
        if (kind.isInstance(value)) {
            return kind.cast(value);
        }
        throw new Failed("no number: " + value);
    }

    private static long whole(BigInteger value) throws Failed {
        if (value.bitLength() > 63) {
            throw new Failed("overflow");
        }
        return value.longValue();
    }

    private static double finite(double value) throws Failed {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            throw new Failed("not finite");
        }
        return value;
    }

    private static Object arithmetic(Node.Operator operator, Object a, Object b) throws Failed {
        if (a == null || b == null) {
            return null;
        }
        if (operator == Node.Operator.ADD && a instanceof String && b instanceof String) {
            return a + (String) b;
        }
        double x = number(a, Number.class).doubleValue();
        double y = number(b, Number.class).doubleValue();
        boolean divides = operator == Node.Operator.DIVIDE || operator == Node.Operator.REMAINDER;
        if (divides && y == 0) {
            throw new Failed("by zero");
        }
        if (a instanceof Long i && b instanceof Long j && operator != Node.Operator.DIVIDE) {
            BigInteger p = BigInteger.valueOf(i);
            BigInteger q = BigInteger.valueOf(j);
            return whole(
                    switch (operator) {
                        case ADD -> p.add(q);
                        case SUBTRACT -> p.subtract(q);
                        case MULTIPLY -> p.multiply(q);
                        default -> p.remainder(q);
                    });
        }
        return finite(
                switch (operator) {
                    case ADD -> x + y;
                    case SUBTRACT -> x - y;
                    case MULTIPLY -> x * y;
                    case DIVIDE -> x / y;
                    default -> x % y;
                });
    }

    private static boolean isNaN(Object value) {
        return value instanceof Double d && d.isNaN();
    }

    static boolean equal(Object a, Object b) {
        if (a == null || b == null) {
            return a == null && b == null;
        }
        if (a instanceof Number x && b instanceof Number y) {
            return !isNaN(a) && !isNaN(b) && compareNumbers(x, y) == 0;
        }
        if (a instanceof List<?> x && b instanceof List<?> y) {
            boolean same = x.size() == y.size();
            for (int i = 0; same && i < x.size(); i++) {
                same = equal(x.get(i), y.get(i));
            }
            return same;
        }
        if (a instanceof Map<?, ?> x && b instanceof Map<?, ?> y) {
            return x.keySet().equals(y.keySet())
                    && x.keySet().stream().allMatch(key -> equal(x.get(key), y.get(key)));
        }
        return a.equals(b);
    }

    private static int compareNumbers(Number a, Number b) {
        double x = a.doubleValue();
        double y = b.doubleValue();
        boolean infinite = Double.isInfinite(x) || Double.isInfinite(y);
        return infinite ? Double.compare(x, y) : exact(a).compareTo(exact(b));
    }

    private static BigDecimal exact(Number number) {
        return number instanceof Long l
                ? BigDecimal.valueOf(l)
                : new BigDecimal(number.doubleValue());
    }

    private static boolean ordered(Object a, Object b, Predicate<Integer> wanted) throws Failed {
        if (a == null || b == null) {
            return false;
        }
        if (a instanceof Number x && b instanceof Number y) {
            return !isNaN(a) && !isNaN(b) && wanted.test(compareNumbers(x, y));
        }
        if (a instanceof String x && b instanceof String y) {
            return wanted.test(java.util.Arrays.compare(characters(x), characters(y)));
        }
        throw new Failed("not ordered");
    }

    private static int[] characters(String s) {
        return s.codePoints().toArray();
    }

    private static String text(int[] characters, int from, int to) {
        return from >= to ? "" : new String(characters, from, to - from);
    }

    private static boolean in(Object value, Object list) throws Failed {
        if (!(list instanceof List<?> items)) {
            throw new Failed("no list");
        }
        return items.stream().anyMatch(item -> equal(value, item));
    }

    private static Object index(Object target, Object index) {
        if (target instanceof List<?> list && index instanceof Number number) {
            for (int i = 0; i < list.size(); i++) {
                if (equal(number, (long) i)) {
                    return list.get(i);
                }
            }
            return null;
        }
        return target instanceof Map<?, ?> map && index instanceof String ? map.get(index) : null;
    }

    private static String string(Object value) throws Failed {
        return number(value, String.class);
    }

    private static List<?> list(Object value) throws Failed {
        return number(value, List.class);
    }

    /** A count: cut to whole, within what fits an int; results are far smaller. */
    private static int count(Object value) throws Failed {
        Number number = number(value, Number.class);
        if (isNaN(number)) {
            throw new Failed("NaN");
        }
        return (int)
                Math.max(
                        -20_000_000,
                        Math.min(
                                20_000_000,
                                number instanceof Long l ? l : (long) number.doubleValue()));
    }

    private static Object rounded(Object value, java.math.RoundingMode mode) throws Failed {
        if (value instanceof Long) {
            return value;
        }
        return new BigDecimal(finite(number(value, Double.class))).setScale(0, mode).doubleValue();
    }

    private static Object extreme(List<?> values, int sign) throws Failed {
        Number best = null;
        for (Object value : values) {
            if (value == null) {
                continue;
            }
            Number x = number(value, Number.class);
            finite(x.doubleValue());
            best = best == null || compareNumbers(x, best) * sign > 0 ? x : best;
        }
        return best;
    }

    private static final List<String> TAKE_NULLS =
            List.of(
                    "min",
                    "max",
                    "concatWs",
                    "coalesce",
                    "isNull",
                    "nullIf",
                    "isNumber",
                    "isString",
                    "isBoolean",
                    "typeOf",
                    "arrayContains");

    private static Object call(String name, List<Object> a) throws Failed {
        if (!TAKE_NULLS.contains(name) && a.contains(null)) {
            return null;
        }
        Object x = a.get(0);
        Object y = a.size() > 1 ? a.get(1) : null;
        Object z = a.size() > 2 ? a.get(2) : null;
        return switch (name) {
            case "abs" -> {
                finite(number(x, Number.class).doubleValue());
                yield x instanceof Double d
                        ? (Object) Math.abs(d)
                        : (Object) whole(BigInteger.valueOf((Long) x).abs());
            }
            case "floor" -> rounded(x, java.math.RoundingMode.FLOOR);
            case "ceil" -> rounded(x, java.math.RoundingMode.CEILING);
            case "trunc" -> rounded(x, java.math.RoundingMode.DOWN);
            case "round" -> rounded(x, java.math.RoundingMode.HALF_UP);
            case "sqrt" -> finite(Math.sqrt(number(x, Number.class).doubleValue()));
            case "min" -> extreme(a, -1);
            case "max" -> extreme(a, 1);
            case "clamp" -> {
                extreme(a, 1);
                if (ordered(y, z, order -> order > 0)) {
                    throw new Failed("lo > hi");
                }
                yield ordered(x, y, order -> order < 0)
                        ? y
                        : ordered(x, z, order -> order > 0) ? z : x;
            }
            case "toNumber" -> {
                if (x instanceof Number n) {
                    finite(n.doubleValue());
                    yield x;
                }
                String digits = string(x).strip();
                if (!digits.matches("[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?")) {
                    throw new Failed("no number");
                }
                yield finite(Double.parseDouble(digits));
            }
            case "upper" -> string(x).toUpperCase(Locale.ROOT);
            case "lower" -> string(x).toLowerCase(Locale.ROOT);
            case "trim" -> string(x).strip();
            case "reverse" -> {
                StringBuilder out = new StringBuilder();
                string(x).codePoints().forEach(c -> out.insert(0, Character.toString(c)));
                yield out.toString();
            }
            case "concat" -> {
                String out = "";
                for (Object part : a) {
                    out += string(part);
                }
                yield out;
            }
            case "concatWs" -> x == null ? null : join(a.subList(1, a.size()), string(x));
            case "contains" -> string(x).contains(string(y));
            case "startsWith" -> string(x).startsWith(string(y));
            case "endsWith" -> string(x).endsWith(string(y));
            case "replace" -> replace(string(x), string(y), string(z));
            case "indexOf" -> {
                int at = string(x).indexOf(string(y));
                yield at < 0 ? -1L : (long) characters(string(x).substring(0, at)).length;
            }
            case "repeat" -> {
                string(x);
                int n = Math.max(0, count(y));
                if ((long) n * string(x).getBytes(java.nio.charset.StandardCharsets.UTF_8).length
                        > 10 << 20) {
                    throw new Failed("over 10 MiB");
                }
                yield string(x).repeat(n);
            }
            case "padStart" -> pad(string(x), count(y), string(z));
            case "split" -> split(string(x), string(y));
            case "splitPart" -> {
                List<String> parts = split(string(x), string(y));
                int n = count(z);
                if (n == 0) {
                    throw new Failed("part 0");
                }
                int index = n > 0 ? n - 1 : parts.size() + n;
                yield index >= 0 && index < parts.size() ? parts.get(index) : "";
            }
            case "substr" -> {
                int[] characters = characters(string(x));
                long start = count(y);
                long end = a.size() == 3 ? start + count(z) : Integer.MAX_VALUE;
                if (a.size() == 3 && count(z) < 0) {
                    throw new Failed("negative length");
                }
                StringBuilder out = new StringBuilder();
                for (int i = 1; i <= characters.length; i++) {
                    out.append(i >= start && i < end ? Character.toString(characters[i - 1]) : "");
                }
                yield out.toString();
            }
            case "left" -> {
                int[] characters = characters(string(x));
                int n = count(y);
                yield text(
                        characters,
                        0,
                        n >= 0 ? Math.min(n, characters.length) : characters.length + n);
            }
            case "right" -> {
                int[] characters = characters(string(x));
                int n = count(y);
                yield text(
                        characters,
                        n >= 0
                                ? Math.max(0, characters.length - n)
                                : Math.min(-n, characters.length),
                        characters.length);
            }
            case "toString" -> {
                if (x instanceof List || x instanceof Map) {
                    throw new Failed("no text");
                }
                yield x instanceof Double d ? digits(d) : x.toString();
            }
            case "arrayContains" -> x == null ? null : in(y, list(x));
            case "first" -> list(x).isEmpty() ? null : list(x).getFirst();
            case "last" -> list(x).isEmpty() ? null : list(x).getLast();
            case "arrayReverse" -> {
                List<Object> out = new ArrayList<>(list(x));
                Collections.reverse(out);
                yield out;
            }
            case "distinct" -> {
                List<Object> out = new ArrayList<>();
                for (Object item : list(x)) {
                    if (!in(item, out)) {
                        out.add(item);
                    }
                }
                yield out;
            }
            case "arraySum" -> {
                Object sum = 0L;
                for (Object item : list(x)) {
                    if (item != null) {
                        number(item, Number.class);
                        sum = arithmetic(Node.Operator.ADD, sum, item);
                    }
                }
                yield sum;
            }
            case "arrayMin" -> extreme(list(x), -1);
            case "arrayMax" -> extreme(list(x), 1);
            case "arrayJoin" -> join(list(x), string(y));
            case "coalesce" -> a.stream().filter(value -> value != null).findFirst().orElse(null);
            case "isNull" -> x == null;
            case "nullIf" -> equal(x, y) ? null : x;
            case "isNumber" -> x instanceof Number;
            case "isString" -> x instanceof String;
            case "isBoolean" -> x instanceof Boolean;
            case "length" ->
                    x instanceof List<?> list
                            ? (long) list.size()
                            : (long) characters(string(x)).length;
            case "typeOf" ->
                    switch (x) {
                        case null -> "null";
                        case Boolean _ -> "boolean";
                        case Number _ -> "number";
                        case String _ -> "string";
                        case List<?> _ -> "list";
                        default -> "object";
                    };
            default -> throw new AssertionError(name);
        };
    }

    private static String digits(double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            return Double.toString(value);
        }
        BigDecimal decimal =
                value == Math.rint(value)
                        ? new BigDecimal(value)
                        : new BigDecimal(Double.toString(value));
        return value == 0 ? "0" : decimal.stripTrailingZeros().toPlainString();
    }

    private static String join(List<?> parts, String separator) throws Failed {
        List<String> strings = new ArrayList<>();
        for (Object part : parts) {
            if (part != null) {
                strings.add(string(part));
            }
        }
        return String.join(separator, strings);
    }

    private static String replace(String s, String from, String to) {
        if (!from.isEmpty()) {
            return String.join(to, split(s, from, 0));
        }
        StringBuilder out = new StringBuilder(to);
        s.codePoints().forEach(c -> out.appendCodePoint(c).append(to));
        return out.toString();
    }

    private static List<String> split(String s, String separator) throws Failed {
        if (separator.isEmpty()) {
            throw new Failed("empty separator");
        }
        return split(s, separator, 0);
    }

    private static List<String> split(String s, String separator, int from) {
        List<String> out = new ArrayList<>();
        int at = s.indexOf(separator, from);
        if (at < 0) {
            out.add(s.substring(from));
            return out;
        }
        out.add(s.substring(from, at));
        out.addAll(split(s, separator, at + separator.length()));
        return out;
    }

    private static String pad(String s, int length, String fill) {
        int[] fills = characters(fill);
        StringBuilder out = new StringBuilder();
        for (int i = 0; fills.length > 0 && i < length - characters(s).length; i++) {
            out.appendCodePoint(fills[i % fills.length]);
        }
        return out + s;
    }
}
