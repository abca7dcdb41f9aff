package dev.tidemill.expr;

import dev.tidemill.data.Bits;
import dev.tidemill.data.Column;
import dev.tidemill.data.DataType;
import dev.tidemill.data.DoubleColumn;
import dev.tidemill.data.LongColumn;
import dev.tidemill.expr.Node.Operator;

/**
 * Arithmetic over whole columns. A loop computes every row, living or not, and only notes whether anything went wrong; then the living rows are gone through
 * again to find out which.
 */
final class Arithmetic {
    private static final long EXPONENT = 0x7FF0000000000000L;
    private static final long LEAST_EXPONENT = 0x0010000000000000L;

    private Arithmetic() {}

    private static boolean isValid(long[] validity, int row) {
        return validity == null || Bits.get(validity, row);
    }

    /** Exact int64; overflow is an error. */
    static final class Longs extends Kernel {
        private final Operator operator;
        private final Operand left;
        private final Operand right;
        private final boolean constant;

        /** Of a remainder by a constant, which cannot fail; else null. */
        private final Divisor divisor;

        private final boolean total;

        Longs(Operator operator, Kernel left, Kernel right) {
            super(DataType.INT64);
            divisor = operator == Operator.REMAINDER ? divisor(right) : null;
            total = divisor != null && left.cannotFail();
            this.operator = operator;
            this.left = new Operand(left);
            this.right = new Operand(right);
            constant = left.isConstant() && right.isConstant();
        }

        @Override
        boolean isConstant() {
            return constant;
        }

        /** The sign of the divisor makes no difference to the remainder. */
        private static Divisor divisor(Kernel kernel) {
            boolean fits =
                    kernel instanceof Constant constant
                            && constant.value() instanceof Long value
                            && (value > 1 || value < -1 && value > Long.MIN_VALUE);
            return fits ? new Divisor(Math.abs((Long) ((Constant) kernel).value())) : null;
        }

        @Override
        boolean cannotFail() {
            return total;
        }

        @Override
        Column eval(Frame frame) {
            long[] a = left.longs(frame);
            if (divisor != null) {
                return new LongColumn(
                        DataType.INT64,
                        remainders(a, frame.length()),
                        left.validity(),
                        frame.length());
            }
            long[] b = right.longs(frame);
            long[] validity = Bits.and(left.validity(), right.validity());
            long[] out = new long[frame.length()];
            boolean wrong =
                    switch (operator) {
                        case ADD -> add(a, b, out);
                        case SUBTRACT -> subtract(a, b, out);
                        case MULTIPLY -> multiply(a, b, out);
                        default -> remainder(a, b, out);
                    };
            if (wrong) {
                report(frame, a, b, validity);
            }
            return new LongColumn(DataType.INT64, out, validity, frame.length());
        }

        private long[] remainders(long[] a, int length) {
            Divisor by = divisor;
            long[] out = new long[length];
            for (int i = 0; i < out.length; i++) {
                out[i] = by.remainder(a[i]);
            }
            return out;
        }

        private static boolean add(long[] a, long[] b, long[] out) {
            long wrong = 0;
            for (int i = 0; i < out.length; i++) {
                long sum = a[i] + b[i];
                wrong |= (a[i] ^ sum) & (b[i] ^ sum);
                out[i] = sum;
            }
            return wrong < 0;
        }

        private static boolean subtract(long[] a, long[] b, long[] out) {
            long wrong = 0;
            for (int i = 0; i < out.length; i++) {
                long difference = a[i] - b[i];
                wrong |= (a[i] ^ b[i]) & (a[i] ^ difference);
                out[i] = difference;
            }
            return wrong < 0;
        }

        private static boolean multiply(long[] a, long[] b, long[] out) {
            long wrong = 0;
            for (int i = 0; i < out.length; i++) {
                long low = a[i] * b[i];
                wrong |= Math.multiplyHigh(a[i], b[i]) ^ low >> 63;
                out[i] = low;
            }
            return wrong != 0;
        }

        private static boolean remainder(long[] a, long[] b, long[] out) {
            boolean wrong = false;
            for (int i = 0; i < out.length; i++) {
                long divisor = b[i];
                wrong |= divisor == 0;
                out[i] = divisor == 0 || divisor == -1 ? 0 : a[i] % divisor;
            }
            return wrong;
        }

