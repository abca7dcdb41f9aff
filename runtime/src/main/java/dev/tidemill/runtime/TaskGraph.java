package dev.tidemill.runtime;

import dev.tidemill.data.Hashing;
import dev.tidemill.operators.Operator;
import dev.tidemill.operators.StateImage;
import dev.tidemill.operators.StateInput;
import dev.tidemill.runtime.Dataflow.Head;
import dev.tidemill.runtime.Dataflow.Link;
import dev.tidemill.runtime.Dataflow.SidePort;
import dev.tidemill.runtime.Dataflow.Vertex;
import dev.tidemill.spi.Sink;
import dev.tidemill.spi.SinkContext;
import dev.tidemill.spi.SourceContext;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Makes the tasks of a dataflow, with the edges between them and their counters. */
final class TaskGraph {
    private final Dataflow dataflow;
    private final RuntimeOptions options;
    private final ProcessingTime time;
    private final Runnable onClosedPipe;
    private final List<Task> tasks = new ArrayList<>();
    private final List<StepMetrics> sources = new ArrayList<>();
    private final List<StepMetrics> steps = new ArrayList<>();
    private final List<StepMetrics> sinks = new ArrayList<>();

    /** By vertex and task. */
    private final Map<String, List<List<Channel>>> channels = new HashMap<>();

    /** The two ends of an edge, to be told who wakes whom once tasks have threads. */
    private record Ends(Edge edge, String from, String to) {}

    private final List<Ends> ends = new ArrayList<>();
    private final Epochs epochs;
    private final Map<String, Handover> handovers = new HashMap<>();

    private TaskGraph(Dataflow dataflow, RuntimeOptions options, Runnable onClosedPipe) {
        this.dataflow = dataflow;
        this.options = options;
        this.time = new ProcessingTime(options.clock());
        this.onClosedPipe = onClosedPipe;
        List<String> names = new ArrayList<>();
        for (Vertex vertex : dataflow.vertices()) {
            for (int task = 0; task < vertex.tasks(); task++) {
                names.add(taskName(vertex, task));
            }
        }
        this.epochs = new Epochs(names);
    }

    private Handover handover(Vertex vertex, int task) {
        return handovers.computeIfAbsent(
                taskName(vertex, task), name -> new Handover(name, task, vertex.tasks(), epochs));
    }

    private Restored restored() {
        return options.durability().restored();
    }

    Dataflow dataflow() {
        return dataflow;
    }

    Epochs epochs() {
        return epochs;
    }

    /** Publishes what a crash may have kept from it, then opens every source and sink; on failure closes what was opened. */
    static TaskGraph open(Dataflow dataflow, RuntimeOptions options, Runnable onClosedPipe)
            throws Exception {
        dataflow.commit(options.durability().restored().handles());
        TaskGraph graph = new TaskGraph(dataflow, options, onClosedPipe);
        try {
            for (Vertex vertex : dataflow.vertices()) {
                for (int task = 0; task < vertex.tasks(); task++) {
                    graph.tasks.add(graph.task(vertex, task));
                }
            }
            return graph;
        } catch (Exception | Error e) {
            graph.closeAll(e);
            throw e;
        }
    }

    private void closeAll(Throwable cause) {
        for (Task task : tasks) {
            try {
                task.close();
            } catch (IOException | RuntimeException e) {
                cause.addSuppressed(e);
            }
        }
    }

    List<Task> tasks() {
        return tasks;
    }

    private static String taskName(Vertex vertex, int task) {
        return vertex.id() + "[" + task + "]";
    }

    private Task task(Vertex vertex, int number) throws Exception {
        String name = taskName(vertex, number);
        return switch (vertex.head()) {
            case Head.Read read -> sourceTask(vertex, number, name, read);
            case Head.Process process -> processTask(vertex, number, name, process);
            case Head.Write write -> sinkTask(vertex, number, name, write);
        };
    }

