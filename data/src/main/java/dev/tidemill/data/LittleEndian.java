package dev.tidemill.data;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Words out of byte arrays, low byte first. */
public final class LittleEndian {
    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN)
                    .withInvokeExactBehavior();

    private LittleEndian() {}

    public static long getLong(byte[] data, int at) {
        return (long) LONGS.get(data, at);
    }

    public static void putLong(byte[] data, int at, long value) {
        LONGS.set(data, at, value);
    }

    /** The bytes {@code from .. to}, at most 7, as the low bytes of a word. */
    public static long getTail(byte[] data, int from, int to) {
        long word = 0;
        for (int i = to - 1; i >= from; i--) {
            word = word << 8 | data[i] & 0xFF;
        }
        return word;
    }
}
