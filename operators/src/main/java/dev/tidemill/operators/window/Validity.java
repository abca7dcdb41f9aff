package dev.tidemill.operators.window;

import dev.tidemill.data.Bits;

/** Bitmaps from flags. */
final class Validity {
    private Validity() {}

    /** A column's validity: null when all flags are set. */
    static long[] of(boolean[] flags, int count) {
        long[] validity = new long[Bits.words(count)];
        boolean all = true;
        for (int i = 0; i < count; i++) {
            if (flags[i]) {
                Bits.set(validity, i);
            } else {
                all = false;
            }
        }
        return all ? null : validity;
    }
}
