package dev.tidemill.expr;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/** Arithmetic that several functions share. */
final class Numbers {
    private Numbers() {}

    /** All digits of a whole number, the shortest fraction of another, never an exponent. */
    static String text(Number number) {
        if (number instanceof Long) {
            return number.toString();
        }
        if (number instanceof BigDecimal decimal) {
            return plain(decimal);
        }
        double value = number.doubleValue();
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            return Double.toString(value);
        }
        // BigDecimal of the shortest digits, except for whole numbers, which are shown exactly.
        boolean whole = value == Math.rint(value);
        return plain(whole ? new BigDecimal(value) : new BigDecimal(Double.toString(value)));
    }

    private static String plain(BigDecimal decimal) {
        return decimal.signum() == 0 ? "0" : decimal.stripTrailingZeros().toPlainString();
    }

    /** Rounds the exact value that is stored, half away from zero; digits may be negative. */
    static Number roundTo(Number number, long digits) throws EvalError {
        Values.finite(number.doubleValue());
        if (digits > 400 || digits < -400) {
            return digits > 0 ? number : number instanceof Long ? (Number) 0L : (Number) 0.0;
        }
        if (number instanceof Long && digits >= 0) {
            return number;
        }
        BigDecimal rounded = Values.decimal(number).setScale((int) digits, RoundingMode.HALF_UP);
        if (number instanceof Long) {
            BigInteger whole = rounded.toBigInteger();
            return whole.bitLength() < 64
                    ? (Number) whole.longValue()
                    : (Number) whole.doubleValue();
        }
        return number instanceof Double ? (Number) rounded.doubleValue() : rounded;
    }

    /** Rounds half away from zero; exact for every double. */
    static double round(double value) {
        double floor = Math.floor(Math.abs(value));
        double result = Math.abs(value) - floor >= 0.5 ? floor + 1 : floor;
        return Math.copySign(result, value);
    }

    static long gcd(long a, long b) {
        while (b != 0) {
            long rest = a % b;
            a = b;
            b = rest;
        }
        return Math.abs(a);
    }
}
