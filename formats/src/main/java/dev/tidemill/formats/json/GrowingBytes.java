package dev.tidemill.formats.json;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Growing bytes. */
final class GrowingBytes {
    byte[] data;
    int size;

    GrowingBytes() {
        this(64);
    }

    GrowingBytes(int capacity) {
        data = new byte[capacity];
    }

    void append(byte[] source, int from, int to) {
        int length = to - from;
        reserve(length);
        System.arraycopy(source, from, data, size, length);
        size += length;
    }

    void append(byte value) {
        reserve(1);
        data[size++] = value;
    }

    void appendCodePoint(int point) {
        reserve(4);
        if (point < 0x80) {
            data[size++] = (byte) point;
        } else if (point < 0x800) {
            data[size++] = (byte) (0xC0 | point >> 6);
            data[size++] = (byte) (0x80 | point & 0x3F);
        } else if (point < 0x10000) {
            data[size++] = (byte) (0xE0 | point >> 12);
            data[size++] = (byte) (0x80 | point >> 6 & 0x3F);
            data[size++] = (byte) (0x80 | point & 0x3F);
        } else {
            data[size++] = (byte) (0xF0 | point >> 18);
            data[size++] = (byte) (0x80 | point >> 12 & 0x3F);
            data[size++] = (byte) (0x80 | point >> 6 & 0x3F);
            data[size++] = (byte) (0x80 | point & 0x3F);
        }
    }

    void reserve(int more) {
        if (data.length - size < more) {
            grow(more);
        }
    }

    private void grow(int more) {
        long wanted = Math.max((long) size + more, 2L * data.length);
        data = Arrays.copyOf(data, (int) Math.min(Integer.MAX_VALUE - 16, wanted));
    }

    String text() {
        return new String(data, 0, size, StandardCharsets.UTF_8);
    }
}
