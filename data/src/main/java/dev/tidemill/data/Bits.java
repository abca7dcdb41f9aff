package dev.tidemill.data;

import java.util.Arrays;

/** Bitmaps in Arrow's order, 64 bits a word: bit {@code i} is bit {@code i & 63} of word {@code i >> 6}. */
public final class Bits {
    private Bits() {}

    public static int words(int bits) {
        return (bits + 63) >>> 6;
    }

    public static boolean get(long[] bitmap, int index) {
        return (bitmap[index >> 6] >>> index & 1) != 0;
    }

    public static void set(long[] bitmap, int index) {
        bitmap[index >> 6] |= 1L << index;
    }

    public static void clear(long[] bitmap, int index) {
        bitmap[index >> 6] &= ~(1L << index);
    }

    /** A bitmap whose first {@code bits} bits are set and whose rest is clear. */
    public static long[] ones(int bits) {
        long[] bitmap = new long[words(bits)];
        Arrays.fill(bitmap, -1L);
        if ((bits & 63) != 0) {
            bitmap[bitmap.length - 1] = (1L << bits) - 1;
        }
        return bitmap;
    }

    /** The number of set bits among the first {@code bits}. */
    public static int count(long[] bitmap, int bits) {
        int total = 0;
        int whole = bits >> 6;
        for (int i = 0; i < whole; i++) {
            total += Long.bitCount(bitmap[i]);
        }
        if ((bits & 63) != 0) {
            total += Long.bitCount(bitmap[whole] & ((1L << bits) - 1));
        }
        return total;
    }

    /** The bits at the given positions, in their order; null stands for "all set" and gives null. */
    public static long[] gather(long[] bitmap, int[] rows, int count) {
        if (bitmap == null) {
            return null;
        }
        long[] out = new long[words(count)];
        for (int i = 0; i < count; i++) {
            int row = rows[i];
            out[i >> 6] |= (bitmap[row >> 6] >>> row & 1) << i;
        }
        return out;
    }

    /** Both bitmaps at once; null stands for "all set". The result may be one of the arguments. */
    public static long[] and(long[] a, long[] b) {
        if (a == null || a == b) {
            return b;
        }
        if (b == null) {
            return a;
        }
        long[] out = new long[Math.min(a.length, b.length)];
        for (int i = 0; i < out.length; i++) {
            out[i] = a[i] & b[i];
        }
        return out;
    }
}
