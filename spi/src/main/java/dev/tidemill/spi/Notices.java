package dev.tidemill.spi;

/** Lines for the person at the terminal, on stderr or in a log. Secrets never go here. Thread-safe. */
public interface Notices {
    /** Lines on standard error, warnings marked as such. */
    Notices STDERR =
            new Notices() {
                @Override
                public void info(String line) {
                    System.err.println(line);
                }

                @Override
                public void warn(String line) {
                    System.err.println("warning: " + line);
                }
            };

    /** Worth knowing, no reaction needed. */
    void info(String line);

    /** Something is probably not as intended. */
    void warn(String line);
}
