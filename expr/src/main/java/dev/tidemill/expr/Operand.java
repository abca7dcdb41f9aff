package dev.tidemill.expr;

import dev.tidemill.data.Bits;
import dev.tidemill.data.Column;
import dev.tidemill.data.Columns;
import dev.tidemill.data.DoubleColumn;
import dev.tidemill.data.LongColumn;
import java.util.Arrays;

/** A numeric operand as an array; that of a constant is filled once and kept. */
final class Operand {
    private final Kernel kernel;
    private long[] longs = new long[0];
    private double[] doubles = new double[0];
    private long[] validity;

    Operand(Kernel kernel) {
        this.kernel = kernel;
    }

    /** Of the last evaluation; null when no row is null. */
    long[] validity() {
        return validity;
    }

    /** The values of a long-backed operand, at least the frame's length. */
    long[] longs(Frame frame) {
        if (kernel instanceof Constant constant) {
            validity = validityOf(constant, frame);
            return constantLongs(
                    constant.value() instanceof Long value ? value : 0, frame.length());
        }
        LongColumn column = (LongColumn) Columns.plain(kernel.eval(frame));
        validity = column.validity();
        return column.values();
    }

    private static long[] validityOf(Constant constant, Frame frame) {
        return constant.value() == null ? new long[Bits.words(frame.length())] : null;
    }

    private long[] constantLongs(long value, int length) {
        if (longs.length < length) {
            longs = new long[length];
            Arrays.fill(longs, value);
        }
        return longs;
    }

    /** The values of an int64, time or float64 operand as doubles, at least the frame's length. */
    double[] doubles(Frame frame) {
        if (kernel instanceof Constant constant) {
            validity = validityOf(constant, frame);
            return constantDoubles(
                    constant.value() instanceof Number value ? value.doubleValue() : 0,
                    frame.length());
        }
        Column column = Columns.plain(kernel.eval(frame));
        validity = column.validity();
        if (column instanceof DoubleColumn c) {
            return c.values();
        }
        long[] values = ((LongColumn) column).values();
        double[] out = new double[frame.length()];
        for (int i = 0; i < out.length; i++) {
            out[i] = values[i];
        }
        return out;
    }

    private double[] constantDoubles(double value, int length) {
        if (doubles.length < length) {
            doubles = new double[length];
            Arrays.fill(doubles, value);
        }
        return doubles;
    }
}
