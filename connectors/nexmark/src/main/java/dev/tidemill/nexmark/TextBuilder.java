package dev.tidemill.nexmark;

import dev.tidemill.data.BytesColumn;
import dev.tidemill.data.DataType;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Builds a text column whose rows come in ascending order, most of them null. Not thread-safe; for one column. */
final class TextBuilder {
    private final int[] offsets;
    private byte[] data;
    private int rows;
    private int size;

    TextBuilder(int length, int bytes) {
        offsets = new int[length + 1];
        data = new byte[bytes];
    }

    /** Starts the text of a row; rows passed over are empty. */
    TextBuilder row(int row) {
        Arrays.fill(offsets, rows, row + 1, size);
        rows = row + 1;
        return this;
    }

    TextBuilder append(byte[] text) {
        byte[] target = room(text.length);
        System.arraycopy(text, 0, target, size, text.length);
        size += text.length;
        return this;
    }

    TextBuilder append(char ascii) {
        room(1)[size++] = (byte) ascii;
        return this;
    }

    /** Appends a number that is not negative, in decimal. */
    TextBuilder append(long number) {
        size = digits(room(20), size, number);
        return this;
    }

    /** Appends a number below 10000 as four digits. */
    TextBuilder appendFour(int number) {
        byte[] target = room(4);
        for (int i = 3; i >= 0; i--) {
            target[size + i] = (byte) ('0' + number % 10);
            number /= 10;
        }
        size += 4;
        return this;
    }

    private byte[] room(int bytes) {
        if (size + bytes > data.length) {
            data = Arrays.copyOf(data, 2 * data.length + bytes);
        }
        return data;
    }

    /** Writes {@code number}, which is not negative, at {@code at}; returns the position behind it. */
    static int digits(byte[] target, int at, long number) {
        int end = at + 1;
        for (long bound = 10; bound <= number && bound > 0; bound *= 10) {
            end++;
        }
        long rest = number;
        for (int i = end - 1; i >= at; i--) {
            long tenth = rest / 10;
            target[i] = (byte) ('0' + (rest - 10 * tenth));
            rest = tenth;
        }
        return end;
    }

    BytesColumn build(long[] validity) {
        Arrays.fill(offsets, rows, offsets.length, size);
        return new BytesColumn(DataType.UTF8, offsets, data, validity, offsets.length - 1);
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
