package dev.tidemill.expr;

/** An expression has no value for a row. Without a stack trace, since bad data makes many. */
public final class EvalError extends Exception {
    private static final long serialVersionUID = 1;

    public EvalError(String message) {
        super(message, null, false, false);
    }
}
