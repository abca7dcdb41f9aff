package dev.tidemill.kafka;

import java.nio.ByteBuffer;

/** The bytes of a buffer without copying them, when it lies on an array, as the client's buffers do. */
final class Bytes {
    private Bytes() {}

    /** The array that holds the remaining bytes from {@link #start} on. */
    static byte[] array(ByteBuffer buffer) {
        if (buffer.hasArray()) {
            return buffer.array();
        }
        byte[] copy = new byte[buffer.limit()];
        buffer.get(buffer.position(), copy, buffer.position(), buffer.remaining());
        return copy;
    }

    static int start(ByteBuffer buffer) {
        return buffer.hasArray() ? buffer.arrayOffset() + buffer.position() : buffer.position();
    }
}
