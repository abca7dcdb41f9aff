package dev.tidemill.operators.window;

import dev.tidemill.data.Column;
import dev.tidemill.data.LongColumn;
import dev.tidemill.data.Ordering;
import java.util.Arrays;

/** The order of groups within a firing: by their key columns, one after the other, as {@link Ordering} has it. */
final class KeyOrder {
    private KeyOrder() {}

    /** The rows of the key columns in order. */
    static int[] sorted(Column[] keys, int count) {
        if (keys.length == 1 && keys[0] instanceof LongColumn longs && !longs.hasNulls()) {
            return sortedLongs(longs.values(), count);
        }
        int[] rows = new int[count];
        for (int i = 0; i < count; i++) {
            rows[i] = i;
        }
        if (keys.length > 0) {
            mergeSort(rows, keys);
        }
        return rows;
    }

    /** Keys that span less than 2^32 are sorted together with their row in one word, others by comparison. */
    private static int[] sortedLongs(long[] values, int count) {
        long min = Long.MAX_VALUE;
        long max = Long.MIN_VALUE;
        boolean ascending = true;
        for (int i = 0; i < count; i++) {
            min = Math.min(min, values[i]);
            max = Math.max(max, values[i]);
            ascending &= i == 0 || values[i - 1] <= values[i];
        }
        int[] rows = new int[count];
        if (ascending) {
            for (int i = 0; i < count; i++) {
                rows[i] = i;
            }
            return rows;
        }
        long span = max - min;
        if (span < 0 || span >= 1L << 31) {
            for (int i = 0; i < count; i++) {
                rows[i] = i;
            }
            mergeSort(rows, new Column[] {LongColumn.of(Arrays.copyOf(values, count))});
            return rows;
        }
        long[] words = new long[count];
        for (int i = 0; i < count; i++) {
            words[i] = values[i] - min << 32 | i;
        }
        Arrays.sort(words);
        for (int i = 0; i < count; i++) {
            rows[i] = (int) words[i];
        }
        return rows;
    }

    /** Bottom-up merge sort of row numbers, so that nothing is boxed. */
    private static void mergeSort(int[] rows, Column[] keys) {
        int[] from = rows;
        int[] to = new int[rows.length];
        for (int width = 1; width < rows.length; width *= 2) {
            for (int low = 0; low < rows.length; low += 2 * width) {
                merge(
                        from,
                        to,
                        low,
                        Math.min(low + width, rows.length),
                        Math.min(low + 2 * width, rows.length),
                        keys);
            }
            int[] swap = from;
            from = to;
            to = swap;
        }
        if (from != rows) {
            System.arraycopy(from, 0, rows, 0, rows.length);
        }
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
