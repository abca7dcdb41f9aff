package dev.tidemill.expr;

import dev.tidemill.data.BytesColumn;
import dev.tidemill.data.Column;
import dev.tidemill.data.DataType;
import dev.tidemill.data.DictionaryColumn;
import dev.tidemill.data.JsonText;
import dev.tidemill.data.ListColumn;
import dev.tidemill.data.StructColumn;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The values of the language and the rules of its operators, one value at a time: null, Boolean, Long (also points in time, in ms), Double, BigDecimal,
 * String, List, Map. The kernels over columns follow the same rules.
 */
final class Values {
    private Values() {}

    /** The value of a row, with json resolved. */
    static Object of(Column column, int row) {
        if (column.isNull(row)) {
            return null;
        }
        return switch (column) {
            case DictionaryColumn c -> of(c.dictionary(), c.indices()[row]);
            case BytesColumn c when c.type() instanceof DataType.Json ->
                    JsonText.parse(c.string(row));
            case BytesColumn c -> c.string(row);
            case ListColumn c -> list(c, row);
            case StructColumn c -> struct(c, row);
            default -> column.value(row);
        };
    }

    private static List<Object> list(ListColumn column, int row) {
        List<Object> out = new ArrayList<>();
        for (int i = column.offsets()[row]; i < column.offsets()[row + 1]; i++) {
            out.add(of(column.elements(), i));
        }
        return out;
    }

    private static Map<String, Object> struct(StructColumn column, int row) {
        DataType.Struct type = (DataType.Struct) column.type();
        Map<String, Object> out = new LinkedHashMap<>();
        for (int i = 0; i < type.fields().size(); i++) {
            out.put(type.fields().get(i).name(), of(column.child(i), row));
        }
        return out;
    }

    /** What users call the kind of a value: {@code null boolean number string list object}. */
    static String kind(Object value) {
        return switch (value) {
            case null -> "null";
            case Boolean _ -> "boolean";
            case Number _ -> "number";
            case String _ -> "string";
            case List<?> _ -> "list";
            case Map<?, ?> _ -> "object";
            default -> value.getClass().getSimpleName();
        };
    }

    /** {@code ==}: null equals null, kinds never mix, numbers by value, lists and objects deep, NaN equals nothing. */
    static boolean equal(Object a, Object b) {
        if (a == null || b == null) {
            return a == b;
        }
        if (a instanceof Number x && b instanceof Number y) {
            return !isNaN(x) && !isNaN(y) && compareNumbers(x, y) == 0;
        }
        if (a instanceof List<?> x && b instanceof List<?> y) {
            return equalLists(x, y);
        }
        if (a instanceof Map<?, ?> x && b instanceof Map<?, ?> y) {
            return equalMaps(x, y);
        }
        return a.equals(b);
    }

