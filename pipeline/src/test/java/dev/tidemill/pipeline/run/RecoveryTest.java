package dev.tidemill.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemill.pipeline.BuildRecord;
import dev.tidemill.pipeline.ControlPlane;
import dev.tidemill.pipeline.Pipeline;
import dev.tidemill.pipeline.RunStatus;
import dev.tidemill.pipeline.RunningPipeline;
import dev.tidemill.pipeline.StartOptions;
import dev.tidemill.pipeline.run.MemoryConnector.Event;
import dev.tidemill.pipeline.run.MemoryConnector.Script;
import dev.tidemill.pipeline.spec.Inputs;
import dev.tidemill.spi.Notices;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a start does with the epochs that an earlier one stored. */
class RecoveryTest {
    private static final long EVENTS = 20_000;

    @TempDir private Path folder;

    private final List<String> said = new CopyOnWriteArrayList<>();
    private final Notices notices =
            new Notices() {
                @Override
                public void info(String line) {
                    said.add(line);
                }

                @Override
                public void warn(String line) {
                    said.add(line);
                }
            };

    private static String counts(long rate, String windowMs) {
        return """
            name = "counts"
            [settings]
            stateStore = "state"
            checkpointMs = 20
            restartBackoffMs = 1
            [datasets.events]
            connector = "nexmark"
            inline = true
            partitions = 2
            events = %d
            rate = %d
            [datasets.out]
            sink = "file"
            path = "out/"
            [[transforms]]
            inputs = ["events"]
            output = "out"
            steps = [
              { op = "filter", expression = 'type == "bid"' },
              { op = "windowedAggregate", id = "windows", timeColumn = "dateTime", windowMs = %s, groupBy = ["auction"], aggs = [{ op = "count", alias = "n" }] },
            ]
            """
                .formatted(EVENTS, rate, windowMs);
    }

    private RunningPipeline start(String toml, StartOptions options, String... settings)
            throws Exception {
        return Pipeline.parse(toml, "test.toml", folder, new Inputs(List.of(settings), Map.of()))
                .start(ControlPlane.NONE, notices, options);
    }

    private BuildRecord run(String toml, String... settings) throws Exception {
        return start(toml, StartOptions.DEFAULT, settings).await();
    }

    /** Runs until some epochs stand, then stops in order. */
    private BuildRecord runAndStop(String toml) throws Exception {
        RunningPipeline running = start(toml, StartOptions.DEFAULT);
        while (running.record().checkpoint() == null || running.record().totals().emitted() == 0) {
            Thread.sleep(5);
        }
        running.stop();
        return running.await();
    }

    private List<String> output() throws IOException {
        List<String> lines = new ArrayList<>();
        try (Stream<Path> parts = Files.list(folder.resolve("out"))) {
            for (Path part : parts.toList()) {
                lines.addAll(Files.readAllLines(part));
            }
        }
        lines.sort(Comparator.naturalOrder());
        return lines;
    }

    /** The output of a run that nothing happens to. */
    private List<String> uncut(String toml) throws Exception {
        Path other = folder.resolve("uncut");
        Files.createDirectories(other);
        Pipeline.parse(toml, "test.toml", other, new Inputs(List.of("stateStore=none"), Map.of()))
                .start(ControlPlane.NONE, notices)
                .await();
        List<String> lines = new ArrayList<>();
        try (Stream<Path> parts = Files.list(other.resolve("out"))) {
            for (Path part : parts.toList()) {
                lines.addAll(Files.readAllLines(part));
            }
        }
        lines.sort(Comparator.naturalOrder());
        return lines;
    }

    @Test
    void goesOnBehindAStop() throws Exception {
        BuildRecord first = runAndStop(counts(40_000, "10000"));
        assertThat(first.status()).isEqualTo(RunStatus.STOPPED);
        assertThat(first.totals().consumed()).isLessThan(EVENTS);
        BuildRecord second = run(counts(0, "10000"), "tasks=3");
        assertThat(second.status()).isEqualTo(RunStatus.SUCCEEDED);
        assertThat(first.totals().consumed() + second.totals().consumed()).isEqualTo(EVENTS + 6);
        assertThat(output()).isEqualTo(uncut(counts(0, "10000")));
    }

