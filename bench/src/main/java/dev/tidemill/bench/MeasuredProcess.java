package dev.tidemill.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * One process, measured from outside from its start to its end.
 *
 * @param wallMs    from start to end
 * @param cpuMs     user and system time of the process and its children, compiler and collector threads included
 * @param peakBytes the most memory it had resident at once, or -1 where the system does not tell
 * @param startedAt when it was started, in epoch ms
 */
public record MeasuredProcess(long wallMs, long cpuMs, long peakBytes, long startedAt) {
    /** The shell measures its child with the clock of the kernel, which also counts what happens as the process exits. */
    private static final String TIMED =
            "TIMEFORMAT='%3R %3U %3S'; { time \"$@\" >\"$0.out\" 2>\"$0.err\"; } 2>\"$0.time\"";

    private static final long POLL_MILLIS = 10;

    /**
     * Runs a command to its end.
     *
     * @param base output goes to files of this name with {@code .out}, {@code .err} and {@code .time} behind it
     * @throws BenchException when it ends with another status than 0
     */
    public static MeasuredProcess run(Path base, List<String> command)
            throws IOException, InterruptedException, BenchException {
        List<String> timed = new ArrayList<>(List.of("bash", "-c", TIMED, base.toString()));
        timed.addAll(command);
        long startedAt = System.currentTimeMillis();
        Process process =
                new ProcessBuilder(timed)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        long peak = -1;
        try {
            while (!process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                peak = Math.max(peak, peakOfChildren(process));
            }
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        if (process.exitValue() != 0) {
            throw new BenchException(
                    "exit status "
                            + process.exitValue()
                            + " from: "
                            + String.join(" ", command)
                            + "\n"
                            + tail(Path.of(base + ".err")));
        }
        String[] times = Files.readString(Path.of(base + ".time")).strip().split("\\s+");
        return new MeasuredProcess(
                millis(times[0]), millis(times[1]) + millis(times[2]), peak, startedAt);
    }

    private static long millis(String seconds) {
        return Math.round(Double.parseDouble(seconds.replace(',', '.')) * 1000);
    }

    private static long peakOfChildren(Process process) {
        try (Stream<ProcessHandle> children = process.descendants()) {
            return children.mapToLong(MeasuredProcess::peakOf).max().orElse(-1);
        }
    }

    private static long peakOf(ProcessHandle process) {
        Path status = Path.of("/proc", Long.toString(process.pid()), "status");
        try (Stream<String> lines = Files.lines(status)) {
            return lines.filter(line -> line.startsWith("VmHWM:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
                    .findFirst()
                    .orElse(-1);
        } catch (IOException | java.io.UncheckedIOException e) {
            // It ended in between, or this is no Linux.
            return -1;
        }
    }

    private static String tail(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size()))
                .strip();
    }

    /** Events of a run for each second that any processor worked for it. */
    public double eventsPerCpuSecond(long events) {
        return events * 1000.0 / Math.max(1, cpuMs);
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%.2f s wall, %.2f s CPU", wallMs / 1e3, cpuMs / 1e3);
    }
}
