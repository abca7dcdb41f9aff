package dev.tidemill.runtime;

/** Tells when the stages of a task want their tick. Used by one thread. */
final class Ticker {
    private final ProcessingTime time;
    private final long everyMillis;
    private long next;

    Ticker(ProcessingTime time, long everyMillis) {
        this.time = time;
        this.everyMillis = everyMillis;
        this.next = everyMillis == Long.MAX_VALUE ? Long.MAX_VALUE : time.millis() + everyMillis;
    }

    /** Whether a tick is due; then the next one is set. */
    boolean isDue() {
        if (next == Long.MAX_VALUE) {
            return false;
        }
        long now = time.millis();
        if (now < next) {
            return false;
        }
        next = now + everyMillis;
        return true;
    }

    long now() {
        return time.millis();
    }
}
