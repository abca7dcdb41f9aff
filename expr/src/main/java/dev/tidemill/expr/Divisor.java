package dev.tidemill.expr;

import java.math.BigInteger;

/**
 * A constant that int64 values are divided by, as a multiplication and a shift (Granlund and Montgomery, Division by Invariant Integers using
 * Multiplication, 1994), since the processor's division takes many times as long.
 */
final class Divisor {
    private final long value;
    private final long factor;
    private final int shift;

    /** -1 when the factor is beyond int64 and wraps around, which the dividend makes up for; else 0. */
    private final long wrapped;

    /** @param value at least 2 */
    Divisor(long value) {
        this.value = value;
        BigInteger d = BigInteger.valueOf(value);
        BigInteger half = BigInteger.ONE.shiftLeft(63);
        BigInteger greatest = half.subtract(BigInteger.ONE).subtract(half.mod(d));
        int power = 64;
        while (BigInteger.ONE
                        .shiftLeft(power)
                        .compareTo(
                                greatest.multiply(
                                        d.subtract(BigInteger.ONE.shiftLeft(power).mod(d))))
                <= 0) {
            power++;
        }
        BigInteger two = BigInteger.ONE.shiftLeft(power);
        factor = two.add(d).subtract(two.mod(d)).divide(d).longValue();
        shift = power - 64;
        wrapped = factor >> 63;
    }

    /** {@code dividend % value}, with the sign of the dividend. */
    long remainder(long dividend) {
        long quotient = Math.multiplyHigh(factor, dividend) + (dividend & wrapped) >> shift;
        return dividend - (quotient + (quotient >>> 63)) * value;
    }
}
