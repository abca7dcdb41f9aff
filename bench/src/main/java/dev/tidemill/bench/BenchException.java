package dev.tidemill.bench;

/** A benchmark could not be carried out; the message says why in words for people. */
public final class BenchException extends Exception {
    private static final long serialVersionUID = 1L;

    public BenchException(String message) {
        super(message);
    }
}
