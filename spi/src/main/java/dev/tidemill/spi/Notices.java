package dev.tidemill.spi;

/** Lines for the person at the terminal, on stderr or in a log. Secrets never go here. Thread-safe. */
public interface Notices {
    /** Worth knowing, no reaction needed. */
    void info(String line);

    /** Something is probably not as intended. */
    void warn(String line);
}
