package dev.tidemill.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemill.pipeline.BuildRecord;
import dev.tidemill.pipeline.ControlPlane;
import dev.tidemill.pipeline.RunStatus;
import dev.tidemill.pipeline.RunningPipeline;
import dev.tidemill.pipeline.run.MemoryConnector.Event;
import dev.tidemill.pipeline.run.MemoryConnector.Script;
import dev.tidemill.spi.Notices;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Event time through a whole pipeline: splits, idleness, ends and stops. */
@Timeout(60)
class TimeTest {
    private static final Path HERE = Path.of(".");

    private static String pipeline(String script, String more) {
        return """
                [datasets.in]
                connector = "memory"
                list = "%s"
                [datasets.out]
                sink = "memory"
                list = "%s"
                [[transforms]]
                inputs = ["in"]
                output = "out"
                [[transforms.steps]]
                op = "windowedAggregate"
                timeColumn = "t"
                windowMs = 10
                groupBy = ["k"]
                aggs = [{ op = "count", alias = "n" }]
                %s
                """
                .formatted(script, script, more);
    }

    private static RunningPipeline start(String name, Script script, String more, Notices notices)
            throws Exception {
        MemoryConnector.SCRIPTS.put(name, script);
        return Runs.parse(pipeline(name, more), HERE).start(ControlPlane.NONE, notices);
    }

    private static List<String> windows(String name) {
        return MemoryConnector.ROWS.getOrDefault(name, List.of()).stream()
                .map(row -> row.get("windowStart") + " " + row.get("n"))
                .toList();
    }

    private static void awaitWindows(String name, int count) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (windows(name).size() < count && System.nanoTime() < deadline) {
            Thread.sleep(5);
        }
        assertThat(windows(name)).hasSizeGreaterThanOrEqualTo(count);
    }

    @Test
    void oneTaskOverTwoBackloggedSplitsLosesNothing() throws Exception {
        long[] times = {1, 11, 21, 31};
        Script script =
                new Script(
                        2,
                        List.of(
                                new Event.Rows(0, times),
                                new Event.Finished(0),
                                new Event.Rows(1, times),
                                new Event.Finished(1)));
        BuildRecord record = start("backlog", script, "", Runs.SILENT).await();
        assertThat(record.totals().late()).isZero();
        assertThat(windows("backlog")).containsExactly("0 2", "10 2", "20 2", "30 2");
    }

    @Test
    void aSilentSplitLetsTimeGoAfterItsTimeoutAndIsJudgedNormallyWhenItWakes() throws Exception {
        Script script =
                new Script(
                        2,
                        List.of(
                                new Event.CaughtUp(1),
                                new Event.Rows(0, new long[] {1, 11, 25}),
                                new Event.Silence()));
        RunningPipeline run = start("silent", script, "idleTimeoutMs = 100", Runs.SILENT);
        awaitWindows("silent", 2);
        run.stop();
        run.await();
        assertThat(windows("silent")).containsExactly("0 1", "10 1");
    }

    @Test
    void withoutATimeoutASilentSplitHoldsTimeAndAStopFiresNothing() throws Exception {
        Script script =
                new Script(
                        2,
                        List.of(
                                new Event.CaughtUp(1),
                                new Event.Rows(0, new long[] {1, 11, 25}),
                                new Event.Silence()));
        RunningPipeline run = start("held", script, "", Runs.SILENT);
        while (run.record().totals().consumed() < 3) {
            Thread.sleep(5);
        }
        Thread.sleep(200);
        run.stop();
        BuildRecord record = run.await(Duration.ofSeconds(2)).orElseThrow();
        assertThat(record.status()).isEqualTo(RunStatus.STOPPED);
        assertThat(windows("held")).isEmpty();
    }

    @Test
    void theEndOfInputFiresEverythingAlsoBehindAnIdleSplit() throws Exception {
        Script script =
                new Script(
                        2,
                        List.of(
                                new Event.CaughtUp(1),
                                new Event.Rows(0, new long[] {1, 2}),
                                new Event.Finished(0),
                                new Event.Finished(1)));
        start("end", script, "", Runs.SILENT).await();
        assertThat(windows("end")).containsExactly("0 2");
    }

    @Test
    void rowsFarAheadCannotDragTimeForward() throws Exception {
        long now = System.currentTimeMillis();
        Script script =
                new Script(
                        1,
                        List.of(
                                new Event.Rows(0, new long[] {now - 100, now + 86_400_000}),
                                new Event.Rows(0, new long[] {now - 99, now - 98}),
                                new Event.Finished(0)));
        BuildRecord record = start("skew", script, "maxFutureSkewMs = 60000", Runs.SILENT).await();
        assertThat(record.totals().late()).isZero();
        assertThat(record.totals().dropped()).isEqualTo(1);
        assertThat(
                        MemoryConnector.ROWS.get("skew").stream()
                                .mapToLong(row -> (long) row.get("n"))
                                .sum())
                .isEqualTo(3);
    }

    @Test
    void timesThatLookLikeSecondsGetAWarning() throws Exception {
        List<String> warnings = new ArrayList<>();
        Notices notices =
                new Notices() {
                    @Override
                    public void info(String line) {}

                    @Override
                    public void warn(String line) {
                        warnings.add(line);
                    }
                };
        Script script =
                new Script(
                        1,
                        List.of(
                                new Event.Rows(0, new long[] {1_700_000_000L}),
                                new Event.Finished(0)));
        start("seconds", script, "", notices).await();
        assertThat(warnings).singleElement().asString().contains("before 1971", "timeUnit = \"s\"");
        warnings.clear();
        start("declared", script, "timeUnit = \"s\"", notices).await();
        assertThat(warnings).isEmpty();
        assertThat(windows("declared")).containsExactly("1700000000000 1");
    }

    @Test
    void lateRowsAreCountedAndWrittenWhereTheUserSaid() throws Exception {
        Script script =
                new Script(
                        1,
                        List.of(
                                new Event.Rows(0, new long[] {5, 30}),
                                new Event.Rows(0, new long[] {6, 31}),
                                new Event.Finished(0)));
        MemoryConnector.SCRIPTS.put("late", script);
        String toml =
                pipeline("late", "lateOutput = \"behind\"")
                        + """
                [datasets.behind]
                sink = "memory"
                list = "behind"
                """;
        BuildRecord record = Runs.parse(toml, HERE).start(ControlPlane.NONE, Runs.SILENT).await();
        assertThat(record.error()).isNull();
        assertThat(record.totals().late()).isEqualTo(1);
        List<Map<String, Object>> late = Runs.taken("behind");
        assertThat(late).hasSize(1);
        assertThat(late.getFirst()).containsEntry("t", 6L).containsEntry("lateByMs", 20L);
    }

    @Test
    void arrivalTimeClosesWindowsWithoutRows() throws Exception {
        Script script =
                new Script(1, List.of(new Event.Rows(0, new long[] {5, 30}), new Event.Silence()));
        MemoryConnector.SCRIPTS.put("ingest", script);
        String toml = pipeline("ingest", "").replace("timeColumn = \"t\"", "ingestTime = true");
        RunningPipeline run = Runs.parse(toml, HERE).start(ControlPlane.NONE, Runs.SILENT);
        awaitWindows("ingest", 1);
        run.stop();
        run.await();
        assertThat(
                        MemoryConnector.ROWS.get("ingest").stream()
                                .mapToLong(row -> (long) row.get("n"))
                                .sum())
                .isEqualTo(2);
    }
}
