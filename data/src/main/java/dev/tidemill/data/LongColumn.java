package dev.tidemill.data;

/** int64, timestamp and date: one {@code long} a row. */
public final class LongColumn extends Column {
    private final long[] values;

    public LongColumn(DataType type, long[] values, long[] validity, int length) {
        super(type, length, validity);
        assert type.isLongBacked() : type;
        this.values = values;
    }

    /** An int64 column without nulls. */
    public static LongColumn of(long... values) {
        return new LongColumn(DataType.INT64, values, null, values.length);
    }

    public long[] values() {
        return values;
    }

    public long get(int row) {
        return values[row];
    }

    @Override
    public LongColumn gather(int[] rows, int count) {
        long[] out = new long[count];
        for (int i = 0; i < count; i++) {
            out[i] = values[rows[i]];
        }
        return new LongColumn(type(), out, Bits.gather(validity(), rows, count), count);
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
