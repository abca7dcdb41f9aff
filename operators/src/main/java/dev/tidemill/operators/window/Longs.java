package dev.tidemill.operators.window;

/** Loops over arrays of longs and doubles. */
final class Longs {
    private Longs() {}

    static long[] gather(long[] values, int[] indices, int count) {
        long[] out = new long[count];
        for (int i = 0; i < count; i++) {
            out[i] = values[indices[i]];
        }
        return out;
    }

    static double[] gather(double[] values, int[] indices, int count) {
        double[] out = new double[count];
        for (int i = 0; i < count; i++) {
            out[i] = values[indices[i]];
        }
        return out;
    }
}
