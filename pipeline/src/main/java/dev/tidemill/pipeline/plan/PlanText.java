package dev.tidemill.pipeline.plan;

import dev.tidemill.runtime.Dataflow;
import dev.tidemill.runtime.Dataflow.Head;
import dev.tidemill.runtime.Dataflow.Link;
import dev.tidemill.runtime.Dataflow.Route;
import dev.tidemill.runtime.Dataflow.SidePort;
import dev.tidemill.runtime.Dataflow.TimeSpec;
import dev.tidemill.runtime.Dataflow.Vertex;
import dev.tidemill.runtime.RuntimeOptions;
import java.util.List;
import java.util.Map;

/** Tells people how a pipeline runs: tasks, what is fused into them, routes, columns read. */
final class PlanText {
    private final StringBuilder text = new StringBuilder();
    private final Map<String, String> columnsOfDataset;

    /** @param columnsOfDataset for each source, the columns it reads */
    PlanText(Map<String, String> columnsOfDataset) {
        this.columnsOfDataset = columnsOfDataset;
    }

    String of(Dataflow dataflow, RuntimeOptions options) {
        text.append("pipeline ").append(dataflow.name()).append(": ");
        text.append(counted(options.workers(), "worker thread")).append(", ");
        text.append(counted(dataflow.vnodes(), "vnode")).append(", batches of up to ");
        text.append(counted(options.batchRows(), "row")).append('\n');
        for (Vertex vertex : dataflow.vertices()) {
            text.append('\n')
                    .append(vertex.id())
                    .append(": ")
                    .append(counted(vertex.tasks(), "task"));
            text.append(ownThread(vertex) ? ", each with a thread of its own\n" : "\n");
            head(vertex);
            links(vertex.links(), 2);
        }
        return text.toString();
    }

    private static String counted(long count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }

    private static boolean ownThread(Vertex vertex) {
        return switch (vertex.head()) {
            case Head.Read read -> read.source().mayBlock();
            case Head.Write write -> write.sink().mayBlock();
            case Head.Process _ -> false;
        };
    }

    private void head(Vertex vertex) {
        switch (vertex.head()) {
            case Head.Read read -> {
                line(1, "read " + read.dataset() + ": " + columnsOfDataset.get(read.dataset()));
                port("bad records", read.deadLetters(), 1);
            }
            case Head.Process process -> {
                line(1, "step " + process.stepId());
                side(process.side(), 1);
            }
            case Head.Write write -> line(1, "write " + write.dataset());
        }
    }

    private void links(List<Link> links, int depth) {
        for (Link link : links) {
            switch (link) {
                case Link.Apply apply -> {
                    line(depth, "step " + apply.stepId() + " (fused)");
                    side(apply.side(), depth);
                    links(apply.next(), depth + 1);
                }
                case Link.Time(TimeSpec time, List<Link> next) -> {
                    line(depth, "event time: " + timeText(time));
                    side(time.side(), depth);
                    links(next, depth + 1);
                }
                case Link.Local local -> {
                    line(depth, "step " + local.stepId() + " (fused)");
                    side(local.side(), depth);
                    links(local.next(), depth + 1);
                }
                case Link.Send send ->
                        line(depth, routeText(send.route()) + " to " + send.vertex());
                case Link.Write write -> line(depth, "write " + write.dataset() + " (fused)");
            }
        }
    }

    private static String timeText(TimeSpec time) {
        return switch (time.mode()) {
            case INGEST -> "the time of arrival";
            case ROWS -> "from " + time.column();
            case INHERITED -> time.column() + ", by the watermarks of the step before";
        };
    }

    private static String routeText(Route route) {
        return switch (route) {
            case Route.Forward _ -> "forward";
            case Route.Broadcast _ -> "broadcast";
            case Route.Shuffle(List<String> keys) when keys.isEmpty() -> "all";
            case Route.Shuffle(List<String> keys) -> "shuffle by " + String.join(", ", keys);
        };
    }

    private void side(SidePort side, int depth) {
        port("failed rows", side.errors(), depth);
        port("late rows", side.late(), depth);
    }

    private void port(String what, List<Link> links, int depth) {
        if (!links.isEmpty()) {
            line(depth, what + ":");
            links(links, depth + 1);
        }
    }

    private void line(int depth, String line) {
        text.append("  ".repeat(depth)).append(line).append('\n');
    }
}
