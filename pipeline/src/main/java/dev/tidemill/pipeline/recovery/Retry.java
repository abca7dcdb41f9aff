package dev.tidemill.pipeline.recovery;

import dev.tidemill.epochs.FencedException;
import dev.tidemill.spi.Clock;
import dev.tidemill.spi.Notices;
import java.io.IOException;

/** Tries again what a store did not do, for two minutes: a store that is away for a moment does not end a pipeline. Used by one thread. */
final class Retry {
    private static final long PATIENCE_NANOS = 120_000_000_000L;
    private static final long NOTICE_EVERY_NANOS = 5_000_000_000L;
    private static final long FIRST_PAUSE_MS = 200;
    private static final long LONGEST_PAUSE_MS = 5_000;

    @FunctionalInterface
    interface Attempt<T> {
        T make() throws IOException;
    }

    private final Clock clock;
    private final Notices notices;

    Retry(Clock clock, Notices notices) {
        this.clock = clock;
        this.notices = notices;
    }

    /**
     * @param what after "cannot", for people
     * @throws IOException the last failure, when patience is at its end; at once when another process is the owner now
     */
    <T> T until(String what, Attempt<T> attempt) throws IOException, InterruptedException {
        long begun = clock.nanos();
        long noticed = begun - NOTICE_EVERY_NANOS;
        long pause = FIRST_PAUSE_MS;
        for (; ; ) {
            try {
                return attempt.make();
            } catch (FencedException taken) {
                throw taken;
            } catch (IOException failure) {
                if (Thread.interrupted()) {
                    throw (InterruptedException)
                            new InterruptedException("gave up to " + what).initCause(failure);
                }
                long now = clock.nanos();
                if (now - begun >= PATIENCE_NANOS) {
                    throw failure;
                }
                if (now - noticed >= NOTICE_EVERY_NANOS) {
                    noticed = now;
                    notices.warn("cannot " + what + ", trying again: " + failure.getMessage());
                }
            }
            Thread.sleep(pause);
            pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
        }
    }
}
