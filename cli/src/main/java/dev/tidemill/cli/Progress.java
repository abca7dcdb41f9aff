package dev.tidemill.cli;

import dev.tidemill.pipeline.BuildRecord;
import dev.tidemill.pipeline.BuildRecord.Totals;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Puts records of a run into words. Not thread-safe: the rate is between two calls. */
final class Progress {
    private long lastConsumed;
    private long lastNanos;

    Progress(long nanosNow) {
        lastNanos = nanosNow;
    }

    /** How the run is now, in one line. */
    String line(BuildRecord record, long nanosNow) {
        Totals totals = record.totals();
        long nanos = Math.max(1, nanosNow - lastNanos);
        long perSecond = Math.round((totals.consumed() - lastConsumed) * 1e9 / nanos);
        lastConsumed = totals.consumed();
        lastNanos = nanosNow;
        StringBuilder line =
                new StringBuilder(160)
                        .append(record.status())
                        .append("  ")
                        .append(perSecond)
                        .append(" rows/s  consumed=")
                        .append(totals.consumed())
                        .append(" emitted=")
                        .append(totals.emitted())
                        .append(" dropped=")
                        .append(totals.dropped());
        if (totals.late() > 0) {
            line.append(" late=").append(totals.late());
        }
        if (totals.lag() >= 0) {
            line.append(" lag=").append(totals.lag());
        }
        if (totals.watermarkDelayMs() >= 0) {
            line.append(" watermarkDelay=").append(seconds(totals.watermarkDelayMs()));
        }
        return line.toString();
    }

    /** How it ended, in one line. */
    static String summary(BuildRecord record, Duration wall, Duration cpu) {
        Totals totals = record.totals();
        return record.status()
                + "  consumed="
                + totals.consumed()
                + " emitted="
                + totals.emitted()
                + " filtered="
                + totals.filtered()
                + " dropped="
                + totals.dropped()
                + " late="
                + totals.late()
                + " errors="
                + totals.errors()
                + (totals.misfits() == 0 ? "" : " misfits=" + totals.misfits())
                + " wall="
                + seconds(wall.toMillis())
                + " cpu="
                + seconds(cpu.toMillis());
    }

    /** Time since this process began, the start of the JVM included. */
    static Duration wallOfProcess() {
        String started = System.getenv("TIDEMILL_STARTED");
        if (started != null && started.matches("\\d{1,18}")) {
            Instant start = Instant.EPOCH.plus(Long.parseLong(started), ChronoUnit.MICROS);
            return Duration.between(start, Instant.now());
        }
        // Only to the second on Linux, where a process knows its start by the boot time.
        return ProcessHandle.current()
                .info()
                .startInstant()
                .map(start -> Duration.between(start, Instant.now()))
                .orElse(Duration.ZERO);
    }

    /** CPU time of this process, JIT and collector included. */
    static Duration cpuOfProcess() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** Seconds with two decimals, without the formatter, whose classes take longer to load than a small run takes. */
    static String seconds(long millis) {
        long hundredths = (Math.max(0, millis) + 5) / 10;
        long fraction = hundredths % 100;
        return hundredths / 100 + (fraction < 10 ? ".0" : ".") + fraction + "s";
    }
}
