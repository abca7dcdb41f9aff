package dev.tidemill.pipeline.plan;

import dev.tidemill.data.Schema;
import dev.tidemill.operators.Transform;
import dev.tidemill.operators.WindowedAggregateSpec;
import dev.tidemill.operators.window.PartialWindowAggregate;
import dev.tidemill.operators.window.WindowedAggregate;
import dev.tidemill.pipeline.check.Catalogue;
import dev.tidemill.pipeline.spec.InvalidPipelineException;
import dev.tidemill.pipeline.spec.PipelineSpec;
import dev.tidemill.pipeline.spec.PipelineSpec.Dataset;
import dev.tidemill.pipeline.spec.PipelineSpec.Endpoint;
import dev.tidemill.pipeline.spec.PipelineSpec.Stage;
import dev.tidemill.pipeline.spec.PipelineSpec.Step;
import dev.tidemill.pipeline.spec.Problem;
import dev.tidemill.runtime.Dataflow;
import dev.tidemill.runtime.Dataflow.Head;
import dev.tidemill.runtime.Dataflow.Link;
import dev.tidemill.runtime.Dataflow.Route;
import dev.tidemill.runtime.Dataflow.SidePort;
import dev.tidemill.runtime.Dataflow.TimeSpec;
import dev.tidemill.runtime.Dataflow.Vertex;
import dev.tidemill.runtime.RuntimeOptions;
import dev.tidemill.spi.Clock;
import dev.tidemill.spi.ConfigException;
import dev.tidemill.spi.Connector;
import dev.tidemill.spi.Notices;
import dev.tidemill.spi.OptionValues;
import dev.tidemill.spi.PipelineContext;
import dev.tidemill.spi.Sink;
import dev.tidemill.spi.Source;
import dev.tidemill.spi.SourceRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Turns a checked pipeline into a graph of tasks: opens sources as far as their columns need it, checks steps against those columns, decides tasks and
 * routes, and fuses what needs no shuffle into the task before it.
 */
public final class Planner {
    private final PipelineSpec spec;
    private final Clock clock;
    private final Notices notices;
    private final Catalogue catalogue = Catalogue.installed();
    private final Columns columns;
    private final Steps steps;
    private final List<Problem> problems = new ArrayList<>();
    private final RuntimeOptions options;
    private final int vnodes;
    private final Map<String, Sink> sinks = new HashMap<>();
    private final Map<String, String> columnsRead = new LinkedHashMap<>();

    /** Datasets that several tasks of different vertices write: one task of their own takes them all. */
    private final Set<String> gathered = new LinkedHashSet<>();

    private final List<Vertex> upstreamLast = new ArrayList<>();
    private final Map<String, Vertex> sinkVertices = new LinkedHashMap<>();

    private Planner(PipelineSpec spec, Clock clock, Notices notices) {
        this.spec = spec;
        this.clock = clock;
        this.notices = notices;
        this.columns = new Columns(spec);
        this.steps = new Steps(spec.settings());
        this.vnodes = (int) spec.settings().requireLong("vnodes");
        this.options = runtimeOptions();
    }

    /**
     * The plan of a pipeline.
     *
     * @throws InvalidPipelineException when what is found outside does not fit: an unknown column, a type that an aggregate cannot use, a missing file
     * @throws IOException              when an input cannot be looked at now
     */
    public static Plan plan(PipelineSpec spec, Clock clock, Notices notices)
            throws InvalidPipelineException, IOException {
        return new Planner(spec, clock, notices).plan();
    }

    private RuntimeOptions runtimeOptions() {
        OptionValues settings = spec.settings();
        long threads = settings.requireLong("threads");
        int workers = threads == 0 ? Runtime.getRuntime().availableProcessors() : (int) threads;
        return RuntimeOptions.defaults()
                .withWorkers(workers)
                .withBatchRows(
                        (int) settings.requireLong("batchRows"),
                        (int) settings.requireLong("edgeCapacity"))
                .withClock(clock)
                .withNotices(notices);
    }

