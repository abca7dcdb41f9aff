package dev.tidemill.state;

import java.util.Arrays;

/** A growing list of row numbers, reused between batches. */
final class RowList {
    private int[] rows = new int[16];
    private int count;

    void clear() {
        count = 0;
    }

    int count() {
        return count;
    }

    int get(int index) {
        return rows[index];
    }

    void add(int row) {
        if (count == rows.length) {
            rows = Arrays.copyOf(rows, 2 * count);
        }
        rows[count++] = row;
    }

    void sortDistinct() {
        Arrays.sort(rows, 0, count);
        int kept = 0;
        for (int i = 0; i < count; i++) {
            if (i == 0 || rows[i] != rows[i - 1]) {
                rows[kept++] = rows[i];
            }
        }
        count = kept;
    }
}
