package dev.tidemill.bench.nexmark;

import java.io.PrintWriter;
import java.util.Locale;

/** Prints measurements as a table that is plain text and Markdown at once. */
final class Table {
    private final PrintWriter out;

    Table(PrintWriter out) {
        this.out = out;
    }

    void head() {
        out.println(
                "| query     | engine   |     events | wall s |  CPU s | events per CPU-s | peak MB | first row s | ratio |");
        out.println(
                "|-----------|----------|-----------:|-------:|-------:|-----------------:|--------:|------------:|------:|");
        out.flush();
    }

    /** @param peer the run that it is compared with, or null */
    void row(Measurement run, Measurement peer) {
        out.println(
                String.format(
                        Locale.ROOT,
                        "| %-9s | %-8s | %10d | %6.2f | %6.2f | %16s | %7s | %11s | %5s |",
                        run.query().id(),
                        run.engine(),
                        run.events(),
                        run.process().wallMs() / 1e3,
                        run.process().cpuMs() / 1e3,
                        String.format(Locale.ROOT, "%,.0f", run.eventsPerCpuSecond()),
                        run.process().peakBytes() < 0
                                ? "-"
                                : Long.toString(run.process().peakBytes() >> 20),
                        run.firstRowMs() < 0
                                ? "-"
                                : String.format(Locale.ROOT, "%.2f", run.firstRowMs() / 1e3),
                        peer == null
                                ? ""
                                : String.format(
                                        Locale.ROOT,
                                        "%.1f",
                                        run.eventsPerCpuSecond() / peer.eventsPerCpuSecond())));
        out.flush();
    }
}
