package dev.tidemill.spi;

/** The only source of time; injected, so that tests own it. Thread-safe. */
public interface Clock {
    /** Milliseconds since 1970-01-01T00:00:00Z; may jump either way. */
    long millis();

    /** Nanoseconds from an arbitrary origin; never goes back. */
    long nanos();

    Clock SYSTEM =
            new Clock() {
                @Override
                public long millis() {
                    return System.currentTimeMillis();
                }

                @Override
                public long nanos() {
                    return System.nanoTime();
                }
            };
}
