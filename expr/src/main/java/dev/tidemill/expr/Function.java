package dev.tidemill.expr;

import dev.tidemill.data.DataType;
import java.util.List;

/** A function of the language: how many arguments, what type comes out, what it does to the values of one row. */
final class Function {
    /** Works on values as {@link Values} describes them. */
    @FunctionalInterface
    interface Body {
        Object apply(Object[] arguments) throws EvalError;
    }

    @FunctionalInterface
    interface Typing {
        DataType result(List<DataType> arguments);
    }

    /** A number to a number, without boxes. NaN or infinity as a result is an error. */
    @FunctionalInterface
    interface DoubleBody {
        double apply(double x) throws EvalError;
    }

    private final FunctionDescription description;
    private final int least;
    private final int most;
    private final Typing typing;
    private final boolean nullAware;
    private final Body body;
    private final DoubleBody doubleBody;

    Function(
            FunctionDescription description,
            int least,
            int most,
            Typing typing,
            boolean nullAware,
            Body body,
            DoubleBody doubleBody) {
        this.description = description;
        this.least = least;
        this.most = most;
        this.typing = typing;
        this.nullAware = nullAware;
        this.body = body;
        this.doubleBody = doubleBody;
    }

    String name() {
        return description.name();
    }

    FunctionDescription description() {
        return description;
    }

    boolean takes(int arguments) {
        return arguments >= least && arguments <= most;
    }

    String arity() {
        if (least == most) {
            return least == 1 ? "1 argument" : least + " arguments";
        }
        return most == Integer.MAX_VALUE
                ? "at least " + least + " arguments"
                : least + " to " + most + " arguments";
    }

    DataType result(List<DataType> arguments) {
        return typing.result(arguments);
    }

    /** For functions of one number that give a float64: the body for plain doubles, else null. */
    DoubleBody doubleBody() {
        return doubleBody;
    }

    Object apply(Object[] arguments) throws EvalError {
        if (!nullAware) {
            for (Object argument : arguments) {
                if (argument == null) {
                    return null;
                }
            }
        }
        return body.apply(arguments);
    }
}