    private Plan plan() throws InvalidPipelineException, IOException {
        findGathered();
        openSinks();
        for (Dataset dataset : spec.datasets().values()) {
            if (dataset.source() != null && !columns.readersOf(dataset.name()).isEmpty()) {
                planSource(dataset);
            }
        }
        if (!problems.isEmpty()) {
            throw new InvalidPipelineException(problems);
        }
        List<Vertex> vertices = new ArrayList<>(upstreamLast.reversed());
        vertices.addAll(sinkVertices.values());
        Dataflow dataflow = new Dataflow(spec.name(), vertices, vnodes);
        List<String> outputs = new ArrayList<>(sinks.keySet());
        outputs.sort(null);
        return new Plan(
                dataflow, options, outputs, new PlanText(columnsRead).of(dataflow, options));
    }

    private void findGathered() {
        for (Stage stage : spec.stages()) {
            for (Step step : stage.steps()) {
                step.options().string("errorOutput").ifPresent(gathered::add);
                step.options().string("lateOutput").ifPresent(gathered::add);
            }
        }
        for (Dataset dataset : spec.datasets().values()) {
            if (dataset.source() != null) {
                deadLetter(dataset).ifPresent(gathered::add);
            }
        }
    }

    private static Optional<String> deadLetter(Dataset dataset) {
        return dataset.source().options().string("deadLetter");
    }

    private void openSinks() throws IOException, InvalidPipelineException {
        for (Dataset dataset : spec.datasets().values()) {
            if (dataset.sink() == null) {
                continue;
            }
            Connector connector = connector(dataset.sink());
            Sink sink =
                    asked(
                            dataset.sink(),
                            () ->
                                    connector.sink(
                                            dataset.name(), dataset.sink().options(), context()));
            if (sink != null) {
                sinks.put(dataset.name(), sink);
            }
        }
        if (!problems.isEmpty()) {
            throw new InvalidPipelineException(problems);
        }
    }

    private Connector connector(Endpoint endpoint) {
        return catalogue.connector(endpoint.connector()).orElseThrow();
    }

    private PipelineContext context() {
        return new PipelineContext(
                spec.name(),
                spec.directory(),
                spec.defaultBrokers(),
                spec.settings(),
                clock,
                notices);
    }

    private interface Question<T> {
        T ask() throws Exception;
    }

