package dev.tidemill.expr;

import dev.tidemill.data.DataType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;

/** Arguments of a function by the kind it needs; the wrong kind is an error of the row. */
final class Arguments {
    private Arguments() {}

    static double number(String function, Object[] arguments, int index) throws EvalError {
        return numeric(function, arguments, index).doubleValue();
    }

    static Number numeric(String function, Object[] arguments, int index) throws EvalError {
        if (arguments[index] instanceof Number number) {
            return number;
        }
        throw wrongKind(function, arguments, index, "a number");
    }

    static String text(String function, Object[] arguments, int index) throws EvalError {
        if (arguments[index] instanceof String text) {
            return text;
        }
        throw wrongKind(function, arguments, index, "a string");
    }

    static List<?> list(String function, Object[] arguments, int index) throws EvalError {
        if (arguments[index] instanceof List<?> list) {
            return list;
        }
        throw wrongKind(function, arguments, index, "a list");
    }

    /** A whole number of any numeric kind. */
    static long whole(String function, Object[] arguments, int index) throws EvalError {
        Number number = numeric(function, arguments, index);
        if (number instanceof Long value) {
            return value;
        }
        if (number instanceof BigDecimal exact) {
            try {
                return exact.longValueExact();
            } catch (ArithmeticException e) {
                throw new EvalError(
                        function + " needs a whole number, found " + Numbers.text(number));
            }
        }
        double value = number.doubleValue();
        if (value != Math.rint(value) || Math.abs(value) >= 0x1p63) {
            throw new EvalError(function + " needs a whole number, found " + Numbers.text(number));
        }
        return (long) value;
    }

    /** A number cut to a whole one; saturates. */
    static long cut(String function, Object[] arguments, int index) throws EvalError {
        Number number = numeric(function, arguments, index);
        if (Values.isNaN(number)) {
            throw new EvalError(function + " needs a number, found NaN");
        }
        return number instanceof BigDecimal d
                ? cut(d)
                : number instanceof Long l ? l : (long) number.doubleValue();
    }

    private static long cut(BigDecimal value) {
        BigInteger whole = value.toBigInteger();
        return whole.bitLength() < 64
                ? whole.longValue()
                : whole.signum() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }

    static EvalError wrongKind(String function, Object[] arguments, int index, String wanted) {
        return new EvalError(
                function
                        + " needs "
                        + wanted
                        + " as argument "
                        + (index + 1)
                        + ", found "
                        + Values.kind(arguments[index]));
    }

    /**
     * int64 when all arguments are, decimal when exact kinds mix, json when one is not known before the row, else float64. Arguments that are no
     * numbers do not count: they are null or fail.
     */
    static DataType numericResult(List<DataType> arguments) {
        if (arguments.stream().anyMatch(Expressions::isDynamic)) {
            return DataType.JSON;
        }
        DataType result = DataType.NULL;
        for (DataType type : arguments) {
            DataType number = type.isTemporal() ? DataType.INT64 : type;
            if (number.isNumeric()) {
                result = DataType.widen(result, number);
            }
        }
        return result;
    }
}
