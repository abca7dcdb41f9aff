package dev.tidemill.expr;

import dev.tidemill.data.Column;
import dev.tidemill.data.DataType;

/** A column of the batch. */
final class ColumnRef extends Kernel {
    private final int index;

    ColumnRef(int index, DataType type) {
        super(type);
        this.index = index;
    }

    @Override
    boolean cannotFail() {
        return true;
    }

    @Override
    Column eval(Frame frame) {
        return frame.batch().column(index);
    }
}
