package dev.tidemill.expr;

/** An expression is wrong: how, and where in its text. */
public final class ExpressionException extends Exception {
    private static final long serialVersionUID = 1;
    private final int position;

    public ExpressionException(String message, int position) {
        super(message);
        this.position = position;
    }

    /** Where it is wrong: chars from the beginning of the text, from 0. */
    public int position() {
        return position;
    }
}
