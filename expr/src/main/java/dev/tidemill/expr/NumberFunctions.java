package dev.tidemill.expr;

import dev.tidemill.data.DataType;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;

/** Functions of numbers. */
final class NumberFunctions {
    private static final long SAFE = (1L << 53) - 1;

    private NumberFunctions() {}

    static void addTo(Functions.FunctionSet set) {
        set.category("Numbers");
        addRounding(set);
        addAnalysis(set);
        addTrigonometry(set);
        addSeveral(set);
        addWhole(set);
    }

    private static void addRounding(Functions.FunctionSet set) {
        set.declare("abs(x)", "The distance from zero.")
                .example("abs(-3)", "3")
                .example("abs(-2.5)", "2.5")
                .example("abs(null)", "null")
                .gives(Arguments::numericResult)
                .is(
                        a -> {
                            Number x = Arguments.numeric("abs", a, 0);
                            Values.finite(x.doubleValue());
                            return isNegative(x) ? Values.negate(x) : x;
                        });
        set.declare("floor(x)", "The greatest whole number not above x.")
                .example("floor(2.7)", "2")
                .example("floor(-2.1)", "-3")
                .gives(Arguments::numericResult)
                .is(a -> rounded(Arguments.numeric("floor", a, 0), RoundingMode.FLOOR));
        set.declare("ceil(x)", "The least whole number not below x.")
                .example("ceil(2.1)", "3")
                .gives(Arguments::numericResult)
                .is(a -> rounded(Arguments.numeric("ceil", a, 0), RoundingMode.CEILING));
        set.declare("trunc(x)", "The whole part.")
                .example("trunc(-2.7)", "-2")
                .gives(Arguments::numericResult)
                .is(a -> rounded(Arguments.numeric("trunc", a, 0), RoundingMode.DOWN));
        set.declare("round(x)", "The nearest whole number; halves go away from zero.")
                .example("round(2.5)", "3")
                .example("round(-2.5)", "-3")
                .example("round(0.49999999999999994)", "0")
                .gives(Arguments::numericResult)
                .is(a -> rounded(Arguments.numeric("round", a, 0), RoundingMode.HALF_UP));
        set.declare(
                        "roundTo(x, digits)",
                        "Rounds the value as it is stored to so many digits behind the point, halves away from zero; negative digits round before the point.")
                .example("roundTo(2.346, 2)", "2.35")
                .example("roundTo(1.005, 2)", "1")
                .example("roundTo(1250, -2)", "1300")
                .gives(types -> Arguments.numericResult(types.subList(0, 1)))
                .is(
                        a ->
                                Numbers.roundTo(
                                        Arguments.numeric("roundTo", a, 0),
                                        Arguments.whole("roundTo", a, 1)));
        set.declare("sign(x)", "-1, 0 or 1.")
                .example("sign(-7)", "-1")
                .example("sign(0.0)", "0")
                .gives(Arguments::numericResult)
                .is(
                        a -> {
                            Number x = Arguments.numeric("sign", a, 0);
                            return switch (x) {
                                case Long l -> (long) Long.signum(l);
                                case BigDecimal d -> BigDecimal.valueOf(d.signum());
                                default -> Values.finite(Math.signum(x.doubleValue()));
                            };
                        });
    }

    private static boolean isNegative(Number x) {
        return switch (x) {
            case Long l -> l < 0;
            case BigDecimal d -> d.signum() < 0;
            default -> x.doubleValue() < 0 || 1 / x.doubleValue() < 0;
        };
    }

    private static Object rounded(Number x, RoundingMode mode) throws EvalError {
        return switch (x) {
            case Long l -> l;
            case BigDecimal d -> d.setScale(0, mode).setScale(d.scale());
            default -> {
                double value = Values.finite(x.doubleValue());
                yield switch (mode) {
                    case FLOOR -> Math.floor(value);
                    case CEILING -> Math.ceil(value);
                    case DOWN -> value < 0 ? Math.ceil(value) : Math.floor(value);
                    default -> Numbers.round(value);
                };
            }
        };
    }

