package dev.tidemill.expr;

import dev.tidemill.data.Bits;
import dev.tidemill.data.BoolColumn;
import dev.tidemill.data.BytesColumn;
import dev.tidemill.data.Casts;
import dev.tidemill.data.Column;
import dev.tidemill.data.ColumnBuilder;
import dev.tidemill.data.Columns;
import dev.tidemill.data.DataType;
import dev.tidemill.data.DoubleColumn;
import dev.tidemill.data.JsonText;
import dev.tidemill.data.LongColumn;
import java.util.List;

/** {@code && || ! ?:} and isNull. Booleans only, a null is an error of the row; the right side is only evaluated where the left does not decide. */
final class Logic {
    private Logic() {}

    /** The operand as booleans; rows that are none, null included, fail. */
    private static BoolColumn booleans(Kernel kernel, Frame frame, String operator) {
        Column column = Columns.plain(kernel.eval(frame));
        if (column instanceof BoolColumn bools && !bools.hasNulls()) {
            return bools;
        }
        long[] bits = new long[Bits.words(frame.length())];
        for (int i = 0; i < frame.count(); i++) {
            int row = frame.row(i);
            Object value = frame.errors().has(row) ? null : Values.of(column, row);
            if (value instanceof Boolean bool) {
                if (bool) {
                    Bits.set(bits, row);
                }
            } else {
                frame.errors().add(row, operator + " takes booleans, found " + Values.kind(value));
            }
        }
        return new BoolColumn(bits, null, frame.length());
    }

    static final class And extends Kernel {
        private final Kernel left;
        private final Kernel right;
        private final boolean predicate;

        And(Kernel left, Kernel right) {
            super(DataType.BOOL);
            this.left = left;
            this.right = right;
            predicate = left.isPredicate() && right.isPredicate();
        }

        @Override
        boolean isPredicate() {
            return predicate;
        }

        @Override
        boolean cannotFail() {
            return isPredicate();
        }

        @Override
        Column eval(Frame frame) {
            BoolColumn first = booleans(left, frame, "'&&'");
            if (right.isPredicate()) {
                BoolColumn second = booleans(right, frame, "'&&'");
                return new BoolColumn(Bits.and(first.bits(), second.bits()), null, frame.length());
            }
            Frame open = frame.where(first, true);
            if (open.count() == 0) {
                return new BoolColumn(new long[first.bits().length], null, frame.length());
            }
            BoolColumn second = booleans(right, open, "'&&'");
            return new BoolColumn(Bits.and(first.bits(), second.bits()), null, frame.length());
        }
    }

    static final class Or extends Kernel {
        private final Kernel left;
        private final Kernel right;
        private final boolean predicate;

        Or(Kernel left, Kernel right) {
            super(DataType.BOOL);
            this.left = left;
            this.right = right;
            predicate = left.isPredicate() && right.isPredicate();
        }

        @Override
        boolean isPredicate() {
            return predicate;
        }

        @Override
        boolean cannotFail() {
            return isPredicate();
        }

        @Override
        Column eval(Frame frame) {
            BoolColumn first = booleans(left, frame, "'||'");
            Frame open = right.isPredicate() ? frame : frame.where(first, false);
            if (open.count() == 0) {
                return first;
            }
            long[] second = booleans(right, open, "'||'").bits();
            long[] bits = new long[Bits.words(frame.length())];
            // Rows that were not open are true already or have failed: whatever the right side has
            // there does no harm.
            for (int i = 0; i < bits.length; i++) {
                bits[i] = first.bits()[i] | second[i];
            }
            return new BoolColumn(bits, null, frame.length());
        }
    }

    static final class Not extends Kernel {
        private final Kernel operand;
        private final boolean predicate;

        Not(Kernel operand) {
            super(DataType.BOOL);
            this.operand = operand;
            predicate = operand.isPredicate();
        }

        @Override
        boolean isPredicate() {
            return predicate;
        }

        @Override
        boolean cannotFail() {
            return isPredicate();
        }

        @Override
        Column eval(Frame frame) {
            long[] given = booleans(operand, frame, "'!'").bits();
            long[] bits = new long[Bits.words(frame.length())];
            for (int i = 0; i < bits.length; i++) {
                bits[i] = ~given[i];
            }
            return new BoolColumn(bits, null, frame.length());
        }
    }

