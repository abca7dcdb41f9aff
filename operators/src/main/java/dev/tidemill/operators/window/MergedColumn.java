package dev.tidemill.operators.window;

import dev.tidemill.data.Bits;
import dev.tidemill.data.BytesColumn;
import dev.tidemill.data.Column;
import dev.tidemill.data.ColumnBuilder;
import dev.tidemill.data.DoubleColumn;
import dev.tidemill.data.LongColumn;

/** Rows of two columns of one type as one column. */
final class MergedColumn {
    private MergedColumn() {}

    /** Row {@code left[i]} of {@code a}, or where that is -1 row {@code right[i]} of {@code b}. */
    static Column of(Column a, Column b, int[] left, int[] right, int count) {
        if (a instanceof LongColumn x && b instanceof LongColumn y) {
            return longs(x, y, left, right, count);
        }
        if (a instanceof DoubleColumn x && b instanceof DoubleColumn y) {
            return doubles(x, y, left, right, count);
        }
        if (a instanceof BytesColumn x && b instanceof BytesColumn y) {
            return bytes(x, y, left, right, count);
        }
        ColumnBuilder builder = ColumnBuilder.of(a.type());
        for (int i = 0; i < count; i++) {
            builder.appendFrom(left[i] >= 0 ? a : b, left[i] >= 0 ? left[i] : right[i]);
        }
        return builder.build();
    }

    private static Column longs(LongColumn a, LongColumn b, int[] left, int[] right, int count) {
        long[] x = a.values();
        long[] y = b.values();
        long[] out = new long[count];
        for (int i = 0; i < count; i++) {
            out[i] = left[i] >= 0 ? x[left[i]] : y[right[i]];
        }
        return new LongColumn(a.type(), out, validity(a, b, left, right, count), count);
    }

    private static Column doubles(
            DoubleColumn a, DoubleColumn b, int[] left, int[] right, int count) {
        double[] x = a.values();
        double[] y = b.values();
        double[] out = new double[count];
        for (int i = 0; i < count; i++) {
            out[i] = left[i] >= 0 ? x[left[i]] : y[right[i]];
        }
        return new DoubleColumn(out, validity(a, b, left, right, count), count);
    }

    private static Column bytes(BytesColumn a, BytesColumn b, int[] left, int[] right, int count) {
        int[] offsets = new int[count + 1];
        for (int i = 0; i < count; i++) {
            int length = left[i] >= 0 ? a.byteLength(left[i]) : b.byteLength(right[i]);
            offsets[i + 1] = Math.addExact(offsets[i], length);
        }
        byte[] data = new byte[offsets[count]];
        for (int i = 0; i < count; i++) {
            BytesColumn from = left[i] >= 0 ? a : b;
            int row = left[i] >= 0 ? left[i] : right[i];
            System.arraycopy(
                    from.data(), from.start(row), data, offsets[i], offsets[i + 1] - offsets[i]);
        }
        return new BytesColumn(a.type(), offsets, data, validity(a, b, left, right, count), count);
    }

    private static long[] validity(Column a, Column b, int[] left, int[] right, int count) {
        if (!a.hasNulls() && !b.hasNulls()) {
            return null;
        }
        long[] validity = new long[Bits.words(count)];
        for (int i = 0; i < count; i++) {
            boolean isNull = left[i] >= 0 ? a.isNull(left[i]) : b.isNull(right[i]);
            if (!isNull) {
                Bits.set(validity, i);
            }
        }
        return validity;
    }
}
