package dev.tidemill.operators.window;

import dev.tidemill.data.Bits;
import java.util.Arrays;

/** Which groups have had a value. While no column had a null every group has, and nothing is kept. */
final class Seen {
    private long[] bits;

    boolean all() {
        return bits == null;
    }

    /** From now on groups are told apart; the {@code groups} that are there have all been seen. */
    void track(int groups) {
        if (bits == null) {
            bits = Bits.ones(Math.max(groups, 64));
            for (int i = groups; i < bits.length * 64; i++) {
                Bits.clear(bits, i);
            }
        }
    }

    void reserve(int groups) {
        if (bits != null && bits.length < Bits.words(groups)) {
            bits = Arrays.copyOf(bits, Math.max(Bits.words(groups), 2 * bits.length));
        }
    }

    void set(int group) {
        if (bits != null) {
            Bits.set(bits, group);
        }
    }

    boolean get(int group) {
        return bits == null || group >> 6 < bits.length && Bits.get(bits, group);
    }

    static Seen merge(Seen a, int[] left, Seen b, int[] right, int count) {
        Seen out = new Seen();
        if (a.bits == null && b.bits == null) {
            return out;
        }
        out.bits = new long[Bits.words(Math.max(1, count))];
        for (int i = 0; i < count; i++) {
            if (left[i] >= 0 && a.get(left[i]) || right[i] >= 0 && b.get(right[i])) {
                Bits.set(out.bits, i);
            }
        }
        return out;
    }

    /** As a column's validity. */
    long[] validity(int[] groups, int count) {
        if (bits == null) {
            return null;
        }
        long[] validity = new long[Bits.words(count)];
        for (int i = 0; i < count; i++) {
            if (get(groups[i])) {
                Bits.set(validity, i);
            }
        }
        return validity;
    }

    void clear() {
        bits = null;
    }
}
