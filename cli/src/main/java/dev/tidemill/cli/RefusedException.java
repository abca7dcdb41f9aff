package dev.tidemill.cli;

/** A command that cannot be carried out, with a message for its user that needs no stack trace. */
final class RefusedException extends Exception {
    private static final long serialVersionUID = 1;
    private final int exitCode;

    RefusedException(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    static RefusedException wrongInput(String message) {
        return new RefusedException(ExitCode.WRONG_INPUT, message);
    }

    int exitCode() {
        return exitCode;
    }
}
