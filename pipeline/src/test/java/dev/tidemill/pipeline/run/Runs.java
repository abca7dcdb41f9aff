package dev.tidemill.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.tidemill.data.JsonText;
import dev.tidemill.data.Schema;
import dev.tidemill.epochs.ObjectStore;
import dev.tidemill.pipeline.BuildRecord;
import dev.tidemill.pipeline.Pipeline;
import dev.tidemill.pipeline.RunStatus;
import dev.tidemill.pipeline.StartOptions;
import dev.tidemill.pipeline.plan.Plan;
import dev.tidemill.pipeline.plan.Planner;
import dev.tidemill.pipeline.recovery.Recovery;
import dev.tidemill.pipeline.spec.Inputs;
import dev.tidemill.pipeline.spec.InvalidPipelineException;
import dev.tidemill.runtime.Epochs;
import dev.tidemill.runtime.RunMetrics;
import dev.tidemill.runtime.RuntimeOptions;
import dev.tidemill.runtime.StepwiseRun;
import dev.tidemill.spi.Clock;
import dev.tidemill.spi.Notices;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPInputStream;

/** Runs pipelines and compares what they gave. */
final class Runs {
    static final Path GOLDEN = Path.of("src/test/resources/dev/tidemill/pipeline/golden");
    private static final AtomicInteger LISTS = new AtomicInteger();

    private Runs() {}

    static final Notices SILENT =
            new Notices() {
                @Override
                public void info(String line) {}

                @Override
                public void warn(String line) {}
            };

    record Result(List<Map<String, Object>> rows, BuildRecord record) {
        List<String> lines() {
            return canonical(rows);
        }
    }

    static Pipeline parse(String toml, Path directory, String... settings)
            throws InvalidPipelineException {
        return Pipeline.parse(
                toml, "test.toml", directory, new Inputs(List.of(settings), Map.of()));
    }

    /** Runs to the end and returns what came to the first {@code sink = "memory"}. */
    static Result run(String toml, Path directory, String... settings) throws Exception {
        String list = "run-" + LISTS.incrementAndGet();
        BuildRecord record =
                parse(
                                toml.replaceFirst(
                                        "sink = \"memory\"",
                                        "sink = \"memory\"\nlist = \"" + list + "\""),
                                directory,
                                settings)
                        .start(dev.tidemill.pipeline.ControlPlane.NONE, SILENT)
                        .await();
        assertThat(record.error()).isNull();
        assertThat(record.status()).isEqualTo(RunStatus.SUCCEEDED);
        return new Result(taken(list), record);
    }

    static List<Map<String, Object>> taken(String list) {
        List<Map<String, Object>> rows = MemoryConnector.ROWS.remove(list);
        return rows == null ? List.of() : rows;
    }

    record SeededResult(List<Map<String, Object>> rows, RunMetrics metrics) {}

    /** Runs the same tasks in this thread, in an order chosen by the seed. */
    static SeededResult seeded(String toml, Path directory, long seed, String... settings)
            throws Exception {
        String list = "seed-" + LISTS.incrementAndGet();
        Pipeline pipeline =
                parse(
                        toml.replaceFirst(
                                "sink = \"memory\"", "sink = \"memory\"\nlist = \"" + list + "\""),
                        directory,
                        settings);
        Plan plan = Planner.plan(pipeline.spec(), Clock.SYSTEM, SILENT);
        Random random = new Random(seed);
        try (StepwiseRun run = new StepwiseRun(plan.dataflow(), plan.options())) {
            int stuck = 0;
            while (!run.isDone()) {
                // Some tasks run in bursts and others starve for a while, as threads do.
                int task = random.nextInt(run.taskCount());
                int burst = random.nextInt(4) == 0 ? random.nextInt(50) : 1;
                boolean moved = false;
                for (int i = 0; i < burst; i++) {
                    moved |= run.step(task);
                }
                stuck = moved ? 0 : stuck + 1;
                assertThat(stuck).as("steps without progress, seed " + seed).isLessThan(100_000);
            }
            return new SeededResult(taken(list), run.metrics());
        }
    }