    @Test
    void whatHasFinishedIsNotRunAgain() throws Exception {
        run(counts(0, "10000"));
        List<String> lines = output();
        BuildRecord again = run(counts(0, "10000"));
        assertThat(again.status()).isEqualTo(RunStatus.SUCCEEDED);
        assertThat(again.totals().consumed()).isZero();
        assertThat(again.warning()).contains("finished on 20").contains("--reset-state");
        assertThat(output()).isEqualTo(lines);
    }

    @Test
    void aResetRunsItAnew() throws Exception {
        run(counts(0, "10000"));
        String anew = counts(0, "10000").replace("path =", "overwrite = true\npath =");
        BuildRecord again = start(anew, new StartOptions("", true, Set.of())).await();
        assertThat(again.totals().consumed()).isEqualTo(EVENTS + 6);
        assertThat(output()).isEqualTo(uncut(counts(0, "10000")));
    }

    @Test
    void theSettingResetsOnce() throws Exception {
        String toml = counts(0, "10000").replace("path =", "overwrite = true\npath =");
        run(toml);
        assertThat(run(toml, "resetState=1").totals().consumed()).isEqualTo(EVENTS + 6);
        assertThat(run(toml, "resetState=1").totals().consumed()).isZero();
        assertThat(run(toml).totals().consumed()).isZero();
        assertThat(run(toml, "resetState=1").totals().consumed()).isEqualTo(EVENTS + 6);
    }

    @Test
    void stateOfAChangedStepIsRefusedUntilItIsDropped() throws Exception {
        runAndStop(counts(40_000, "10000"));
        String changed = counts(0, "20000");
        BuildRecord refused = run(changed);
        assertThat(refused.status()).isEqualTo(RunStatus.FAILED);
        assertThat(refused.error())
                .contains("step windows: windowMs was 10000 and is 20000")
                .contains("--drop-state windows")
                .contains("--reset-state");
        BuildRecord gone = run(changed.replace("id = \"windows\"", "id = \"other\""));
        assertThat(gone.error()).contains("step windows: there is no such step with state now");
        BuildRecord dropped =
                start(changed, new StartOptions("", false, Set.of("windows"))).await();
        assertThat(dropped.status()).isEqualTo(RunStatus.SUCCEEDED);
        assertThat(said)
                .anyMatch(line -> line.startsWith("the stored state of step windows is dropped"));
    }

    @Test
    void whatLeavesTheStateAloneMayChange() throws Exception {
        runAndStop(counts(40_000, "10000"));
        String changed = counts(0, "10000, allowedLatenessMs = 5, onError = \"fail\"");
        assertThat(run(changed).status()).isEqualTo(RunStatus.SUCCEEDED);
        assertThat(output()).isEqualTo(uncut(counts(0, "10000")));
    }

    @Test
    void oneProcessOwnsAPipeline() throws Exception {
        RunningPipeline first = start(counts(500, "10000"), StartOptions.DEFAULT);
        BuildRecord second = run(counts(0, "10000"));
        assertThat(second.status()).isEqualTo(RunStatus.FAILED);
        assertThat(second.error())
                .contains("counts")
                .contains("process " + ProcessHandle.current().pid());
        first.stop();
        assertThat(first.await().status()).isEqualTo(RunStatus.STOPPED);
        assertThat(run(counts(0, "10000")).status()).isEqualTo(RunStatus.SUCCEEDED);
        assertThat(output()).isEqualTo(uncut(counts(0, "10000")));
    }

    @Test
    void damageCostsOneEpochAndNoRow() throws Exception {
        runAndStop(counts(40_000, "10000"));
        damageNewestState();
        assertThat(run(counts(0, "10000")).status()).isEqualTo(RunStatus.SUCCEEDED);
        assertThat(said).anyMatch(line -> line.contains("is damaged and left out"));
        assertThat(output()).isEqualTo(uncut(counts(0, "10000")));
    }

