package dev.tidemill.pipeline;

import dev.tidemill.epochs.FencedException;
import dev.tidemill.formats.BadDataException;
import dev.tidemill.pipeline.spec.InvalidPipelineException;
import dev.tidemill.runtime.StepFailedException;
import dev.tidemill.spi.OptionValues;
import java.time.Duration;
import java.util.Optional;

/**
 * Whether and when a job that failed starts again: after a pause that doubles, so many times without a new epoch, and not when the same record fails again. Used by
 * one thread.
 */
final class RestartPolicy {
    private final long attempts;
    private final long backoffMs;
    private final long maxBackoffMs;
    private long failures;
    private long epoch;
    private String poison;

    RestartPolicy(OptionValues settings) {
        attempts = settings.requireLong("restartAttempts");
        backoffMs = settings.requireLong("restartBackoffMs");
        maxBackoffMs = settings.requireLong("restartMaxBackoffMs");
    }

    /**
     * How long to wait before the next start; empty when there shall be none.
     *
     * @param newestEpoch the epoch that it would go on from
     */
    Optional<Duration> next(Throwable cause, long newestEpoch) {
        if (newestEpoch > epoch) {
            epoch = newestEpoch;
            failures = 0;
            poison = null;
        }
        if (failures >= attempts || isFinal(cause) || isPoisonAgain(cause)) {
            return Optional.empty();
        }
        long doubled = backoffMs << Math.min(failures, 20);
        failures++;
        return Optional.of(Duration.ofMillis(Math.min(doubled, maxBackoffMs)));
    }

    /** Another start would meet it again, or must not be. */
    private static boolean isFinal(Throwable cause) {
        return cause instanceof FencedException
                || cause instanceof InvalidPipelineException
                || cause instanceof InterruptedException
                || cause instanceof Error;
    }

    /** The message of a failure that hangs on one record names it. */
    private boolean isPoisonAgain(Throwable cause) {
        if (!hangsOnRecord(cause)) {
            return false;
        }
        boolean again = String.valueOf(cause.getMessage()).equals(poison);
        poison = cause.getMessage();
        return again;
    }

    private static boolean hangsOnRecord(Throwable cause) {
        for (Throwable each = cause; each != null; each = each.getCause()) {
            if (each instanceof StepFailedException || each instanceof BadDataException) {
                return true;
            }
        }
        return false;
    }

    /** How many starts have failed since the newest epoch. */
    long failures() {
        return failures;
    }

    long attempts() {
        return attempts;
    }
}