        private void report(Frame frame, long[] a, long[] b, long[] validity) {
            for (int i = 0; i < frame.count(); i++) {
                int row = frame.row(i);
                if (!isValid(validity, row)) {
                    continue;
                }
                try {
                    Values.whole(operator, a[row], b[row]);
                } catch (EvalError e) {
                    frame.errors().add(row, e.getMessage());
                }
            }
        }
    }

    /** float64; division by zero and results that are not finite are errors. */
    static final class Doubles extends Kernel {
        private final Operator operator;
        private final Operand left;
        private final Operand right;
        private final boolean constant;

        Doubles(Operator operator, Kernel left, Kernel right) {
            super(DataType.FLOAT64);
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
            double[] a = left.doubles(frame);
            double[] b = right.doubles(frame);
            long[] validity = Bits.and(left.validity(), right.validity());
            double[] out = new double[frame.length()];
            compute(a, b, out);
            if (!allFinite(out)) {
                report(frame, a, b, validity);
            }
            return new DoubleColumn(out, validity, frame.length());
        }

        private void compute(double[] a, double[] b, double[] out) {
            switch (operator) {
                case ADD -> {
                    for (int i = 0; i < out.length; i++) {
                        out[i] = a[i] + b[i];
                    }
                }
                case SUBTRACT -> {
                    for (int i = 0; i < out.length; i++) {
                        out[i] = a[i] - b[i];
                    }
                }
                case MULTIPLY -> {
                    for (int i = 0; i < out.length; i++) {
                        out[i] = a[i] * b[i];
                    }
                }
                case DIVIDE -> {
                    for (int i = 0; i < out.length; i++) {
                        out[i] = a[i] / b[i];
                    }
                }
                default -> {
                    for (int i = 0; i < out.length; i++) {
                        out[i] = a[i] % b[i];
                    }
                }
            }
        }

        private void report(Frame frame, double[] a, double[] b, long[] validity) {
            for (int i = 0; i < frame.count(); i++) {
                int row = frame.row(i);
                if (!isValid(validity, row)) {
                    continue;
                }
                try {
                    Values.floating(operator, a[row], b[row]);
                } catch (EvalError e) {
                    frame.errors().add(row, e.getMessage());
                }
            }
        }
    }

    /** The minus sign before a float64. */
    static final class NegatedDouble extends Kernel {
        private final Kernel kernel;
        private final Operand operand;

        NegatedDouble(Kernel operand) {
            super(DataType.FLOAT64);
            this.kernel = operand;
            this.operand = new Operand(operand);
        }

        @Override
        boolean isConstant() {
            return kernel.isConstant();
        }

        @Override
        boolean cannotFail() {
            return kernel.cannotFail();
        }

        @Override
        Column eval(Frame frame) {
            double[] values = operand.doubles(frame);
            double[] out = new double[frame.length()];
            for (int i = 0; i < out.length; i++) {
                out[i] = -values[i];
            }
            return new DoubleColumn(out, operand.validity(), frame.length());
        }
    }

    /** A function of one number. */
    static final class OfDouble extends Kernel {
        private final Function.DoubleBody body;
        private final Operand operand;
        private final boolean constant;

        OfDouble(Function.DoubleBody body, Kernel operand) {
            super(DataType.FLOAT64);
            this.body = body;
            this.operand = new Operand(operand);
            constant = operand.isConstant();
        }

        @Override
        boolean isConstant() {
            return constant;
        }

        @Override
        Column eval(Frame frame) {
            double[] values = operand.doubles(frame);
            long[] validity = operand.validity();
            double[] out = new double[frame.length()];
            for (int i = 0; i < frame.count(); i++) {
                int row = frame.row(i);
                if (!isValid(validity, row)) {
                    continue;
                }
                try {
                    out[row] = Values.finite(body.apply(values[row]));
                } catch (EvalError e) {
                    frame.errors().add(row, e.getMessage());
                }
            }
            return new DoubleColumn(out, validity, frame.length());
        }
    }

    /** NaN and the infinities have all bits of the exponent set, and only then one more carries into the sign. */
    private static boolean allFinite(double[] values) {
        long carried = 0;
        for (double value : values) {
            carried |= (Double.doubleToRawLongBits(value) & EXPONENT) + LEAST_EXPONENT;
        }
        return carried >= 0;
    }
}
