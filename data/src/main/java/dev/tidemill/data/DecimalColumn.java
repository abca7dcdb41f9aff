package dev.tidemill.data;

import java.math.BigDecimal;
import java.math.BigInteger;

/** decimal(p, s): Arrow's decimal128, two words a row, the low one first, two's complement, scaled by 10^s. */
public final class DecimalColumn extends Column {
    private final long[] words;

    public DecimalColumn(DataType.Decimal type, long[] words, long[] validity, int length) {
        super(type, length, validity);
        this.words = words;
    }

    public long[] words() {
        return words;
    }

    public int scale() {
        return ((DataType.Decimal) type()).scale();
    }

    public BigInteger unscaled(int row) {
        BigInteger high = BigInteger.valueOf(words[2 * row + 1]).shiftLeft(64);
        BigInteger low = new BigInteger(Long.toUnsignedString(words[2 * row]));
        return high.add(low);
    }

    public BigDecimal get(int row) {
        return new BigDecimal(unscaled(row), scale());
    }

    /** Writes an unscaled value of at most 127 bits to a row of {@code words}. */
    public static void put(long[] words, int row, BigInteger unscaled) {
        words[2 * row] = unscaled.longValue();
        words[2 * row + 1] = unscaled.shiftRight(64).longValueExact();
    }

    @Override
    public DecimalColumn gather(int[] rows, int count) {
        long[] out = new long[2 * count];
        for (int i = 0; i < count; i++) {
            out[2 * i] = words[2 * rows[i]];
            out[2 * i + 1] = words[2 * rows[i] + 1];
        }
        return new DecimalColumn(
                (DataType.Decimal) type(), out, Bits.gather(validity(), rows, count), count);
    }

    @Override
    public long sizeInBytes() {
        return 16L * length() + validityBytes();
    }

    @Override
    Object nonNullValue(int row) {
        return get(row);
    }
}