    private static boolean equalLists(List<?> a, List<?> b) {
        if (a.size() != b.size()) {
            return false;
        }
        for (int i = 0; i < a.size(); i++) {
            if (!equal(a.get(i), b.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean equalMaps(Map<?, ?> a, Map<?, ?> b) {
        if (!a.keySet().equals(b.keySet())) {
            return false;
        }
        for (Map.Entry<?, ?> entry : a.entrySet()) {
            if (!equal(entry.getValue(), b.get(entry.getKey()))) {
                return false;
            }
        }
        return true;
    }

    /**
     * {@code < <= > >=}: whether the comparison of two numbers or two strings has the wanted sign.
     *
     * @param operator one of the four
     */
    static boolean ordered(Node.Operator operator, Object a, Object b) throws EvalError {
        if (a == null || b == null) {
            return false;
        }
        int order;
        if (a instanceof Number x && b instanceof Number y) {
            if (isNaN(x) || isNaN(y)) {
                return false;
            }
            order = compareNumbers(x, y);
        } else if (a instanceof String x && b instanceof String y) {
            order = compareText(x, y);
        } else {
            throw new EvalError(
                    "'" + operator.symbol + "' does not compare " + kind(a) + " with " + kind(b));
        }
        return switch (operator) {
            case LESS -> order < 0;
            case LESS_OR_EQUAL -> order <= 0;
            case GREATER -> order > 0;
            case GREATER_OR_EQUAL -> order >= 0;
            default -> throw new IllegalArgumentException(operator.symbol);
        };
    }

    /** By code point. */
    static int compareText(String a, String b) {
        int length = Math.min(a.length(), b.length());
        for (int i = 0; i < length; i++) {
            char x = a.charAt(i);
            char y = b.charAt(i);
            if (x != y) {
                boolean surrogates = Character.isSurrogate(x) != Character.isSurrogate(y);
                return surrogates
                        ? Boolean.compare(Character.isSurrogate(x), Character.isSurrogate(y))
                        : x - y;
            }
        }
        return a.length() - b.length();
    }

    /** By value, exactly, also between int64 and float64; neither is NaN. */
    static int compareNumbers(Number a, Number b) {
        if (a instanceof Long x && b instanceof Long y) {
            return Long.compare(x, y);
        }
        if (a instanceof Double x && b instanceof Double y) {
            return x < y ? -1 : x > y ? 1 : 0;
        }
        if (a instanceof Long x && b instanceof Double y) {
            return compare(x, y);
        }
        if (a instanceof Double x && b instanceof Long y) {
            return -compare(y, x);
        }
        return compareDecimals(a, b);
    }

    private static int compareDecimals(Number a, Number b) {
        if (a instanceof Double x && Double.isInfinite(x)) {
            return x > 0 ? 1 : -1;
        }
        if (b instanceof Double y && Double.isInfinite(y)) {
            return y > 0 ? -1 : 1;
        }
        return decimal(a).compareTo(decimal(b));
    }

    /** An int64 with a float64 that is not NaN, without rounding the int64. */
    static int compare(long a, double b) {
        if (b >= 0x1p63) {
            return -1;
        }
        if (b < -0x1p63) {
            return 1;
        }
        long whole = (long) b;
        if (a != whole) {
            return a < whole ? -1 : 1;
        }
        double rest = b - whole;
        return rest > 0 ? -1 : rest < 0 ? 1 : 0;
    }

    static boolean isNaN(Number number) {
        return number instanceof Double d && d.isNaN();
    }

    static BigDecimal decimal(Number number) {
        return switch (number) {
            case BigDecimal d -> d;
            case Long l -> BigDecimal.valueOf(l);
            default -> new BigDecimal(number.doubleValue());
        };
    }

    /** The arithmetic operators. */
    static Object arithmetic(Node.Operator operator, Object a, Object b) throws EvalError {
        if (a == null || b == null) {
            return null;
        }
        if (operator == Node.Operator.ADD && a instanceof String x && b instanceof String y) {
            return x + y;
        }
        if (!(a instanceof Number x && b instanceof Number y)) {
            throw new EvalError(
                    "'" + operator.symbol + "' does not take " + kind(a) + " and " + kind(b));
        }
        if (x instanceof Long i && y instanceof Long j && operator != Node.Operator.DIVIDE) {
            return whole(operator, i, j);
        }
        if ((x instanceof BigDecimal || y instanceof BigDecimal)
                && !(x instanceof Double || y instanceof Double)
                && operator != Node.Operator.DIVIDE) {
            return decimals(operator, decimal(x), decimal(y));
        }
        return floating(operator, x.doubleValue(), y.doubleValue());
    }

    static long whole(Node.Operator operator, long a, long b) throws EvalError {
        try {
            return switch (operator) {
                case ADD -> Math.addExact(a, b);
                case SUBTRACT -> Math.subtractExact(a, b);
                case MULTIPLY -> Math.multiplyExact(a, b);
                case REMAINDER -> remainder(a, b);
                default -> throw new IllegalArgumentException(operator.symbol);
            };
        } catch (ArithmeticException e) {
            throw overflow(operator, a, b);
        }
    }

    static EvalError overflow(Node.Operator operator, long a, long b) {
        return new EvalError("int64 overflow: " + a + " " + operator.symbol + " " + b);
    }

    private static long remainder(long a, long b) throws EvalError {
        if (b == 0) {
            throw byZero(Node.Operator.REMAINDER);
        }
        return b == -1 ? 0 : a % b;
    }

    static EvalError byZero(Node.Operator operator) {
        return new EvalError(
                operator == Node.Operator.REMAINDER ? "remainder by zero" : "division by zero");
    }

    private static BigDecimal decimals(Node.Operator operator, BigDecimal a, BigDecimal b)
            throws EvalError {
        return switch (operator) {
            case ADD -> a.add(b);
            case SUBTRACT -> a.subtract(b);
            case MULTIPLY -> a.multiply(b);
            case REMAINDER -> {
                if (b.signum() == 0) {
                    throw byZero(operator);
                }
                yield a.remainder(b);
            }
            default -> throw new IllegalArgumentException(operator.symbol);
        };
    }

    static double floating(Node.Operator operator, double a, double b) throws EvalError {
        double result =
                switch (operator) {
                    case ADD -> a + b;
                    case SUBTRACT -> a - b;
                    case MULTIPLY -> a * b;
                    case DIVIDE -> {
                        if (b == 0) {
                            throw byZero(operator);
                        }
                        yield a / b;
                    }
                    case REMAINDER -> {
                        if (b == 0) {
                            throw byZero(operator);
                        }
                        yield a % b;
                    }
                    default -> throw new IllegalArgumentException(operator.symbol);
                };
        return finite(result);
    }

    static double finite(double value) throws EvalError {
        if (Double.isNaN(value)) {
            throw new EvalError("the result is not a number");
        }
        if (Double.isInfinite(value)) {
            throw new EvalError("the result is infinite");
        }
        return value;
    }

    static Object negate(Object value) throws EvalError {
        return switch (value) {
            case null -> null;
            case Long l when l == Long.MIN_VALUE ->
                    throw new EvalError("int64 overflow: -(" + l + ")");
            case Long l -> -l;
            case Double d -> -d;
            case BigDecimal d -> d.negate();
            default -> throw new EvalError("'-' does not take " + kind(value));
        };
    }

    static boolean bool(Object value, String where) throws EvalError {
        if (value instanceof Boolean bool) {
            return bool;
        }
        throw new EvalError(where + " takes booleans, found " + kind(value));
    }

    static boolean contains(Object value, Object list) throws EvalError {
        if (!(list instanceof List<?> items)) {
            throw new EvalError("'in' needs a list on its right, found " + kind(list));
        }
        for (Object item : items) {
            if (equal(value, item)) {
                return true;
            }
        }
        return false;
    }

    /** {@code target[index]}: null when there is no such item or the kinds do not fit. */
    static Object index(Object target, Object index) {
        if (target instanceof List<?> list && index instanceof Number number) {
            double position = number.doubleValue();
            boolean inside =
                    position >= 0 && position < list.size() && position == Math.rint(position);
            return inside ? list.get((int) position) : null;
        }
        if (target instanceof Map<?, ?> map && index instanceof String) {
            return map.get(index);
        }
        return null;
    }
}