    static final class IsNull extends Kernel {
        private final Kernel operand;
        private final boolean predicate;

        IsNull(Kernel operand) {
            super(DataType.BOOL);
            this.operand = operand;
            predicate = operand.cannotFail();
        }

        @Override
        boolean isPredicate() {
            return predicate;
        }

        @Override
        boolean cannotFail() {
            return isPredicate();
        }

        @Override
        boolean isConstant() {
            return operand.isConstant();
        }

        @Override
        Column eval(Frame frame) {
            Column column = operand.eval(frame);
            long[] bits = new long[Bits.words(frame.length())];
            for (int i = 0; i < frame.count(); i++) {
                int row = frame.row(i);
                if (isNull(column, row)) {
                    Bits.set(bits, row);
                }
            }
            return new BoolColumn(bits, null, frame.length());
        }

        private static boolean isNull(Column column, int row) {
            return column.type() instanceof DataType.Json
                    ? Values.of(column, row) == null
                    : column.isNull(row);
        }
    }

    static final class Choose extends Kernel {
        private final Kernel condition;
        private final Kernel then;
        private final Kernel otherwise;
        private final boolean total;
        private final boolean branchesAreTotal;

        Choose(Kernel condition, Kernel then, Kernel otherwise) {
            super(Expressions.common(then.type(), otherwise.type()));
            this.condition = condition;
            this.then = then;
            this.otherwise = otherwise;
            branchesAreTotal = then.cannotFail() && otherwise.cannotFail();
            total = condition.isPredicate() && branchesAreTotal;
        }

        @Override
        boolean cannotFail() {
            return total;
        }

        @Override
        Column eval(Frame frame) {
            BoolColumn decided = booleans(condition, frame, "'?:'");
            if (branchesAreTotal && then.type().equals(type()) && otherwise.type().equals(type())) {
                return merge(
                        frame,
                        decided,
                        Columns.plain(then.eval(frame)),
                        Columns.plain(otherwise.eval(frame)));
            }
            Frame yes = frame.where(decided, true);
            if (yes.count() == frame.count()) {
                return widened(then.eval(yes));
            }
            Frame no = frame.where(decided, false);
            if (no.count() == frame.count()) {
                return widened(otherwise.eval(no));
            }
            return merge(frame, decided, widened(then.eval(yes)), widened(otherwise.eval(no)));
        }

        private Column widened(Column column) {
            if (column.type().equals(type())) {
                return Columns.plain(column);
            }
            if (!(type() instanceof DataType.Json)) {
                return Columns.plain(Casts.cast(column, type()));
            }
            ColumnBuilder out = ColumnBuilder.of(DataType.JSON);
            for (int i = 0; i < column.length(); i++) {
                Object value = Values.of(column, i);
                out.append(value == null ? null : JsonText.of(value));
            }
            return out.build();
        }

        private Column merge(Frame frame, BoolColumn decided, Column yes, Column no) {
            int length = frame.length();
            if (yes instanceof LongColumn a && no instanceof LongColumn b) {
                long[] values = new long[length];
                for (int i = 0; i < length; i++) {
                    values[i] = decided.get(i) ? a.get(i) : b.get(i);
                }
                return new LongColumn(type(), values, validity(decided, a, b), length);
            }
            if (yes instanceof DoubleColumn a && no instanceof DoubleColumn b) {
                double[] values = new double[length];
                for (int i = 0; i < length; i++) {
                    values[i] = decided.get(i) ? a.get(i) : b.get(i);
                }
                return new DoubleColumn(values, validity(decided, a, b), length);
            }
            if (yes instanceof BytesColumn a && no instanceof BytesColumn b) {
                return TextKernels.merge(type(), decided, a, b, validity(decided, a, b));
            }
            Column both = Columns.concat(type(), List.of(yes, no));
            int[] rows = new int[length];
            for (int i = 0; i < length; i++) {
                rows[i] = decided.get(i) ? i : length + i;
            }
            return both.gather(rows, length);
        }

        private static long[] validity(BoolColumn decided, Column yes, Column no) {
            if (!yes.hasNulls() && !no.hasNulls()) {
                return null;
            }
            long[] bits = new long[Bits.words(decided.length())];
            for (int i = 0; i < decided.length(); i++) {
                if (!(decided.get(i) ? yes : no).isNull(i)) {
                    Bits.set(bits, i);
                }
            }
            return bits;
        }
    }
}
