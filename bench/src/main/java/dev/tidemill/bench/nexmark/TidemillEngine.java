package dev.tidemill.bench.nexmark;

import dev.tidemill.bench.BenchException;
import dev.tidemill.bench.MeasuredProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Tidemill, started by its launcher as a user would. */
final class TidemillEngine implements Engine {
    private final Path launcher;
    private final Path work;
    private final int tasks;

    TidemillEngine(Path launcher, Path work, int tasks) {
        this.launcher = launcher;
        this.work = work;
        this.tasks = tasks;
    }

    @Override
    public String name() {
        return "Tidemill";
    }

    @Override
    public Measurement measure(Query query, Input input)
            throws IOException, InterruptedException, BenchException {
        Path base = work.resolve("tidemill-" + query.id());
        Path report = Path.of(base + ".json");
        MeasuredProcess process =
                run(base, pipeline(query, input, "sink = \"blackhole\"\n"), report);
        JsonNode record = new ObjectMapper().readTree(report.toFile());
        long consumed = record.path("metrics").path("consumed").asLong();
        if (consumed != input.events()) {
            throw new BenchException(
                    "Tidemill read " + consumed + " of " + input.events() + " events");
        }
        return new Measurement(
                query, name(), input.events(), process, firstRow(record, process.startedAt()));
    }

    private static long firstRow(JsonNode record, long processStart) {
        JsonNode sinceStart = record.path("metrics").path("firstRowMs");
        if (!sinceStart.isNumber()) {
            return -1;
        }
        long start = Instant.parse(record.path("startedAt").asString()).toEpochMilli();
        return start + sinceStart.asLong() - processStart;
    }

    @Override
    public Path answer(Query query, Input input)
            throws IOException, InterruptedException, BenchException {
        Path base = work.resolve("tidemill-" + query.id() + "-answer");
        Path rows = Path.of(base + ".jsonl");
        String sink = "sink = \"file\"\noverwrite = true\npath = \"" + rows + "\"\n";
        run(base, pipeline(query, input, sink), Path.of(base + ".json"));
        return rows;
    }

    private MeasuredProcess run(Path base, String pipeline, Path report)
            throws IOException, InterruptedException, BenchException {
        Path file = Path.of(base + ".toml");
        Files.writeString(file, pipeline);
        return MeasuredProcess.run(
                base,
                List.of(
                        launcher.toString(),
                        "run",
                        file.toString(),
                        "--report",
                        report.toString()));
    }

    private String pipeline(Query query, Input input, String sink) {
        return "name = \"bench-"
                + query.id()
                + "\"\n[settings]\nstateStore = \"none\"\nconsumers = "
                + tasks
                + "\ntasks = "
                + tasks
                + "\n"
                + input.dataset(tasks)
                + "[datasets.out]\n"
                + sink
                + query.transform();
    }

    /** Lets the launcher build what is not built, so that no run pays for it. */
    void prepare() throws IOException, InterruptedException, BenchException {
        MeasuredProcess.run(
                work.resolve("tidemill-version"), List.of(launcher.toString(), "version"));
    }

    /** Sends the lines of a file to a topic, one message each. */
    void fill(Input.Lines lines, Input.Topic topic)
            throws IOException, InterruptedException, BenchException {
        Path base = work.resolve("tidemill-fill");
        String pipeline =
                "name = \"bench-fill\"\n[datasets.lines]\nconnector = \"file\"\nformat = \"raw\"\npath = \""
                        + lines.path()
                        + "\"\npartitions = 1\n[datasets.topic]\nsink = \"kafka\"\nformat = \"raw\"\nbrokers = \""
                        + topic.brokers()
                        + "\"\ntopic = \""
                        + topic.topic()
                        + "\"\n[[transforms]]\ninputs = [\"lines\"]\noutput = \"topic\"\n";
        run(base, pipeline, Path.of(base + ".json"));
    }
}
