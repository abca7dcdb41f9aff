package dev.tidemill.data;

/** float64: one {@code double} a row. */
public final class DoubleColumn extends Column {
    private final double[] values;

    public DoubleColumn(double[] values, long[] validity, int length) {
        super(DataType.FLOAT64, length, validity);
        this.values = values;
    }

    /** A column without nulls. */
    public static DoubleColumn of(double... values) {
        return new DoubleColumn(values, null, values.length);
    }

    public double[] values() {
        return values;
    }

    public double get(int row) {
        return values[row];
    }

    @Override
    public DoubleColumn gather(int[] rows, int count) {
        double[] out = new double[count];
        for (int i = 0; i < count; i++) {
            out[i] = values[rows[i]];
        }
        return new DoubleColumn(out, Bits.gather(validity(), rows, count), count);
    }

    @Override
    public long sizeInBytes() {
        return 8L * length() + validityBytes();
    }

    @Override
    Object nonNullValue(int row) {
        return values[row];
    }
}