    private void damageNewestState() throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("state"))) {
            Path newest =
                    files.filter(file -> file.getFileName().toString().matches("e[0-9]+-windows.*"))
                            .max(Comparator.comparingInt(RecoveryTest::objectNumber))
                            .orElseThrow();
            byte[] bytes = Files.readAllBytes(newest);
            bytes[bytes.length / 2] ^= 4;
            newest.toFile().setWritable(true);
            Files.write(newest, bytes);
        }
    }

    private static int objectNumber(Path file) {
        String name = file.getFileName().toString();
        return Integer.parseInt(name.substring(name.lastIndexOf('-') + 1));
    }

    private static String staged(String list, String step) {
        return """
            [settings]
            stateStore = "memory"
            checkpointMs = 5
            restartBackoffMs = 1
            restartAttempts = 3
            [datasets.in]
            connector = "memory"
            list = "%s"
            [datasets.out]
            sink = "memory"
            list = "staged-%s"
            [[transforms]]
            inputs = ["in"]
            output = "out"
            steps = [ %s ]
            """
                .formatted(list, list, step);
    }

    private static Script script(Event... events) {
        return new Script(1, Arrays.asList(events));
    }

    @Test
    void aJobThatFailsStartsAgain() throws Exception {
        MemoryConnector.SCRIPTS.put(
                "away",
                script(
                        new Event.Rows(0, new long[] {1, 2, 3}),
                        new Event.Failure(new AtomicInteger(2)),
                        new Event.Rows(0, new long[] {4, 5})));
        BuildRecord record = run(staged("away", "{ op = \"filter\", expression = \"t > 1\" }"));
        assertThat(record.error()).isNull();
        assertThat(record.restarts()).isEqualTo(2);
        assertThat(said).anyMatch(line -> line.contains("the outside is away; starting again"));
        assertThat(Runs.taken("staged-away").stream().map(row -> row.get("t")))
                .containsExactlyInAnyOrder(2L, 3L, 4L, 5L);
    }

    @Test
    void attemptsAreBounded() throws Exception {
        MemoryConnector.SCRIPTS.put(
                "gone", script(new Event.Failure(new AtomicInteger(Integer.MAX_VALUE))));
        BuildRecord record = run(staged("gone", "{ op = \"filter\", expression = \"t > 1\" }"));
        assertThat(record.status()).isEqualTo(RunStatus.FAILED);
        assertThat(record.restarts()).isEqualTo(3);
        assertThat(record.error()).contains("the outside is away");
    }

    @Test
    void aRecordThatFailsTwiceEndsTheRun() throws Exception {
        MemoryConnector.SCRIPTS.put("poison", script(new Event.Rows(0, new long[] {1, 0, 3})));
        BuildRecord record =
                run(
                        staged(
                                "poison",
                                "{ op = \"applyExpression\", column = \"q\", expression = \"10 / t\", onError = \"fail\" }"));
        assertThat(record.status()).isEqualTo(RunStatus.FAILED);
        assertThat(record.restarts()).isEqualTo(1);
        assertThat(record.error()).contains("in row {\"t\":0,\"k\":\"k\",\"v\":1}");
    }

    @Test
    void aStopEndsTheWaitForAnotherStart() throws Exception {
        MemoryConnector.SCRIPTS.put(
                "waiting", script(new Event.Failure(new AtomicInteger(Integer.MAX_VALUE))));
        RunningPipeline running =
                start(
                        staged("waiting", "{ op = \"filter\", expression = \"t > 1\" }"),
                        StartOptions.DEFAULT,
                        "restartBackoffMs=60000");
        while (said.stream().noneMatch(line -> line.contains("starting again"))) {
            Thread.sleep(5);
        }
        running.stop();
        assertThat(running.await().status()).isEqualTo(RunStatus.STOPPED);
    }
}