    private Task sourceTask(Vertex vertex, int number, String name, Head.Read read)
            throws Exception {
        Stage root = chain(vertex, number, vertex.links());
        Stage deadLetters =
                read.deadLetters().isEmpty() ? null : chain(vertex, number, read.deadLetters());
        StepMetrics metrics = counters(sources, read.dataset());
        long tick =
                Math.min(
                        root.tickMillis(),
                        deadLetters == null ? Long.MAX_VALUE : deadLetters.tickMillis());
        var reader =
                read.source()
                        .open(
                                number,
                                vertex.tasks(),
                                new SourceContext(
                                        options.clock(),
                                        options.batchRows(),
                                        options.notices(),
                                        restored().positions(read.dataset())));
        return new SourceTask(
                name,
                reader,
                read.source().mayBlock(),
                root,
                deadLetters,
                metrics,
                handover(vertex, number),
                new Ticker(time, tick));
    }

    private Task processTask(Vertex vertex, int number, String name, Head.Process process)
            throws Exception {
        StepMetrics metrics = counters(steps, process.stepId());
        OperatorStage stage =
                new OperatorStage(
                        operator(vertex, number, process.stepId(), process.operator(), true),
                        side(vertex, number, process.side(), metrics),
                        metrics,
                        handover(vertex, number),
                        chain(vertex, number, vertex.links()));
        InputTask.RowsOfInput rows =
                new InputTask.RowsOfInput() {
                    @Override
                    public void batch(int input, dev.tidemill.data.Batch batch) {
                        stage.batch(input, batch);
                    }

                    @Override
                    public void endOfInput(int input) {
                        stage.endOfInput(input);
                    }
                };
        return new InputTask(
                name,
                Task.Role.OPERATORS,
                false,
                channelsOf(vertex, number),
                process.inputs(),
                rows,
                stage,
                handover(vertex, number),
                new Ticker(time, stage.tickMillis()));
    }

    private Task sinkTask(Vertex vertex, int number, String name, Head.Write write)
            throws Exception {
        Stage stage = writeStage(vertex, number, write.dataset(), write.sink());
        InputTask.RowsOfInput rows =
                new InputTask.RowsOfInput() {
                    @Override
                    public void batch(int input, dev.tidemill.data.Batch batch) throws Exception {
                        stage.batch(batch);
                    }

                    @Override
                    public void endOfInput(int input) {}
                };
        return new InputTask(
                name,
                Task.Role.SINKS,
                write.sink().mayBlock(),
                channelsOf(vertex, number),
                1,
                rows,
                stage,
                handover(vertex, number),
                new Ticker(time, stage.tickMillis()));
    }

    private List<Channel> channelsOf(Vertex vertex, int number) {
        List<List<Channel>> ofVertex = channels.get(vertex.id());
        return ofVertex == null ? List.of() : ofVertex.get(number);
    }

    private Stage chain(Vertex vertex, int number, List<Link> links) throws Exception {
        List<Stage> stages = new ArrayList<>();
        for (Link link : links) {
            stages.add(stage(vertex, number, link));
        }
        return Fan.of(stages);
    }

    private Stage stage(Vertex vertex, int number, Link link) throws Exception {
        return switch (link) {
            case Link.Apply apply -> {
                StepMetrics metrics = counters(steps, apply.stepId());
                yield new ApplyStage(
                        apply.transform().get(),
                        side(vertex, number, apply.side(), metrics),
                        metrics,
                        chain(vertex, number, apply.next()));
            }
            case Link.Time(Dataflow.TimeSpec spec, List<Link> next) -> {
                StepMetrics metrics = counters(steps, spec.stepId());
                yield new TimeStage(
                        spec,
                        handover(vertex, number),
                        restored().times(spec.stepId()),
                        options.clock(),
                        time,
                        options.notices(),
                        side(vertex, number, spec.side(), metrics),
                        metrics,
                        chain(vertex, number, next));
            }
            case Link.Local local -> {
                StepMetrics metrics = counters(steps, local.stepId());
                yield new OperatorStage(
                        operator(vertex, number, local.stepId(), local.operator(), false),
                        side(vertex, number, local.side(), metrics),
                        metrics,
                        handover(vertex, number),
                        chain(vertex, number, local.next()));
            }
            case Link.Send(String target, int input, Dataflow.Route route) ->
                    new SendStage(
                            edges(vertex, number, target, input, route),
                            route,
                            dataflow.vnodes(),
                            number);
            case Link.Write(String dataset, Sink sink) -> writeStage(vertex, number, dataset, sink);
        };
    }

