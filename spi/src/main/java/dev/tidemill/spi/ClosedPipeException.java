package dev.tidemill.spi;

import java.io.IOException;

/** Whoever read our output is gone: the pipeline stops in order, and that is no failure. */
public final class ClosedPipeException extends IOException {
    private static final long serialVersionUID = 1;

    public ClosedPipeException(String message, Throwable cause) {
        super(message, cause);
    }
}
