package dev.tidemill.expr;

import dev.tidemill.data.Column;
import dev.tidemill.data.DataType;

/** One node of a bound expression: a loop over the rows of a frame. */
abstract class Kernel {
    private final DataType type;

    Kernel(DataType type) {
        this.type = type;
    }

    final DataType type() {
        return type;
    }

    /** A column of the frame's length; only the frame's rows that have not failed are meaningful. */
    abstract Column eval(Frame frame);

    /** Whether no row can fail, so that it may also be evaluated where its value is not asked for. */
    boolean cannotFail() {
        return false;
    }

    /** Whether every row has a boolean, without nulls and failures. */
    boolean isPredicate() {
        return false;
    }

    /** Whether it is the same for every row, so that it may be computed once. */
    boolean isConstant() {
        return false;
    }
}
