package dev.tidemill.expr;

import dev.tidemill.data.Batch;
import dev.tidemill.data.BoolColumn;

/**
 * The rows a kernel works on: all rows of the batch's length when {@code rows} is null, else the listed ones.
 *
 * @param length the physical length of every column in and out
 */
record Frame(Batch batch, int length, int[] rows, int count, RowErrors errors) {
    static Frame of(Batch batch, RowErrors errors) {
        int length = batch.physicalRows();
        return batch.selection() == null
                ? new Frame(batch, length, null, length, errors)
                : new Frame(
                        batch, length, batch.selection().rows(), batch.selection().count(), errors);
    }

    int row(int i) {
        return rows == null ? i : rows[i];
    }

    /** The rows of this frame that have not failed and on which the column is {@code wanted}. */
    Frame where(BoolColumn column, boolean wanted) {
        int[] kept = new int[count];
        int n = 0;
        for (int i = 0; i < count; i++) {
            int row = row(i);
            boolean keep = !column.isNull(row) && column.get(row) == wanted && !errors.has(row);
            kept[n] = row;
            n += keep ? 1 : 0;
        }
        return n == count ? this : new Frame(batch, length, kept, n, errors);
    }
}
