package dev.tidemill.cli;

import dev.tidemill.epochs.Manifest;
import dev.tidemill.epochs.ObjectRef;
import dev.tidemill.epochs.StoreReport;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Prints what a store has of a pipeline. */
final class StatePage {
    private final StoreReport report;
    private final String location;
    private final PrintWriter out;

    StatePage(StoreReport report, String location, PrintWriter out) {
        this.report = report;
        this.location = location;
        this.out = out;
    }

    void owner() {
        out.printf(
                "%s: %s %s%s%n",
                location,
                report.released() ? "last owned by" : "owned by",
                report.owner().text(),
                report.released() ? "" : " since " + report.since());
    }

    void epochs() {
        if (report.epochs().isEmpty()) {
            out.println("no epoch is stored");
            return;
        }
        out.printf("%8s  %-24s  %-8s  %7s  %12s%n", "epoch", "written", "kind", "objects", "bytes");
        report.epochs().forEach(this::line);
    }

    private void line(StoreReport.Epoch epoch) {
        if (epoch.manifest().isEmpty()) {
            out.printf("%8d  damaged%n", epoch.epoch());
            return;
        }
        Manifest manifest = epoch.manifest().get();
        out.printf(
                "%8d  %-24s  %-8s  %7d  %12d%s%n",
                epoch.epoch(),
                Instant.ofEpochMilli(manifest.createdAt()),
                kind(manifest),
                manifest.objects().count(),
                manifest.stateBytes(),
                epoch.undecided() ? "  undecided" : "");
    }

    private static String kind(Manifest manifest) {
        return switch (manifest.kind()) {
            case PERIODIC -> "periodic";
            case STOP -> "stop";
            case END -> "end";
        };
    }

    void newest() {
        List<Manifest> whole =
                report.epochs().stream().flatMap(each -> each.manifest().stream()).toList();
        if (whole.isEmpty()) {
            out.println("no epoch is stored");
            return;
        }
        Manifest manifest = whole.getLast();
        out.printf(
                "epoch %d of %s (%s)%n",
                manifest.epoch(), Instant.ofEpochMilli(manifest.createdAt()), kind(manifest));
        manifest.positions()
                .forEach((dataset, splits) -> entries("positions of dataset " + dataset, splits));
        manifest.times().forEach((step, times) -> entries("event times of step " + step, times));
        manifest.state().forEach(this::step);
        manifest.handles()
                .forEach(
                        (dataset, handles) ->
                                out.printf("prepared for %s: %s%n", dataset, handles));
    }

    private void entries(String heading, Map<String, ?> entries) {
        out.println(heading);
        entries.forEach((name, value) -> out.printf("  %s  %s%n", name, value));
    }

    private void step(String id, List<Manifest.TaskState> tasks) {
        long bytes =
                tasks.stream()
                        .flatMap(task -> task.images().stream())
                        .mapToLong(ObjectRef::length)
                        .sum();
        out.printf("state of step %s: %d tasks, %d bytes%n", id, tasks.size(), bytes);
    }

    void problems() {
        report.problems().forEach(out::println);
        for (StoreReport.Epoch epoch : report.epochs()) {
            epoch.problems().forEach(each -> out.printf("epoch %d: %s%n", epoch.epoch(), each));
        }
        if (report.superfluous() > 0) {
            out.printf(
                    "%d objects are of no epoch; the next run removes them%n",
                    report.superfluous());
        }
    }

    void verdict() {
        out.println(report.isWhole() ? "everything is whole" : "there is damage");
    }
}
