package dev.tidemill.expr;

import dev.tidemill.data.Bits;
import dev.tidemill.data.BoolColumn;
import dev.tidemill.data.BytesColumn;
import dev.tidemill.data.Column;
import dev.tidemill.data.Columns;
import dev.tidemill.data.DataType;
import dev.tidemill.data.DictionaryColumn;
import dev.tidemill.expr.Node.Operator;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Comparisons of columns of one kind, 64 rows to a word of the result. They cannot fail, so they compute every row, living or not. */
final class Comparisons {
    private Comparisons() {}

    /** The kernel for these operands, or null when there is none. */
    static Kernel of(Operator operator, Kernel left, Kernel right) {
        DataType a = left.type();
        DataType b = right.type();
        if (a.isLongBacked() && b.isLongBacked()) {
            return new OfLongs(operator, left, right);
        }
        if (a instanceof DataType.Float64 && b instanceof DataType.Float64) {
            return new OfDoubles(operator, left, right);
        }
        if (a instanceof DataType.Utf8 && b instanceof DataType.Utf8) {
            if (right instanceof Constant constant && constant.value() instanceof String text) {
                return new WithText(operator, left, text);
            }
            if (left instanceof Constant constant && constant.value() instanceof String text) {
                return new WithText(mirrored(operator), right, text);
            }
        }
        return null;
    }

    private static Operator mirrored(Operator operator) {
        return switch (operator) {
            case LESS -> Operator.GREATER;
            case LESS_OR_EQUAL -> Operator.GREATER_OR_EQUAL;
            case GREATER -> Operator.LESS;
            case GREATER_OR_EQUAL -> Operator.LESS_OR_EQUAL;
            default -> operator;
        };
    }

    /** Nulls: equal to each other only; an ordering with one is false. */
    private static BoolColumn withNulls(Operator operator, long[] bits, long[] a, long[] b, int length) {
        if (a == null && b == null) {
            return new BoolColumn(bits, null, length);
        }
        for (int w = 0; w < bits.length; w++) {
            long validA = a == null ? -1L : a[w];
            long validB = b == null ? -1L : b[w];
            long bothValid = bits[w] & validA & validB;
            bits[w] = switch (operator) {
                case EQUAL -> bothValid | ~validA & ~validB;
                case NOT_EQUAL -> bothValid | validA ^ validB;
                default -> bothValid;
            };
        }
        return new BoolColumn(bits, null, length);
    }

    private static final class OfLongs extends Kernel {
        private final Operator operator;
        private final Operand left;
        private final Operand right;
        private final boolean constant;

        OfLongs(Operator operator, Kernel left, Kernel right) {
            super(DataType.BOOL);
            this.operator = operator;
            this.left = new Operand(left);
            this.right = new Operand(right);
            constant = left.isConstant() && right.isConstant();
        }

        @Override
        boolean isConstant() {
            return constant;
        }

        @Override
        Column eval(Frame frame) {
            int length = frame.length();
            long[] a = left.longs(frame);
            long[] b = right.longs(frame);
            long[] bits = new long[Bits.words(length)];
            for (int w = 0; w < bits.length; w++) {
                int from = w << 6;
                bits[w] = word(operator, a, b, from, Math.min(length, from + 64));
            }
            return withNulls(operator, bits, left.validity(), right.validity(), length);
        }

        private static long word(Operator operator, long[] a, long[] b, int from, int to) {
            long bits = 0;
            switch (operator) {
                case EQUAL -> {
                    for (int i = from; i < to; i++) {
                        bits |= (a[i] == b[i] ? 1L : 0L) << i;
                    }
                }
                case NOT_EQUAL -> {
                    for (int i = from; i < to; i++) {
                        bits |= (a[i] != b[i] ? 1L : 0L) << i;
                    }
                }
                case LESS -> {
                    for (int i = from; i < to; i++) {
                        bits |= (a[i] < b[i] ? 1L : 0L) << i;
                    }
                }
                case LESS_OR_EQUAL -> {
                    for (int i = from; i < to; i++) {
                        bits |= (a[i] <= b[i] ? 1L : 0L) << i;
                    }
                }
                case GREATER -> {
                    for (int i = from; i < to; i++) {
                        bits |= (a[i] > b[i] ? 1L : 0L) << i;
                    }
                }
                default -> {
                    for (int i = from; i < to; i++) {
                        bits |= (a[i] >= b[i] ? 1L : 0L) << i;
                    }
                }
            }
            return bits;
        }
    }