    private Stage writeStage(Vertex vertex, int number, String dataset, Sink sink)
            throws Exception {
        SinkContext context =
                new SinkContext(
                        dataflow.name(),
                        options.clock(),
                        options.notices(),
                        options.durability().log().isDurable(),
                        restored().handles().getOrDefault(dataset, List.of()));
        return new WriteStage(
                sink.open(number, vertex.tasks(), context),
                counters(sinks, dataset),
                handover(vertex, number),
                onClosedPipe);
    }

    /** @param byKey whether the step's keys are divided between its tasks; else each task has keys of its own */
    private Operator operator(
            Vertex vertex, int number, String stepId, Supplier<Operator> supplier, boolean byKey)
            throws Exception {
        Operator operator = supplier.get();
        List<List<StateImage>> chains = new ArrayList<>();
        boolean isDivided = byKey || vertex.tasks() == 1;
        for (Restored.FormerTask former : restored().state(stepId)) {
            if (!isDivided && former.tasks() != vertex.tasks()) {
                throw new IOException(
                        "step "
                                + stepId
                                + " keeps apart what each of its tasks has seen: it had "
                                + former.tasks()
                                + " tasks and would now have "
                                + vertex.tasks()
                                + "; run it with as many, or start without its state");
            }
            if (isDivided || former.task() == number) {
                chains.add(former.images());
            }
        }
        if (!chains.isEmpty()) {
            int vnodes = dataflow.vnodes();
            operator.restore(
                    new StateInput(
                            chains,
                            hash ->
                                    !isDivided
                                            || Hashing.task(
                                                            Hashing.vnode(hash, vnodes),
                                                            vnodes,
                                                            vertex.tasks())
                                                    == number));
        }
        return operator;
    }

    private Side side(Vertex vertex, int number, SidePort port, StepMetrics metrics)
            throws Exception {
        Stage errors = port.errors().isEmpty() ? null : chain(vertex, number, port.errors());
        Stage late = port.late().isEmpty() ? null : chain(vertex, number, port.late());
        return new Side(metrics, errors, late, port.failOnError());
    }

    private Edge[] edges(Vertex from, int number, String target, int input, Dataflow.Route route) {
        Vertex to = dataflow.vertex(target);
        List<List<Channel>> ofTarget =
                channels.computeIfAbsent(target, _ -> emptyLists(to.tasks()));
        Edge[] edges = new Edge[to.tasks()];
        for (int task = 0; task < to.tasks(); task++) {
            if (route instanceof Dataflow.Route.Forward && task != number) {
                continue;
            }
            Edge edge = new Edge(options.edgeRows(), options.edgeBytes());
            edges[task] = edge;
            ofTarget.get(task).add(new Channel(input, edge));
            ends.add(new Ends(edge, taskName(from, number), taskName(to, task)));
        }
        return edges;
    }

    private static List<List<Channel>> emptyLists(int count) {
        List<List<Channel>> lists = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            lists.add(new ArrayList<>());
        }
        return lists;
    }

    private static StepMetrics counters(List<StepMetrics> list, String id) {
        StepMetrics metrics = new StepMetrics(id);
        list.add(metrics);
        return metrics;
    }

    /** Tells each edge whom to wake. @param wakeupOfTask by task name */
    void connect(Map<String, Wakeup> wakeupOfTask) {
        for (Ends end : ends) {
            end.edge().wakes(wakeupOfTask.get(end.from()), wakeupOfTask.get(end.to()));
        }
    }

    RunMetrics metrics(Map<String, Long> busyNanos) {
        return new RunMetrics(summed(sources), summed(steps), summed(sinks), busyNanos);
    }

    private static Map<String, RunMetrics.Step> summed(List<StepMetrics> list) {
        Map<String, RunMetrics.Step> out = new LinkedHashMap<>();
        for (StepMetrics metrics : list) {
            out.merge(metrics.stepId(), metrics.snapshot(), RunMetrics.Step::plus);
        }
        return out;
    }
}
