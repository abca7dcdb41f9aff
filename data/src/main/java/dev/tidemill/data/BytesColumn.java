package dev.tidemill.data;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * string (UTF-8), bytes and json (its text): row {@code i} is {@code data[offsets[i] .. offsets[i + 1])}. The first offset need not be
 * 0. A null row is an empty range.
 */
public final class BytesColumn extends Column {
    private final int[] offsets;
    private final byte[] data;

    /** @param offsets {@code length + 1} ascending positions in {@code data} */
    public BytesColumn(DataType type, int[] offsets, byte[] data, long[] validity, int length) {
        super(type, length, validity);
        assert type.isBytesBacked() : type;
        this.offsets = offsets;
        this.data = data;
    }

    /** A string column; null elements are null rows. */
    public static BytesColumn of(String... values) {
        int[] offsets = new int[values.length + 1];
        byte[][] encoded = new byte[values.length][];
        long[] validity = new long[Bits.words(values.length)];
        boolean nulls = false;
        for (int i = 0; i < values.length; i++) {
            encoded[i] =
                    values[i] == null ? new byte[0] : values[i].getBytes(StandardCharsets.UTF_8);
            offsets[i + 1] = offsets[i] + encoded[i].length;
            nulls |= values[i] == null;
            if (values[i] != null) {
                Bits.set(validity, i);
            }
        }
        byte[] data = new byte[offsets[values.length]];
        for (int i = 0; i < values.length; i++) {
            System.arraycopy(encoded[i], 0, data, offsets[i], encoded[i].length);
        }
        return new BytesColumn(
                DataType.UTF8, offsets, data, nulls ? validity : null, values.length);
    }

    public int[] offsets() {
        return offsets;
    }

    public byte[] data() {
        return data;
    }

    public int start(int row) {
        return offsets[row];
    }

    public int end(int row) {
        return offsets[row + 1];
    }

    public int byteLength(int row) {
        return offsets[row + 1] - offsets[row];
    }

    public String string(int row) {
        return new String(data, offsets[row], byteLength(row), StandardCharsets.UTF_8);
    }

    public byte[] bytes(int row) {
        return Arrays.copyOfRange(data, offsets[row], offsets[row + 1]);
    }

    /** Whether the bytes of a row are these. */
    public boolean rowEquals(int row, byte[] other) {
        return Arrays.equals(data, offsets[row], offsets[row + 1], other, 0, other.length);
    }

    @Override
    public BytesColumn gather(int[] rows, int count) {
        int[] to = new int[count + 1];
        int total = 0;
        for (int i = 0; i < count; i++) {
            total = Math.addExact(total, byteLength(rows[i]));
            to[i + 1] = total;
        }
        byte[] out = new byte[total];
        for (int i = 0; i < count; i++) {
            System.arraycopy(data, offsets[rows[i]], out, to[i], to[i + 1] - to[i]);
        }
        return new BytesColumn(type(), to, out, Bits.gather(validity(), rows, count), count);
    }

    @Override
    public long sizeInBytes() {
        return 4L * length()
                + (length() == 0 ? 0 : offsets[length()] - offsets[0])
                + validityBytes();
    }

    @Override
    Object nonNullValue(int row) {
        return type() instanceof DataType.Bytes ? bytes(row) : string(row);
    }
}