    private static final class OfDoubles extends Kernel {
        private final Operator operator;
        private final Operand left;
        private final Operand right;
        private final boolean constant;

        OfDoubles(Operator operator, Kernel left, Kernel right) {
            super(DataType.BOOL);
            this.operator = operator;
            this.left = new Operand(left);
            this.right = new Operand(right);
            constant = left.isConstant() && right.isConstant();
        }

        @Override
        boolean isConstant() {
            return constant;
        }

        @Override
        Column eval(Frame frame) {
            int length = frame.length();
            double[] a = left.doubles(frame);
            double[] b = right.doubles(frame);
            long[] bits = new long[Bits.words(length)];
            for (int i = 0; i < length; i++) {
                bits[i >> 6] |= (holds(operator, a[i], b[i]) ? 1L : 0L) << i;
            }
            return withNulls(operator, bits, left.validity(), right.validity(), length);
        }

        private static boolean holds(Operator operator, double a, double b) {
            return switch (operator) {
                case EQUAL -> a == b;
                case NOT_EQUAL -> a != b;
                case LESS -> a < b;
                case LESS_OR_EQUAL -> a <= b;
                case GREATER -> a > b;
                default -> a >= b;
            };
        }
    }

    /** A string column with a literal. */
    private static final class WithText extends Kernel {
        private final Operator operator;
        private final Kernel operand;
        private final byte[] text;

        WithText(Operator operator, Kernel operand, String text) {
            super(DataType.BOOL);
            this.operator = operator;
            this.operand = operand;
            this.text = text.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        boolean isConstant() {
            return operand.isConstant();
        }

        @Override
        Column eval(Frame frame) {
            Column column = operand.eval(frame);
            long[] bits = new long[Bits.words(frame.length())];
            if (column instanceof DictionaryColumn dictionary) {
                compareDictionary(dictionary, bits);
            } else if (isEquality()) {
                compareEqual((BytesColumn) Columns.plain(column), bits, operator == Operator.EQUAL);
            } else {
                compareOrder((BytesColumn) Columns.plain(column), frame, bits);
            }
            return withNulls(operator, bits, column.validity(), null, frame.length());
        }

        private boolean isEquality() {
            return operator == Operator.EQUAL || operator == Operator.NOT_EQUAL;
        }

        private void compareDictionary(DictionaryColumn column, long[] bits) {
            BytesColumn dictionary = (BytesColumn) column.dictionary();
            boolean[] holds = new boolean[dictionary.length()];
            for (int i = 0; i < holds.length; i++) {
                holds[i] = holds(dictionary, i);
            }
            int[] indices = column.indices();
            for (int i = 0; i < column.length(); i++) {
                if (!column.isNull(i) && holds[indices[i]]) {
                    Bits.set(bits, i);
                }
            }
        }

        private void compareEqual(BytesColumn column, long[] bits, boolean wanted) {
            int[] offsets = column.offsets();
            byte[] data = column.data();
            int length = text.length;
            for (int i = 0; i < column.length(); i++) {
                int start = offsets[i];
                boolean same = offsets[i + 1] - start == length && Arrays.equals(data, start, start + length, text, 0, length);
                bits[i >> 6] |= (same == wanted ? 1L : 0L) << i;
            }
        }

        private void compareOrder(BytesColumn column, Frame frame, long[] bits) {
            for (int i = 0; i < frame.count(); i++) {
                int row = frame.row(i);
                if (holds(column, row)) {
                    Bits.set(bits, row);
                }
            }
        }

        private boolean holds(BytesColumn column, int row) {
            int order = Arrays.compareUnsigned(column.data(), column.start(row), column.end(row), text, 0, text.length);
            return switch (operator) {
                case EQUAL -> order == 0;
                case NOT_EQUAL -> order != 0;
                case LESS -> order < 0;
                case LESS_OR_EQUAL -> order <= 0;
                case GREATER -> order > 0;
                default -> order >= 0;
            };
        }
    }
}