    /** The answer of a connector, or null when it finds its options wrong. */
    private <T> T asked(Endpoint endpoint, Question<T> question) throws IOException {
        try {
            return question.ask();
        } catch (ConfigException e) {
            String option = e.option();
            String what = option == null ? e.getMessage() : option + ": " + e.getMessage();
            problems.add(
                    new Problem(option == null ? endpoint.at() : endpoint.place(option), what));
            return null;
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** What flows at a point of a stage. */
    record Stream(
            Schema schema,
            boolean schemaIsKnown,
            int tasks,
            boolean synthetic,
            Set<String> inheritedTimes,
            boolean behindOperator) {
        Stream with(Schema newSchema, Set<String> newTimes) {
            return new Stream(newSchema, schemaIsKnown, tasks, synthetic, newTimes, behindOperator);
        }
    }

    private void planSource(Dataset dataset) throws IOException {
        Endpoint endpoint = dataset.source();
        Connector connector = connector(endpoint);
        Optional<Set<String>> needed = columns.neededOf(dataset.name());
        List<String> engine = wantsKeys(dataset.name()) ? List.of(Schema.KEY) : List.of();
        SourceRequest request =
                new SourceRequest(
                        dataset.name(),
                        needed.map(List::copyOf).orElse(null),
                        engine,
                        options.batchRows());
        Source source =
                asked(endpoint, () -> connector.source(request, endpoint.options(), context()));
        if (source == null) {
            return;
        }
        Schema schema = source.schema();
        Set<String> all = allNames(dataset, source, needed);
        columnsRead.put(dataset.name(), needed.isEmpty() ? "all columns" : shown(needed.get()));
        long asked = spec.settings().requireLong("consumers");
        int tasks = asked == 0 ? source.defaultTasks(options.workers()) : (int) asked;
        tasks = Math.max(1, Math.min(tasks, source.maxTasks()));
        Stream stream =
                new Stream(
                        schema,
                        source.schemaIsFinal(),
                        tasks,
                        endpoint.connector().equals("nexmark"),
                        Set.of(),
                        false);
        List<Link> links = consumers(dataset.name(), stream, all);
        List<Link> deadLetters = new ArrayList<>();
        deadLetter(dataset).ifPresent(name -> deadLetters.addAll(sideConsumers(name, stream)));
        upstreamLast.add(
                new Vertex(
                        dataset.name(),
                        tasks,
                        new Head.Read(dataset.name(), source, deadLetters),
                        links));
    }

    private static String shown(Set<String> names) {
        return names.isEmpty() ? "no columns" : "columns " + String.join(", ", names);
    }

    /** All columns there are, to name the nearest to one that is not there. */
    private Set<String> allNames(Dataset dataset, Source source, Optional<Set<String>> needed)
            throws IOException {
        Set<String> names = new LinkedHashSet<>();
        if (source.schemaIsFinal()
                && needed.isPresent()
                && !source.schema().names().containsAll(needed.get())) {
            SourceRequest everything =
                    new SourceRequest(dataset.name(), null, List.of(), options.batchRows());
            Source whole =
                    asked(
                            dataset.source(),
                            () ->
                                    connector(dataset.source())
                                            .source(
                                                    everything,
                                                    dataset.source().options(),
                                                    context()));
            if (whole != null) {
                names.addAll(whole.schema().names());
            }
        }
        names.addAll(source.schema().names());
        return names;
    }

    /** Whether row keys are wanted somewhere behind a dataset, as far as steps hand them on. */
    private boolean wantsKeys(String dataset) {
        Sink sink = sinks.get(dataset);
        if (sink != null && sink.wantsRowKeys()) {
            return true;
        }
        for (Stage stage : columns.readersOf(dataset)) {
            boolean handsOn =
                    stage.steps().stream()
                            .allMatch(step -> dev.tidemill.operators.Steps.isInline(step.op()));
            if (handsOn && wantsKeys(stage.output())) {
                return true;
            }
        }
        return false;
    }

    /** Everything that takes the rows of a dataset: its readers, and its sink. */
    private List<Link> consumers(String dataset, Stream stream, Set<String> known) {
        List<Link> links = new ArrayList<>();
        for (Stage stage : columns.readersOf(dataset)) {
            links.addAll(lower(stage, 0, stream, known));
        }
        Sink sink = sinks.get(dataset);
        if (sink != null) {
            links.add(write(dataset, sink, stream.tasks()));
        }
        return links;
    }

    private List<Link> sideConsumers(String dataset, Stream stream) {
        List<Stage> readers = columns.readersOf(dataset);
        if (!readers.isEmpty()) {
            problems.add(
                    new Problem(
                            readers.getFirst().at(),
                            "reading "
                                    + dataset
                                    + ", which holds failed, late or undecodable rows, is not in this version yet: give it a sink"));
            return List.of();
        }
        Stream side =
                new Stream(new Schema(List.of()), false, stream.tasks(), true, Set.of(), true);
        return consumers(dataset, side, Set.of());
    }

    private Link write(String dataset, Sink sink, int tasks) {
        boolean oneTask = gathered.contains(dataset) || sink.maxTasks() < tasks;
        if (!sink.mayBlock() && !oneTask) {
            return new Link.Write(dataset, sink);
        }
        String id = "write-" + dataset;
        sinkVertices.putIfAbsent(
                id, new Vertex(id, oneTask ? 1 : tasks, new Head.Write(dataset, sink), List.of()));
        return new Link.Send(id, 0, oneTask ? new Route.Shuffle(List.of()) : new Route.Forward());
    }

    private List<Link> lower(Stage stage, int index, Stream stream, Set<String> known) {
        if (index == stage.steps().size()) {
            return consumers(stage.output(), stream, known);
        }
        Step step = stage.steps().get(index);
        steps.check(step, stream, known, problems, notices);
        if (steps.isBroken(step)) {
            return List.of();
        }
        return dev.tidemill.operators.Steps.isInline(step.op())
                ? lowerInline(stage, index, step, stream, known)
                : lowerWindows(stage, index, step, stream);
    }

    private List<Link> lowerInline(
            Stage stage, int index, Step step, Stream stream, Set<String> known) {
        Transform sample = steps.transform(step).get();
        Stream after =
                stream.with(
                        sample.outputSchema(stream.schema()),
                        steps.timesAfter(step, stream.inheritedTimes()));
        Set<String> knownAfter = steps.namesAfter(step, known);
        List<Link> next = lower(stage, index + 1, after, knownAfter);
        return List.of(new Link.Apply(step.id(), steps.transform(step), side(step, stream), next));
    }

    private SidePort side(Step step, Stream stream) {
        OptionValues values = step.options();
        List<Link> errors = new ArrayList<>();
        values.string("errorOutput").ifPresent(name -> errors.addAll(sideConsumers(name, stream)));
        List<Link> late = new ArrayList<>();
        values.string("lateOutput").ifPresent(name -> late.addAll(sideConsumers(name, stream)));
        return new SidePort(errors, late, values.string("onError").orElse("drop").equals("fail"));
    }

    /** Side rows of a step's first half, which has no late ones. */
    private SidePort errorsOnly(Step step, Stream stream) {
        List<Link> errors = new ArrayList<>();
        step.options()
                .string("errorOutput")
                .ifPresent(name -> errors.addAll(sideConsumers(name, stream)));
        return new SidePort(
                errors, List.of(), step.options().string("onError").orElse("drop").equals("fail"));
    }

    private List<Link> lowerWindows(Stage stage, int index, Step step, Stream stream) {
        boolean keyBy = step.options().requireBool("keyBy");
        boolean rowKeys = wantsKeys(stage.output());
        WindowedAggregateSpec windows = steps.windows(step, rowKeys);
        TimeSpec time = steps.time(step, stream, errorsOnly(step, stream));
        Schema output = WindowedAggregate.outputSchema(windows, stream.schema());
        int tasks = keyBy ? keyedTasks(windows, stream.tasks()) : stream.tasks();
        Stream after =
                new Stream(
                        output,
                        stream.schemaIsKnown(),
                        tasks,
                        true,
                        Set.of(
                                WindowedAggregateSpec.WINDOW_START,
                                WindowedAggregateSpec.WINDOW_END),
                        true);
        List<Link> next = lower(stage, index + 1, after, new LinkedHashSet<>(output.names()));
        if (!keyBy && stream.tasks() > 1) {
            notices.info(
                    "step "
                            + step.id()
                            + ": keyBy = false, so each of the "
                            + stream.tasks()
                            + " tasks before it has windows of its own and results are partial");
        }
        if (!keyBy || stream.tasks() == 1 && tasks == 1) {
            Link local =
                    new Link.Local(
                            step.id(),
                            () -> new WindowedAggregate(windows),
                            side(step, stream),
                            next);
            return List.of(new Link.Time(time, List.of(local)));
        }
        return List.of(new Link.Time(time, List.of(shuffled(step, windows, stream, tasks, next))));
    }

    private int keyedTasks(WindowedAggregateSpec windows, int upstream) {
        if (windows.groupBy().isEmpty()) {
            return 1;
        }
        long asked = spec.settings().requireLong("tasks");
        return asked == 0 ? Math.min(upstream, vnodes) : (int) asked;
    }

    private Link shuffled(
            Step step, WindowedAggregateSpec windows, Stream stream, int tasks, List<Link> next) {
        String vertex = step.id();
        boolean preAggregate = WindowedAggregate.canPreAggregate(windows);
        Head head =
                new Head.Process(
                        step.id(), 1, () -> new WindowedAggregate(windows), side(step, stream));
        upstreamLast.add(new Vertex(vertex, tasks, head, next));
        Link send = new Link.Send(vertex, 0, new Route.Shuffle(windows.groupBy()));
        if (!preAggregate) {
            return send;
        }
        return new Link.Local(
                step.id() + ":partial",
                () -> new PartialWindowAggregate(windows),
                errorsOnly(step, stream),
                List.of(send));
    }
}