    /**
     * Runs the same tasks in this thread with epochs at any moment, and crashes between any two steps: a new run goes on from the last epoch that stands, with
     * another number of tasks and another size of batches.
     *
     * @param stores opens the store of the epochs, each time anew
     */
    static List<Map<String, Object>> crashing(String toml, Path directory, long seed, Stores stores)
            throws Exception {
        String list = "staged-" + LISTS.incrementAndGet();
        String staged =
                toml.replaceFirst(
                        "sink = \"memory\"", "sink = \"memory\"\nlist = \"" + list + "\"");
        Random random = new Random(seed);
        int crashes = 1 + random.nextInt(4);
        boolean isCommitted = false;
        while (!isCommitted) {
            Pipeline pipeline =
                    parse(
                            staged,
                            directory,
                            "consumers=" + (1 + random.nextInt(3)),
                            "tasks=" + (1 + random.nextInt(3)),
                            "batchRows=" + (1 << random.nextInt(11)));
            Plan plan = Planner.plan(pipeline.spec(), Clock.SYSTEM, SILENT);
            int steps = crashes-- > 0 ? random.nextInt(2_000) : Integer.MAX_VALUE;
            try (Recovery recovery = recovery(pipeline, stores.open())) {
                RuntimeOptions options = plan.options().withDurability(recovery.next());
                boolean isDrained = recovery.newest().isEnd();
                try (StepwiseRun run = new StepwiseRun(plan.dataflow(), options)) {
                    isCommitted = isDrained || step(run, random, steps);
                }
            }
        }
        return taken(list);
    }

    /** Opens the one store there is. */
    interface Stores {
        ObjectStore open() throws IOException;
    }

    private static Recovery recovery(Pipeline pipeline, ObjectStore store) throws Exception {
        return Recovery.over(
                store,
                pipeline.spec(),
                StartOptions.DEFAULT,
                Clock.SYSTEM,
                SILENT,
                lost -> fail("the store was lost", lost));
    }

    /** Steps until the end, or a crash after so many steps. @return whether the last epoch was committed */
    private static boolean step(StepwiseRun run, Random random, int crashAfter) throws Exception {
        int epochsOneIn = 1 + random.nextInt(300);
        for (int steps = 0; steps < crashAfter; steps++) {
            if (random.nextInt(epochsOneIn) == 0) {
                run.beginEpoch();
            }
            if (!run.isDone()) {
                run.step(random.nextInt(run.taskCount()));
            }
            Optional<Epochs.Completed> completed =
                    random.nextInt(5) == 0 || run.isDone()
                            ? run.completedEpoch()
                            : Optional.empty();
            if (completed.isPresent()) {
                run.store(completed.get());
                if (random.nextInt(4) == 0
                        && steps + 1 < crashAfter
                        && crashAfter < Integer.MAX_VALUE) {
                    // Between the epoch and its commit.
                    return false;
                }
                run.commit(completed.get());
                if (completed.get().kind() == Epochs.Kind.LAST) {
                    return true;
                }
            }
        }
        return false;
    }

    static String toml(String name) {
        try {
            return Files.readString(GOLDEN.resolve(name + ".toml"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @SuppressWarnings("unchecked")
    static List<String> golden(String name) throws IOException {
        List<Map<String, Object>> rows = new ArrayList<>();
        try (BufferedReader reader =
                new BufferedReader(
                        new InputStreamReader(
                                new GZIPInputStream(
                                        Files.newInputStream(GOLDEN.resolve(name + ".jsonl.gz"))),
                                StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                rows.add((Map<String, Object>) JsonText.parse(line));
            }
        }
        return canonical(rows);
    }

    /** The rows as a sorted multiset: numbers by value, nulls and engine columns left out. */
    static List<String> canonical(List<Map<String, Object>> rows) {
        return rows.stream().map(Runs::canonical).sorted().toList();
    }

    private static String canonical(Map<String, Object> row) {
        Map<String, Object> out = new TreeMap<>();
        row.forEach(
                (name, value) -> {
                    if (value != null && !Schema.isEngineColumn(name)) {
                        out.put(name, canonicalValue(value));
                    }
                });
        return out.toString();
    }

    private static Object canonicalValue(Object value) {
        return switch (value) {
            case Long number -> BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
            case Double number ->
                    new BigDecimal(number.toString()).stripTrailingZeros().toPlainString();
            case BigDecimal number -> number.stripTrailingZeros().toPlainString();
            default -> value;
        };
    }
}
