package dev.tidemill.runtime;

import dev.tidemill.operators.Operator;
import dev.tidemill.operators.Transform;
import dev.tidemill.spi.Sink;
import dev.tidemill.spi.Source;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The physical graph of a pipeline: vertices that run as parallel tasks, each a head (a source, or an operator with its inputs) and a tree of
 * links fused behind it. What the planner hands to the runtime. Immutable; suppliers make one instance for each task.
 *
 * @param vertices in an order in which every edge goes from an earlier vertex to a later one
 * @param vnodes   the number of key slots
 */
public record Dataflow(String name, List<Vertex> vertices, int vnodes) {
    public Dataflow {
        vertices = List.copyOf(vertices);
    }

    /**
     * @param id      unique in the graph, shown to people
     * @param tasks   how many tasks run it, at least 1
     * @param links   what is fused behind the head; several for several readers
     */
    public record Vertex(String id, int tasks, Head head, List<Link> links) {
        public Vertex {
            links = List.copyOf(links);
        }
    }

    public sealed interface Head {
        /**
         * Reads a dataset.
         *
         * @param deadLetters where records that could not be decoded go, when the source gives them as rows; empty when they are only counted
         */
        record Read(String dataset, Source source, List<Link> deadLetters) implements Head {
            public Read {
                deadLetters = List.copyOf(deadLetters);
            }
        }

        /**
         * Runs an operator.
         *
         * @param stepId names it in metrics and errors
         * @param inputs its number of inputs
         */
        record Process(String stepId, int inputs, Supplier<Operator> operator, SidePort side)
                implements Head {}

        /** Writes a dataset: one input, no links. */
        record Write(String dataset, Sink sink) implements Head {}
    }

    /** A tree of what happens to the batches of a head within its task. */
    public sealed interface Link {
        /** A stateless step. */
        record Apply(String stepId, Supplier<Transform> transform, SidePort side, List<Link> next)
                implements Link {}

        /** Gives the stream its event time: see {@link TimeSpec}. After it the column is int64 ms without nulls. */
        record Time(TimeSpec time, List<Link> next) implements Link {}

        /** An operator with one input, fused: a partial aggregate before a shuffle, or a step kept within its task. */
        record Local(String stepId, Supplier<Operator> operator, SidePort side, List<Link> next)
                implements Link {}

        /** Sends to input {@code input} of the vertex {@code vertex} by a route. */
        record Send(String vertex, int input, Route route) implements Link {}

        /** Writes a dataset within this task: for sinks that do not block. */
        record Write(String dataset, Sink sink) implements Link {}
    }

    /**
     * Where the side rows of a step go: chains for the rows that failed and for late rows, empty when they are only counted. The runtime turns them into
     * batches: error rows as {@code step}, {@code reason}, {@code row} (JSON text); late rows as they are with {@code lateByMs} behind.
     */
    public record SidePort(List<Link> errors, List<Link> late, boolean failOnError) {
        public static final SidePort COUNT_ONLY = new SidePort(List.of(), List.of(), false);

        public SidePort {
            errors = List.copyOf(errors);
            late = List.copyOf(late);
        }
    }

    public sealed interface Route {
        /** Task i to task i; both vertices have the same number of tasks. */
        record Forward() implements Route {}

        /** By the hash of the key columns to the task that owns the key's vnode. An absent column counts as null; no columns: all to one task. */
        record Shuffle(List<String> keys) implements Route {}

        /** Every row to every task. */
        record Broadcast() implements Route {}
    }

    /**
     * How event time is read and bounded.
     *
     * @param stepId          the step whose key it is, for metrics
     * @param mode            where the watermark comes from
     * @param column          the event-time column; with {@link Mode#INGEST} the one to write
     * @param idleTimeoutMs   a caught-up split silent for so long stops holding time back; 0 for never
     * @param maxFutureSkewMs a row further ahead of the clock than this is handled by {@code skewPolicy}; empty for no bound
     * @param sourceIsSynthetic its clock starts in 1970 by definition: no warning about units
     */
    public record TimeSpec(
            String stepId,
            Mode mode,
            String column,
            Unit unit,
            long idleTimeoutMs,
            java.util.OptionalLong maxFutureSkewMs,
            SkewPolicy skewPolicy,
            boolean sourceIsSynthetic,
            SidePort side) {
        public enum Mode {
            /** From the rows: the least of the splits' maxima. */
            ROWS,
            /** The rows get the time of their arrival, and watermarks follow the clock. */
            INGEST,
            /** Watermarks of an operator before are right for this column as well. */
            INHERITED
        }

        public enum Unit {
            S,
            MS,
            US,
            NS
        }

        public enum SkewPolicy {
            /** Not used for time nor passed on; counted. */
            DROP,
            /** To the step's error rows. */
            DEAD_LETTER,
            /** Passed on with its time set to now plus the bound. */
            CLAMP
        }
    }

    /** The sinks by dataset. */
    public Map<String, Sink> sinks() {
        Map<String, Sink> out = new LinkedHashMap<>();
        for (Vertex vertex : vertices) {
            if (vertex.head() instanceof Head.Write(String dataset, Sink sink)) {
                out.put(dataset, sink);
            }
            if (vertex.head() instanceof Head.Read read) {
                addSinks(read.deadLetters(), out);
            }
            if (vertex.head() instanceof Head.Process process) {
                addSinks(process.side(), out);
            }
            addSinks(vertex.links(), out);
        }
        return out;
    }

    private static void addSinks(SidePort side, Map<String, Sink> out) {
        addSinks(side.errors(), out);
        addSinks(side.late(), out);
    }

    private static void addSinks(List<Link> links, Map<String, Sink> out) {
        for (Link link : links) {
            switch (link) {
                case Link.Write(String dataset, Sink sink) -> out.put(dataset, sink);
                case Link.Apply apply -> {
                    addSinks(apply.side(), out);
                    addSinks(apply.next(), out);
                }
                case Link.Time(Dataflow.TimeSpec spec, List<Link> next) -> {
                    addSinks(spec.side(), out);
                    addSinks(next, out);
                }
                case Link.Local local -> {
                    addSinks(local.side(), out);
                    addSinks(local.next(), out);
                }
                case Link.Send _ -> {}
            }
        }
    }

    /**
     * Lets sinks publish what writers prepared in an epoch that stands; again changes nothing. A dataset that is no longer written has nobody to do it.
     *
     * @param handles by dataset
     */
    public void commit(Map<String, List<String>> handles) throws Exception {
        Map<String, Sink> sinks = sinks();
        for (Map.Entry<String, List<String>> entry : handles.entrySet()) {
            Sink sink = sinks.get(entry.getKey());
            if (sink != null) {
                sink.commit(entry.getValue());
            }
        }
    }

    /** @return the vertex of that id */
    public Vertex vertex(String id) {
        return vertices.stream()
                .filter(vertex -> vertex.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no vertex " + id));
    }
}
