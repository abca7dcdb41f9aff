package dev.tidemill.operators.window;

import java.util.Arrays;

/** A flag for each group, few of them set. */
final class Flags {
    private boolean[] flags;
    private boolean any;

    boolean any() {
        return any;
    }

    void set(int[] groups, int[] rows, int count, int size) {
        if (flags == null || flags.length < size) {
            int length = Math.max(64, 2 * size);
            flags = flags == null ? new boolean[length] : Arrays.copyOf(flags, length);
        }
        any |= count > 0;
        for (int i = 0; i < count; i++) {
            flags[groups[Accumulator.physicalRow(rows, i)]] = true;
        }
    }

    void clear() {
        if (any) {
            Arrays.fill(flags, false);
            any = false;
        }
    }

    /** The groups below {@code size} whose flag is set. */
    int[] list(int size) {
        if (!any) {
            return new int[0];
        }
        int[] out = new int[size];
        int count = 0;
        for (int group = 0; group < Math.min(size, flags.length); group++) {
            if (flags[group]) {
                out[count++] = group;
            }
        }
        return Arrays.copyOf(out, count);
    }

    /** The flags of these groups, in this order; null when none is set. */
    boolean[] gather(int[] groups, int count) {
        if (!any) {
            return null;
        }
        boolean[] out = new boolean[count];
        for (int i = 0; i < count; i++) {
            out[i] = groups[i] < flags.length && flags[groups[i]];
        }
        return out;
    }
}
