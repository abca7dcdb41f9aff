package dev.tidemill.operators.window;

import dev.tidemill.data.BoolColumn;
import dev.tidemill.data.BytesColumn;
import dev.tidemill.data.Column;
import dev.tidemill.data.DoubleColumn;
import dev.tidemill.data.LongColumn;
import dev.tidemill.data.Ordering;

/**
 * The order of groups within a firing: by their key columns, one after the other, as {@link Ordering} has it. Rows are sorted by a word that stands for the
 * first key, and compared as a whole only where words are equal.
 */
final class KeyOrder {
    private KeyOrder() {}

    /** The rows of the key columns in order. */
    static int[] sorted(Column[] keys, int count) {
        int[] rows = Accumulator.all(count);
        if (keys.length == 0 || count < 2) {
            return rows;
        }
        Column first = keys[0];
        int nulls = first.hasNulls() ? nullsFirst(first, rows) : 0;
        long[] words = new long[count];
        if (!toWords(first, rows, nulls, words)) {
            sort(rows, 0, count, keys);
            return rows;
        }
        sort(rows, 0, nulls, keys);
        RadixSort.sort(words, rows, nulls, count);
        boolean isWhole = keys.length == 1 && !(first instanceof BytesColumn);
        if (!isWhole) {
            sortTies(words, rows, nulls, keys);
        }
        return rows;
    }

    /** Moves the rows whose key is null to the front and keeps the order otherwise; how many they are. */
    private static int nullsFirst(Column key, int[] rows) {
        int[] before = rows.clone();
        int nulls = 0;
        for (int row : before) {
            if (key.isNull(row)) {
                rows[nulls++] = row;
            }
        }
        int at = nulls;
        for (int row : before) {
            if (!key.isNull(row)) {
                rows[at++] = row;
            }
        }
        return nulls;
    }

    /** For each row from {@code from} on a word, unsigned, in the order of the keys; equal where keys are. False when the type has none. */
    private static boolean toWords(Column key, int[] rows, int from, long[] words) {
        switch (key) {
            case LongColumn longs -> {
                for (int i = from; i < rows.length; i++) {
                    words[i] = longs.get(rows[i]) ^ Long.MIN_VALUE;
                }
            }
            case DoubleColumn doubles -> {
                for (int i = from; i < rows.length; i++) {
                    // Adding zero makes the two zeros one; the canonical NaN is above infinity.
                    long bits = Double.doubleToLongBits(doubles.get(rows[i]) + 0.0);
                    words[i] = bits ^ (bits >> 63 | Long.MIN_VALUE);
                }
            }
            case BoolColumn bools -> {
                for (int i = from; i < rows.length; i++) {
                    words[i] = bools.get(rows[i]) ? 1 : 0;
                }
            }
            case BytesColumn bytes -> {
                for (int i = from; i < rows.length; i++) {
                    words[i] = prefix(bytes.data(), bytes.start(rows[i]), bytes.end(rows[i]));
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    /** The first eight bytes, zeros behind a shorter text. */
    private static long prefix(byte[] data, int from, int to) {
        long word = 0;
        int length = Math.min(8, to - from);
        for (int i = 0; i < length; i++) {
            word |= (data[from + i] & 0xFFL) << 56 - 8 * i;
        }
        return word;
    }

    private static void sortTies(long[] words, int[] rows, int from, Column[] keys) {
        for (int low = from; low < rows.length; ) {
            int high = low + 1;
            while (high < rows.length && words[high] == words[low]) {
                high++;
            }
            sort(rows, low, high, keys);
            low = high;
        }
    }

    /** Sorts {@code rows[low .. high)} by whole keys. */
    private static void sort(int[] rows, int low, int high, Column[] keys) {
        if (high - low < 2) {
            return;
        }
        int[] from = java.util.Arrays.copyOfRange(rows, low, high);
        int[] to = new int[from.length];
        for (int width = 1; width < from.length; width *= 2) {
            for (int start = 0; start < from.length; start += 2 * width) {
                int middle = Math.min(start + width, from.length);
                merge(from, to, start, middle, Math.min(start + 2 * width, from.length), keys);
            }
            int[] swap = from;
            from = to;
            to = swap;
        }
        System.arraycopy(from, 0, rows, low, from.length);
    }

    private static void merge(int[] from, int[] to, int low, int middle, int high, Column[] keys) {
        int left = low;
        int right = middle;
        for (int i = low; i < high; i++) {
            boolean takeLeft =
                    right >= high
                            || left < middle && compare(keys, from[left], keys, from[right]) <= 0;
            to[i] = takeLeft ? from[left++] : from[right++];
        }
    }

    static int compare(Column[] a, int rowA, Column[] b, int rowB) {
        for (int k = 0; k < a.length; k++) {
            int order = Ordering.compare(a[k], rowA, b[k], rowB);
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }
}
