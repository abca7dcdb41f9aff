package dev.tidemill.cli;

/** What the process tells whoever started it. */
final class ExitCode {
    /** Finished, or stopped in order. */
    static final int FINE = 0;

    /** Failed while running. */
    static final int FAILED = 1;

    /** The pipeline file or the command line is wrong: nothing ran. */
    static final int WRONG_INPUT = 2;

    /** Ended by a second signal, before the ordered stop was through. */
    static final int FORCED = 130;

    private ExitCode() {}
}
