package dev.tidemill.data;

/** bool: one bit a row. The bits of null rows are clear, so that {@link #bits()} alone tells the rows that are true. */
public final class BoolColumn extends Column {
    private final long[] bits;

    public BoolColumn(long[] bits, long[] validity, int length) {
        super(DataType.BOOL, length, validity);
        this.bits = bits;
    }

    /** A bitmap ({@link Bits}) with a bit set for each row that is true. */
    public long[] bits() {
        return bits;
    }

    public boolean get(int row) {
        return Bits.get(bits, row);
    }

    @Override
    public BoolColumn gather(int[] rows, int count) {
        return new BoolColumn(
                Bits.gather(bits, rows, count), Bits.gather(validity(), rows, count), count);
    }

    @Override
    public long sizeInBytes() {
        return 8L * Bits.words(length()) + validityBytes();
    }

    @Override
    Object nonNullValue(int row) {
        return get(row);
    }
}
