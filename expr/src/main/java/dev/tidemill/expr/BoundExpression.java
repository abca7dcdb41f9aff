package dev.tidemill.expr;

import dev.tidemill.data.Batch;
import dev.tidemill.data.Bits;
import dev.tidemill.data.BoolColumn;
import dev.tidemill.data.Column;
import dev.tidemill.data.Columns;
import dev.tidemill.data.DataType;
import dev.tidemill.data.Selection;

/** An expression over batches of one schema. Keeps scratch memory between batches: for one task, not thread-safe. */
public final class BoundExpression {
    private final Kernel root;

    BoundExpression(Kernel root) {
        this.root = root;
    }

    /** The type of the result; json when its kind is only known row by row, null when it is always null. */
    public DataType type() {
        return root.type();
    }

    /** Whether the result can be a boolean. */
    public boolean canBeBoolean() {
        return root.type() instanceof DataType.Bool
                || Expressions.isDynamic(root.type())
                || root.type() instanceof DataType.Null;
    }

    /**
     * The value of each living row, at its physical position; other positions are unspecified. A row that fails is noted in {@code errors}, which
     * must have been reset for this batch, and has no meaningful value.
     */
    public Column eval(Batch batch, RowErrors errors) {
        return root.eval(Frame.of(batch, errors));
    }

    /** The living rows on which the expression is true. Null is not true; a failed row is noted and not true; anything but a boolean fails. */
    public Selection filter(Batch batch, RowErrors errors) {
        Column column = Columns.plain(root.eval(Frame.of(batch, errors)));
        if (column instanceof BoolColumn bools) {
            return selectTrue(bools.bits(), batch, errors);
        }
        return selectDynamic(column, batch, errors);
    }

    private static Selection selectTrue(long[] bits, Batch batch, RowErrors errors) {
        int[] rows = new int[batch.rows()];
        int count = 0;
        Selection selection = batch.selection();
        if (selection == null) {
            int words = Bits.words(batch.physicalRows());
            for (int w = 0; w < words; w++) {
                int base = w << 6;
                long word = bits[w];
                if (base + 64 > batch.physicalRows()) {
                    word &= -1L >>> base + 64 - batch.physicalRows();
                }
                for (; word != 0; word &= word - 1) {
                    rows[count++] = base + Long.numberOfTrailingZeros(word);
                }
            }
        } else {
            for (int i = 0; i < selection.count(); i++) {
                int row = selection.rows()[i];
                rows[count] = row;
                count += (int) (bits[row >> 6] >>> row & 1);
            }
        }
        return errors.count() == 0
                ? new Selection(rows, count)
                : withoutErrors(rows, count, errors);
    }

    private static Selection selectDynamic(Column column, Batch batch, RowErrors errors) {
        int[] rows = new int[batch.rows()];
        int count = 0;
        for (int i = 0; i < batch.rows(); i++) {
            int row = batch.physicalRow(i);
            Object value = errors.has(row) ? null : Values.of(column, row);
            if (value instanceof Boolean bool) {
                rows[count] = row;
                count += bool ? 1 : 0;
            } else if (value != null) {
                errors.add(row, "a filter needs a boolean, found " + Values.kind(value));
            }
        }
        return withoutErrors(rows, count, errors);
    }

    private static Selection withoutErrors(int[] rows, int count, RowErrors errors) {
        int kept = 0;
        for (int i = 0; i < count; i++) {
            if (!errors.has(rows[i])) {
                rows[kept++] = rows[i];
            }
        }
        return new Selection(rows, kept);
    }
}
