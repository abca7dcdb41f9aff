package dev.tidemill.bench.nexmark;

import dev.tidemill.bench.BenchException;
import dev.tidemill.devkafka.KafkaBroker;
import dev.tidemill.nexmark.EventLines;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tidemill bench nexmark}: the queries on the same events, each run in a fresh process. */
@Command(
        name = "nexmark",
        description = {
            "Runs Nexmark queries, each in a fresh process, and prints what they cost.",
            "The answers of the engines are compared before anything is measured."
        },
        sortOptions = false)
public final class NexmarkCommand implements Callable<Integer> {
    private static final int SEED = 42;

    private enum Via {
        file,
        inline,
        kafka
    }

    private enum Peer {
        flink
    }

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Shows this help.")
    private boolean help;

    @Option(
            names = "--via",
            paramLabel = "WAY",
            defaultValue = "file",
            description =
                    "Where events come from: file (JSON lines), inline (made in the process) or kafka (default: ${DEFAULT-VALUE}).")
    private Via via;

    @Option(
            names = "--events",
            paramLabel = "N",
            defaultValue = "3000000",
            description = "The number of events (default: ${DEFAULT-VALUE}).")
    private long events;

    @Option(
            names = "--step-ms",
            paramLabel = "MS",
            defaultValue = "1",
            description = "Event time from an event to the next (default: ${DEFAULT-VALUE}).")
    private long stepMs;

    @Option(
            names = "--queries",
            paramLabel = "Q",
            split = ",",
            defaultValue = "q0,q1,q2,tumbling,sliding,max10",
            description = "Which queries (default: ${DEFAULT-VALUE}).")
    private List<String> queries;

    @Option(
            names = "--tasks",
            paramLabel = "N",
            defaultValue = "2",
            description = "Parallelism of every engine (default: ${DEFAULT-VALUE}).")
    private int tasks;

    @Option(
            names = "--runs",
            paramLabel = "N",
            defaultValue = "1",
            description =
                    "Runs of each query; the median by CPU time is shown (default: ${DEFAULT-VALUE}).")
    private int runs;

    @Option(
            names = "--peer",
            paramLabel = "ENGINE",
            description = "Runs another engine too: flink. Needs --via file.")
    private Peer peer;

    @Option(
            names = "--check-events",
            paramLabel = "N",
            defaultValue = "300000",
            description = "Answers are compared on the first N events (default: ${DEFAULT-VALUE}).")
    private long checkEvents;

    @Option(
            names = "--work",
            paramLabel = "DIR",
            description =
                    "Where input and logs are kept (default: .tidemill/nexmark in the clone).")
    private Path work;

    @Spec private CommandSpec spec;

    private final Path home = Path.of(System.getenv().getOrDefault("TIDEMILL_HOME", "."));

    @Override
    public Integer call() throws Exception {
        List<Query> chosen;
        try {
            chosen = Query.parse(queries);
            requirePositive();
        } catch (IllegalArgumentException e) {
            spec.commandLine().getErr().println("bench: " + e.getMessage());
            return 2;
        }
        work = (work == null ? home.resolve(".tidemill/nexmark") : work).toAbsolutePath();
        Files.createDirectories(work);
        TidemillEngine tidemill = new TidemillEngine(home.resolve("tidemill"), work, tasks);
        tidemill.prepare();
        Engine other = peer == null ? null : new FlinkEngine(home, work, tasks);
        if (via == Via.kafka) {
            overKafka(chosen, tidemill);
        } else {
            Input input = via == Via.inline ? new Input.Inline(events, stepMs) : lines(events);
            run(chosen, input, tidemill, other);
        }
        return 0;
    }

    private void requirePositive() {
        if (events < 1 || stepMs < 1 || tasks < 1 || runs < 1 || checkEvents < 1) {
            throw new IllegalArgumentException(
                    "--events, --step-ms, --tasks, --runs and --check-events must be at least 1");
        }
        if (peer != null && via != Via.file) {
            throw new IllegalArgumentException("--peer needs --via file");
        }
    }

    /** The input file, made once for each number of events. */
    private Input.Lines lines(long count) throws IOException, InterruptedException {
        Path file = work.resolve("events-" + count + "-step" + stepMs + ".jsonl");
        if (!Files.exists(file)) {
            say("generating " + count + " events into " + file);
            Path unfinished = Path.of(file + ".unfinished");
            Files.deleteIfExists(unfinished);
            EventLines.write(
                    unfinished, SEED, stepMs, count, Runtime.getRuntime().availableProcessors());
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
        }
        return new Input.Lines(file, count);
    }

    private void overKafka(List<Query> chosen, TidemillEngine tidemill) throws Exception {
        Input.Lines lines = lines(events);
        Path directory = Files.createTempDirectory(work, "kafka");
        try (KafkaBroker broker = KafkaBroker.start(freePort(), directory)) {
            Input.Topic topic = new Input.Topic(broker.address(), "events", events);
            broker.createTopic(topic.topic(), tasks);
            say("filling a topic of " + tasks + " partitions");
            tidemill.fill(lines, topic);
            run(chosen, topic, tidemill, null);
        } finally {
            Folders.delete(directory);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private void run(List<Query> chosen, Input input, Engine tidemill, Engine other)
            throws IOException, InterruptedException, BenchException {
        if (other != null) {
            compare(chosen, tidemill, other);
        }
        Table table = new Table(spec.commandLine().getOut());
        table.head();
        for (Query query : chosen) {
            Measurement peers = other == null ? null : median(other, query, input);
            if (peers != null) {
                table.row(peers, null);
            }
            table.row(median(tidemill, query, input), peers);
        }
    }

    private void compare(List<Query> chosen, Engine tidemill, Engine other)
            throws IOException, InterruptedException, BenchException {
        Input sample = lines(Math.min(events, checkEvents));
        for (Query query : chosen) {
            long rows =
                    new Answers()
                            .requireEqual(
                                    query,
                                    tidemill,
                                    tidemill.answer(query, sample),
                                    other,
                                    other.answer(query, sample));
            say(
                    query.id()
                            + ": the same "
                            + rows
                            + " rows from both, of "
                            + sample.events()
                            + " events");
        }
    }

    private Measurement median(Engine engine, Query query, Input input)
            throws IOException, InterruptedException, BenchException {
        List<Measurement> all = new ArrayList<>();
        for (int run = 0; run < runs; run++) {
            all.add(engine.measure(query, input));
        }
        all.sort(Comparator.comparingLong(run -> run.process().cpuMs()));
        return all.get(all.size() / 2);
    }

    private void say(String message) {
        PrintWriter err = spec.commandLine().getErr();
        err.println("bench: " + message);
        err.flush();
    }
}
