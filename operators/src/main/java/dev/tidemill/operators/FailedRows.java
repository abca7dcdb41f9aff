package dev.tidemill.operators;

import dev.tidemill.data.Batch;
import dev.tidemill.data.Selection;
import dev.tidemill.expr.RowErrors;

/** Takes the rows on which an expression failed out of a batch. */
final class FailedRows {
    private FailedRows() {}

    /** Gives the failed rows to the side output. */
    static void report(Batch batch, RowErrors errors, SideOutput side) {
        int[] rows = new int[errors.count()];
        String[] reasons = new String[errors.count()];
        int count = 0;
        for (int i = 0; i < batch.rows(); i++) {
            int row = batch.physicalRow(i);
            if (errors.has(row)) {
                rows[count] = row;
                reasons[count++] = errors.reason(row);
            }
        }
        side.errors(batch.select(new Selection(rows, count)), reasons);
    }

    /** The living rows that did not fail. */
    static Selection survivors(Batch batch, RowErrors errors) {
        int[] rows = new int[batch.rows()];
        int count = 0;
        for (int i = 0; i < batch.rows(); i++) {
            int row = batch.physicalRow(i);
            if (!errors.has(row)) {
                rows[count++] = row;
            }
        }
        return new Selection(rows, count);
    }
}