    private static void addAnalysis(Functions.FunctionSet set) {
        set.declare("exp(x)", "e to the power of x.").example("exp(0)", "1").isDouble(Math::exp);
        set.declare("cbrt(x)", "The cube root.").example("cbrt(-8)", "-2").isDouble(Math::cbrt);
        set.declare("sqrt(x)", "The square root; below 0 an error of the row.")
                .example("sqrt(9)", "3")
                .example("sqrt(-1)", "error")
                .isDouble(x -> Math.sqrt(within("sqrt", x, x >= 0, "at least 0")));
        set.declare("ln(x)", "The natural logarithm; x must be above 0.")
                .example("ln(1)", "0")
                .example("ln(0)", "error")
                .isDouble(x -> Math.log(within("ln", x, x > 0, "above 0")));
        set.declare("log10(x)", "The logarithm to base 10; x must be above 0.")
                .example("log10(1000)", "3")
                .isDouble(x -> Math.log10(within("log10", x, x > 0, "above 0")));
        set.declare("log2(x)", "The logarithm to base 2; x must be above 0.")
                .example("log2(8)", "3")
                .isDouble(x -> log2(within("log2", x, x > 0, "above 0")));
        set.declare("log(base, x)", "The logarithm of x to a base above 0 that is not 1.")
                .example("log(3, 81)", "4")
                .example("log(1, 5)", "error")
                .is(
                        a -> {
                            double base = Arguments.number("log", a, 0);
                            double x = Arguments.number("log", a, 1);
                            within(
                                    "log",
                                    base,
                                    base > 0 && base != 1,
                                    "a base above 0 that is not 1");
                            within("log", x, x > 0, "above 0");
                            return Values.finite(log(base, x));
                        });
        set.declare("pow(x, y)", "x to the power of y.")
                .example("pow(2, 10)", "1024")
                .example("pow(0, -1)", "error")
                .is(
                        a ->
                                Values.finite(
                                        Math.pow(
                                                Arguments.number("pow", a, 0),
                                                Arguments.number("pow", a, 1))));
    }

    private static double log2(double x) {
        int exponent = Math.getExponent(x);
        return Math.scalb(1.0, exponent) == x ? exponent : Math.log(x) / Math.log(2);
    }

    /** The quotient of logarithms, made exact where x is a whole power of the base. */
    private static double log(double base, double x) {
        double quotient = Math.log(x) / Math.log(base);
        double whole = Math.rint(quotient);
        return Math.abs(whole) < 1024 && Math.pow(base, whole) == x ? whole : quotient;
    }

    private static double within(String function, double x, boolean inside, String wanted)
            throws EvalError {
        if (inside) {
            return x;
        }
        throw new EvalError(function + " needs a number " + wanted + ", found " + Numbers.text(x));
    }

    private static void addTrigonometry(Functions.FunctionSet set) {
        set.declare("sin(x)", "The sine of x radians.").example("sin(0)", "0").isDouble(Math::sin);
        set.declare("cos(x)", "The cosine of x radians.")
                .example("cos(0)", "1")
                .isDouble(Math::cos);
        set.declare("tan(x)", "The tangent of x radians.")
                .example("tan(0)", "0")
                .isDouble(Math::tan);
        set.declare("asin(x)", "The arc sine of -1..1 in radians.")
                .example("asin(0)", "0")
                .example("asin(2)", "error")
                .isDouble(x -> Math.asin(within("asin", x, x >= -1 && x <= 1, "from -1 to 1")));
        set.declare("acos(x)", "The arc cosine of -1..1 in radians.")
                .example("acos(1)", "0")
                .isDouble(x -> Math.acos(within("acos", x, x >= -1 && x <= 1, "from -1 to 1")));
        set.declare("atan(x)", "The arc tangent in radians.")
                .example("atan(0)", "0")
                .isDouble(Math::atan);
        set.declare("sinh(x)", "The hyperbolic sine.").example("sinh(0)", "0").isDouble(Math::sinh);
        set.declare("cosh(x)", "The hyperbolic cosine.")
                .example("cosh(0)", "1")
                .isDouble(Math::cosh);
        set.declare("tanh(x)", "The hyperbolic tangent.")
                .example("tanh(0)", "0")
                .isDouble(Math::tanh);
        set.declare("degToRad(x)", "Degrees to radians.")
                .example("degToRad(180)", "pi()")
                .isDouble(Math::toRadians);
        set.declare("radToDeg(x)", "Radians to degrees.")
                .example("radToDeg(pi())", "180")
                .isDouble(Math::toDegrees);
        set.declare("hypot(x, y)", "The length of the hypotenuse.")
                .example("hypot(3, 4)", "5")
                .is(
                        a ->
                                Values.finite(
                                        Math.hypot(
                                                Arguments.number("hypot", a, 0),
                                                Arguments.number("hypot", a, 1))));
        set.declare("atan2(y, x)", "The angle of the point (x, y) in radians.")
                .example("atan2(0, 1)", "0")
                .is(
                        a ->
                                Values.finite(
                                        Math.atan2(
                                                Arguments.number("atan2", a, 0),
                                                Arguments.number("atan2", a, 1))));
        set.declare("pi()", "The number pi.").example("floor(pi() * 100)", "314").is(_ -> Math.PI);
    }

