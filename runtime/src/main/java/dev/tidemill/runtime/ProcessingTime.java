package dev.tidemill.runtime;

import dev.tidemill.spi.Clock;

/** Milliseconds that start at the clock's and then only go forward at the pace of its nanoseconds, whatever the wall clock does. Thread-safe. */
final class ProcessingTime {
    private final Clock clock;
    private final long startMillis;
    private final long startNanos;

    ProcessingTime(Clock clock) {
        this.clock = clock;
        startMillis = clock.millis();
        startNanos = clock.nanos();
    }

    long millis() {
        return startMillis + (clock.nanos() - startNanos) / 1_000_000;
    }
}
