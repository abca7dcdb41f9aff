package dev.tidemill.expr;

import dev.tidemill.data.Bits;
import dev.tidemill.data.BoolColumn;
import dev.tidemill.data.BytesColumn;
import dev.tidemill.data.Column;
import dev.tidemill.data.Columns;
import dev.tidemill.data.DataType;
import dev.tidemill.data.DictionaryColumn;
import dev.tidemill.data.LittleEndian;
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
        if (a instanceof DataType.Float64
                && (b instanceof DataType.Float64 || isExactDouble(right))) {
            return new OfDoubles(operator, left, right);
        }
        if (b instanceof DataType.Float64 && isExactDouble(left)) {
            return new OfDoubles(operator, left, right);
        }
        if (a.isLongBacked() && b instanceof DataType.Float64) {
            return new OfLongAndDouble(operator, left, right);
        }
        if (a instanceof DataType.Float64 && b.isLongBacked()) {
            return new OfLongAndDouble(mirrored(operator), right, left);
        }
        if (a instanceof DataType.Utf8 && b instanceof DataType.Utf8) {
            if (right instanceof Constant constant && constant.value() instanceof String text) {
                return new WithText(operator, left, text);
            }
            if (left instanceof Constant constant && constant.value() instanceof String text) {
                return new WithText(mirrored(operator), right, text);
            }
            return new OfTexts(operator, left, right);
        }
        return null;
    }

    /** Whether it is an int64 constant that is the same number as a float64. */
    private static boolean isExactDouble(Kernel kernel) {
        return kernel instanceof Constant constant
                && constant.value() instanceof Long value
                && Math.abs(value) <= 1L << 53;
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
    private static BoolColumn withNulls(
            Operator operator, long[] bits, long[] a, long[] b, int length) {
        if (a == null && b == null) {
            return new BoolColumn(bits, null, length);
        }
        for (int w = 0; w < bits.length; w++) {
            long validA = a == null ? -1L : a[w];
            long validB = b == null ? -1L : b[w];
            long bothValid = bits[w] & validA & validB;
            bits[w] =
                    switch (operator) {
                        case EQUAL -> bothValid | ~validA & ~validB;
                        case NOT_EQUAL -> bothValid | validA ^ validB;
                        default -> bothValid;
                    };
        }
        return new BoolColumn(bits, null, length);
    }

    /** A row of the result is true or false whatever the operands are, so it is computed for all rows. */
    private abstract static class Comparison extends Kernel {
        final Operator operator;
        private final boolean constant;
        private final boolean total;

        Comparison(Operator operator, Kernel left, Kernel right) {
            super(DataType.BOOL);
            this.operator = operator;
            constant = left.isConstant() && right.isConstant();
            total = left.cannotFail() && right.cannotFail();
        }

        @Override
        final boolean isConstant() {
            return constant;
        }

        @Override
        final boolean cannotFail() {
            return total;
        }

        @Override
        final boolean isPredicate() {
            return total;
        }
    }

    private static final class OfLongs extends Comparison {
        private final Operand left;
        private final Operand right;

        OfLongs(Operator operator, Kernel left, Kernel right) {
            super(operator, left, right);
            this.left = new Operand(left);
            this.right = new Operand(right);
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

    private static final class OfDoubles extends Comparison {
        private final Operand left;
        private final Operand right;

        OfDoubles(Operator operator, Kernel left, Kernel right) {
            super(operator, left, right);
            this.left = new Operand(left);
            this.right = new Operand(right);
        }

        @Override
        Column eval(Frame frame) {
            int length = frame.length();
            double[] a = left.doubles(frame);
            double[] b = right.doubles(frame);
            long[] bits = new long[Bits.words(length)];
            for (int w = 0; w < bits.length; w++) {
                int from = w << 6;
                bits[w] = word(operator, a, b, from, Math.min(length, from + 64));
            }
            return withNulls(operator, bits, left.validity(), right.validity(), length);
        }

        private static long word(Operator operator, double[] a, double[] b, int from, int to) {
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

    /** By exact value, which a cast to float64 would not keep. */
    private static final class OfLongAndDouble extends Comparison {
        private final Operand left;
        private final Operand right;

        OfLongAndDouble(Operator operator, Kernel left, Kernel right) {
            super(operator, left, right);
            this.left = new Operand(left);
            this.right = new Operand(right);
        }

        @Override
        Column eval(Frame frame) {
            long[] a = left.longs(frame);
            double[] b = right.doubles(frame);
            long[] bits = new long[Bits.words(frame.length())];
            for (int i = 0; i < frame.length(); i++) {
                boolean holds =
                        Double.isNaN(b[i])
                                ? operator == Operator.NOT_EQUAL
                                : holds(operator, Values.compare(a[i], b[i]));
                bits[i >> 6] |= (holds ? 1L : 0L) << i;
            }
            return withNulls(operator, bits, left.validity(), right.validity(), frame.length());
        }
    }

    private static boolean holds(Operator operator, int order) {
        return switch (operator) {
            case EQUAL -> order == 0;
            case NOT_EQUAL -> order != 0;
            case LESS -> order < 0;
            case LESS_OR_EQUAL -> order <= 0;
            case GREATER -> order > 0;
            default -> order >= 0;
        };
    }

    private static boolean isEquality(Operator operator) {
        return operator == Operator.EQUAL || operator == Operator.NOT_EQUAL;
    }

    private static final class OfTexts extends Comparison {
        private final Kernel left;
        private final Kernel right;

        OfTexts(Operator operator, Kernel left, Kernel right) {
            super(operator, left, right);
            this.left = left;
            this.right = right;
        }

        @Override
        Column eval(Frame frame) {
            BytesColumn a = (BytesColumn) Columns.plain(left.eval(frame));
            BytesColumn b = (BytesColumn) Columns.plain(right.eval(frame));
            long[] bits = new long[Bits.words(frame.length())];
            for (int i = 0; i < frame.count(); i++) {
                int row = frame.row(i);
                if (holds(a, b, row)) {
                    Bits.set(bits, row);
                }
            }
            return withNulls(operator, bits, a.validity(), b.validity(), frame.length());
        }

        private boolean holds(BytesColumn a, BytesColumn b, int row) {
            if (isEquality(operator)) {
                boolean same =
                        a.byteLength(row) == b.byteLength(row)
                                && Arrays.equals(
                                        a.data(),
                                        a.start(row),
                                        a.end(row),
                                        b.data(),
                                        b.start(row),
                                        b.end(row));
                return same == (operator == Operator.EQUAL);
            }
            return Comparisons.holds(
                    operator,
                    Arrays.compareUnsigned(
                            a.data(),
                            a.start(row),
                            a.end(row),
                            b.data(),
                            b.start(row),
                            b.end(row)));
        }
    }

    /** A string column with a literal. */
    private static final class WithText extends Comparison {
        private final Kernel operand;
        private final byte[] text;

        /** The first 8 bytes of the literal as a word, and which bytes of the word are its. */
        private final long head;

        private final long headMask;

        WithText(Operator operator, Kernel operand, String text) {
            super(operator, operand, operand);
            this.operand = operand;
            this.text = text.getBytes(StandardCharsets.UTF_8);
            head = LittleEndian.getLong(Arrays.copyOf(this.text, Math.max(8, this.text.length)), 0);
            headMask = this.text.length >= 8 ? -1L : (1L << 8 * this.text.length) - 1;
        }

        @Override
        Column eval(Frame frame) {
            Column column = operand.eval(frame);
            long[] bits = new long[Bits.words(frame.length())];
            if (column instanceof DictionaryColumn dictionary) {
                compareDictionary(dictionary, bits);
            } else if (isEquality(operator)) {
                compareEqual((BytesColumn) column, bits);
            } else {
                compareOrder((BytesColumn) column, frame, bits);
            }
            return withNulls(operator, bits, column.validity(), null, frame.length());
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

        private void compareEqual(BytesColumn column, long[] bits) {
            long flip = operator == Operator.EQUAL ? 0 : -1L;
            for (int w = 0; w < bits.length; w++) {
                int from = w << 6;
                int to = Math.min(column.length(), from + 64);
                bits[w] = equalWord(column.offsets(), column.data(), from, to) ^ flip;
            }
        }

        private long equalWord(int[] offsets, byte[] data, int from, int to) {
            int length = text.length;
            int lastWord = data.length - 8;
            long bits = 0;
            int start = offsets[from];
            for (int i = from; i < to; i++) {
                int end = offsets[i + 1];
                if (end - start == length) {
                    boolean same =
                            start <= lastWord && length <= 8
                                    ? ((LittleEndian.getLong(data, start) ^ head) & headMask) == 0
                                    : Arrays.equals(data, start, end, text, 0, length);
                    bits |= (same ? 1L : 0L) << i;
                }
                start = end;
            }
            return bits;
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
            return Comparisons.holds(
                    operator,
                    Arrays.compareUnsigned(
                            column.data(),
                            column.start(row),
                            column.end(row),
                            text,
                            0,
                            text.length));
        }
    }
}