    private static void addSeveral(Functions.FunctionSet set) {
        set.declare(
                        "min(x, …)",
                        "The least of the numbers; nulls are skipped, only nulls give null.")
                .example("min(3, null, 1)", "1")
                .example("min(null)", "null")
                .gives(Arguments::numericResult)
                .takesNulls()
                .is(a -> extreme("min", a, -1));
        set.declare(
                        "max(x, …)",
                        "The greatest of the numbers; nulls are skipped, only nulls give null.")
                .example("max(3, null, 1)", "3")
                .gives(Arguments::numericResult)
                .takesNulls()
                .is(a -> extreme("max", a, 1));
        set.declare(
                        "clamp(x, lo, hi)",
                        "x, but not below lo nor above hi; lo above hi is an error of the row.")
                .example("clamp(12, 0, 10)", "10")
                .example("clamp(1, 5, 2)", "error")
                .gives(Arguments::numericResult)
                .is(NumberFunctions::clamp);
        set.declare(
                        "toNumber(x)",
                        "The number that a text shows, blanks around it ignored; a number stays as it is.")
                .example("toNumber(' 1e3 ')", "1000")
                .example("toNumber('42')", "42")
                .example("toNumber('nan')", "error")
                .gives(NumberFunctions::typeOfNumber)
                .is(NumberFunctions::toNumber);
    }

    private static Object extreme(String name, Object[] arguments, int sign) throws EvalError {
        Number best = null;
        for (int i = 0; i < arguments.length; i++) {
            if (arguments[i] == null) {
                continue;
            }
            Number x = Arguments.numeric(name, arguments, i);
            Values.finite(x.doubleValue());
            if (best == null || Integer.signum(Values.compareNumbers(x, best)) == sign) {
                best = x;
            }
        }
        return best;
    }

    private static Object clamp(Object[] a) throws EvalError {
        Number x = Arguments.numeric("clamp", a, 0);
        Number lo = Arguments.numeric("clamp", a, 1);
        Number hi = Arguments.numeric("clamp", a, 2);
        for (Number number : new Number[] {x, lo, hi}) {
            Values.finite(number.doubleValue());
        }
        if (Values.compareNumbers(lo, hi) > 0) {
            throw new EvalError(
                    "clamp needs lo not above hi, found "
                            + Numbers.text(lo)
                            + " and "
                            + Numbers.text(hi));
        }
        return Values.compareNumbers(x, lo) < 0 ? lo : Values.compareNumbers(x, hi) > 0 ? hi : x;
    }

    private static DataType typeOfNumber(List<DataType> types) {
        DataType type = Arguments.numericResult(types);
        return type instanceof DataType.Null ? DataType.FLOAT64 : type;
    }

    private static Object toNumber(Object[] a) throws EvalError {
        if (a[0] instanceof Number number) {
            Values.finite(number.doubleValue());
            return number;
        }
        String text = Arguments.text("toNumber", a, 0).strip();
        if (text.matches("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?")) {
            return Values.finite(Double.parseDouble(text));
        }
        throw new EvalError("toNumber finds no number in '" + text + "'");
    }

    private static void addWhole(Functions.FunctionSet set) {
        set.declare("factorial(n)", "The product of 1 to n, for n from 0 to 20.")
                .example("factorial(5)", "120")
                .example("factorial(21)", "error")
                .gives(DataType.INT64)
                .is(
                        a -> {
                            long n = Arguments.whole("factorial", a, 0);
                            within("factorial", n, n >= 0 && n <= 20, "from 0 to 20");
                            long product = 1;
                            for (long i = 2; i <= n; i++) {
                                product *= i;
                            }
                            return product;
                        });
        set.declare("gcd(a, b)", "The greatest common divisor of two whole numbers.")
                .example("gcd(12, 18)", "6")
                .gives(DataType.INT64)
                .is(a -> Numbers.gcd(safe("gcd", a, 0), safe("gcd", a, 1)));
        set.declare("lcm(a, b)", "The least common multiple of two whole numbers.")
                .example("lcm(4, 6)", "12")
                .example("lcm(0, 6)", "0")
                .gives(DataType.INT64)
                .is(
                        a -> {
                            long x = safe("lcm", a, 0);
                            long y = safe("lcm", a, 1);
                            long divisor = Numbers.gcd(x, y);
                            return divisor == 0
                                    ? 0L
                                    : Values.whole(
                                            Node.Operator.MULTIPLY,
                                            Math.abs(x) / divisor,
                                            Math.abs(y));
                        });
    }

    private static long safe(String function, Object[] a, int index) throws EvalError {
        long value = Arguments.whole(function, a, index);
        within(function, value, Math.abs(value) <= SAFE, "within ±(2^53 - 1)");
        return value;
    }
}
