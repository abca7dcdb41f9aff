package dev.tidemill.formats;

import java.util.Arrays;

/**
 * Encoded records back to back: record {@code i} is {@code data[end(i - 1) .. end(i))}. A growing buffer, reused after {@link #clear}. Not
 * thread-safe.
 */
public final class EncodedRows {
    private byte[] data = new byte[1 << 16];
    private int size;
    private int[] ends = new int[1024];
    private int count;

    public byte[] data() {
        return data;
    }

    /** Bytes used in {@link #data}. */
    public int size() {
        return size;
    }

    public int count() {
        return count;
    }

    public int start(int record) {
        return record == 0 ? 0 : ends[record - 1];
    }

    public int end(int record) {
        return ends[record];
    }

    public void clear() {
        size = 0;
        count = 0;
    }

    /**
     * Makes room for {@code bytes} more bytes; write them to {@link #data()} at {@link #size()} on and then call {@link #advanceTo}.
     *
     * @throws OutOfMemoryError when the buffer would pass 2 GiB
     */
    public byte[] reserve(int bytes) {
        if (data.length - size < bytes) {
            long wanted = Math.max((long) size + bytes, 2L * data.length);
            if ((long) size + bytes > Integer.MAX_VALUE - 16) {
                throw new OutOfMemoryError("more than 2 GiB of encoded rows");
            }
            data = Arrays.copyOf(data, (int) Math.min(wanted, Integer.MAX_VALUE - 16));
        }
        return data;
    }

    public void advanceTo(int newSize) {
        size = newSize;
    }

    /** What was written since the last record is a record. */
    public void endRecord() {
        if (count == ends.length) {
            ends = Arrays.copyOf(ends, 2 * count);
        }
        ends[count++] = size;
    }
}
