package dev.tidemill.nexmark;

/**
 * The generator of random numbers: {@code x = x * MULTIPLIER + INCREMENT}, of which a draw takes {@code x >>> 16}. Since steps compose to a
 * step of the same form, any number of draws ahead is one multiplication and one addition ({@code MUL[k] * x + ADD[k]}), so that a draw that
 * nobody reads costs nothing and draws do not wait for each other.
 */
final class Lcg {
    private static final long MULTIPLIER = 6364136223846793005L;
    private static final long INCREMENT = 1442695040888963407L;
    private static final int LONGEST_JUMP = 14;

    /** What separates the seeds of neighbouring events. */
    static final long GOLDEN = 0x9E3779B97F4A7C15L;

    static final long[] MUL = new long[LONGEST_JUMP + 1];
    static final long[] ADD = new long[LONGEST_JUMP + 1];

    static {
        MUL[0] = 1;
        for (int k = 1; k <= LONGEST_JUMP; k++) {
            MUL[k] = MUL[k - 1] * MULTIPLIER;
            ADD[k] = ADD[k - 1] * MULTIPLIER + INCREMENT;
        }
    }

    private Lcg() {}

    /** The state {@code steps} (0..14) steps after {@code state}. */
    static long jump(long state, int steps) {
        return MUL[steps] * state + ADD[steps];
    }

    /** The draw at a state: 48 bits. */
    static long draw(long state) {
        return state >>> 16;
    }

    /**
     * {@code draw % bound} by the bound's reciprocal, several times faster than a division by a variable. Exact: a draw has 48 bits, so the
     * quotient in floating point is off by at most one.
     *
     * @param draw    0 .. 2^48 - 1
     * @param inverse {@code 1.0 / bound}
     */
    static long below(long draw, long bound, double inverse) {
        long rest = draw - (long) (draw * inverse) * bound;
        rest += bound & rest >> 63;
        return rest - (bound & ~(rest - bound >> 63));
    }
}
