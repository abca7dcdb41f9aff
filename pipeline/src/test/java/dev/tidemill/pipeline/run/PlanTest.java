package dev.tidemill.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemill.pipeline.BuildRecord;
import dev.tidemill.pipeline.ControlPlane;
import dev.tidemill.pipeline.Pipeline;
import dev.tidemill.pipeline.RunStatus;
import dev.tidemill.pipeline.RunningPipeline;
import dev.tidemill.pipeline.spec.InvalidPipelineException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a plan is, what it refuses once columns are known, and how rows on the side travel. */
@Timeout(60)
class PlanTest {
    private static final Path HERE = Path.of(".");

    private static final String NEXMARK =
            """
            [datasets.events]
            connector = "nexmark"
            inline = true
            events = 1000
            tail = false
            [datasets.out]
            sink = "memory"
            [[transforms]]
            inputs = ["events"]
            output = "out"
            """;

    @Test
    void everyUnknownColumnIsNamedWithItsPlaceBeforeTheFirstRow() throws Exception {
        Pipeline pipeline =
                Runs.parse(
                        NEXMARK
                                + """
                [[transforms.steps]]
                op = "filter"
                expression = 'typ == "bid" && price'
                [[transforms.steps]]
                op = "windowedAggregate"
                timeColumn = "city"
                windowMs = 10
                groupBy = ["aucton"]
                aggs = [{ op = "sum", column = "url", alias = "n" }]
                """,
                        HERE);
        assertThatThrownBy(() -> pipeline.plan(Runs.SILENT))
                .isInstanceOf(InvalidPipelineException.class)
                .hasMessageContaining(
                        "test.toml:13:14: there is no column typ here; did you mean type?")
                .hasMessageContaining(
                        "test.toml:18:12: there is no column aucton here; did you mean auction?")
                .hasMessageContaining("sum needs numbers, and column url is string");
    }

    @Test
    void aFilterThatCannotBeTrueIsRefused() throws Exception {
        Pipeline pipeline =
                Runs.parse(
                        NEXMARK
                                + "[[transforms.steps]]\nop = \"filter\"\nexpression = \"price * 2\"\n",
                        HERE);
        assertThatThrownBy(() -> pipeline.plan(Runs.SILENT))
                .hasMessageContaining("a filter needs a boolean, and this is int64");
    }

    @Test
    void aRenameToATakenNameIsRefused() throws Exception {
        Pipeline pipeline =
                Runs.parse(
                        NEXMARK
                                + "[[transforms.steps]]\nop = \"rename\"\nmapping = { price = \"bidder\" }\n",
                        HERE);
        assertThatThrownBy(() -> pipeline.plan(Runs.SILENT))
                .hasMessageContaining("the name bidder is taken");
    }

    @Test
    void onlyTheColumnsThatAreUsedAreRead() throws Exception {
        String text =
                Runs.parse(
                                NEXMARK
                                        + """
                [[transforms.steps]]
                op = "filter"
                expression = 'type == "bid"'
                [[transforms.steps]]
                op = "applyExpression"
                column = "double"
                expression = "price * 2"
                [[transforms.steps]]
                op = "rename"
                mapping = { double = "twice", bidder = "who" }
                [[transforms.steps]]
                op = "select"
                columns = ["twice", "who"]
                """,
                                HERE)
                        .explain(Runs.SILENT);
        assertThat(text)
                .containsPattern("read events: columns (?=.*type)(?=.*price)(?=.*bidder)")
                .doesNotContain("url")
                .doesNotContain("all columns");
    }

    @Test
    void aDatasetReadTwiceIsReadOnceAndADeclaredIntermediateIsWrittenToo() throws Exception {
        String toml =
                """
                [datasets.events]
                connector = "nexmark"
                inline = true
                events = 500
                tail = false
                [datasets.bids]
                sink = "memory"
                list = "dag-bids"
                [datasets.counts]
                sink = "memory"
                list = "dag-counts"
                [datasets.persons]
                sink = "memory"
                list = "dag-persons"
                [[transforms]]
                inputs = ["bids"]
                output = "counts"
                [[transforms.steps]]
                op = "windowedAggregate"
                timeColumn = "dateTime"
                windowMs = 1000
                groupBy = ["auction"]
                aggs = [{ op = "count", alias = "n" }]
                [[transforms]]
                inputs = ["events"]
                output = "bids"
                [[transforms.steps]]
                op = "filter"
                expression = 'type == "bid"'
                [[transforms]]
                inputs = ["events"]
                output = "persons"
                [[transforms.steps]]
                op = "filter"
                expression = 'type == "person"'
                """;
        BuildRecord record = Runs.parse(toml, HERE).start(ControlPlane.NONE, Runs.SILENT).await();
        assertThat(record.error()).isNull();
        assertThat(record.totals().consumed()).isEqualTo(500);
        assertThat(Runs.taken("dag-bids")).hasSize(460);
        assertThat(Runs.taken("dag-persons")).hasSize(10);
        assertThat(Runs.taken("dag-counts").stream().mapToLong(row -> (long) row.get("n")).sum())
                .isEqualTo(460);
        assertThat(record.outputs()).containsExactly("bids", "counts", "persons");
    }

    @Test
    void windowsOverWindowsUseTheTimeOfTheFirst() throws Exception {
        Runs.Result result =
                Runs.run(
                        NEXMARK
                                + """
                [[transforms.steps]]
                op = "filter"
                expression = 'type == "bid"'
                [[transforms.steps]]
                op = "windowedAggregate"
                timeColumn = "dateTime"
                windowMs = 100
                groupBy = ["auction"]
                aggs = [{ op = "count", alias = "n" }]
                """
                                        .replace("output = \"out\"", "output = \"small\"")
                                + """
                [[transforms]]
                inputs = ["out"]
                output = "large"
                [[transforms.steps]]
                op = "windowedAggregate"
                timeColumn = "windowStart"
                windowMs = 1000
                aggs = [{ op = "sum", column = "n", alias = "total" }]
                [datasets.large]
                sink = "blackhole"
                """,
                        HERE,
                        "consumers=2",
                        "tasks=2");
        assertThat(result.record().totals().late()).isZero();
        assertThat(result.rows().stream().mapToLong(row -> (long) row.get("n")).sum())
                .isEqualTo(920);
    }

    @Test
    void failedRowsGoWhereTheUserSaidAndTheOthersGoOn() throws Exception {
        String toml =
                NEXMARK
                        + """
                [[transforms.steps]]
                op = "filter"
                expression = 'type == "bid"'
                [[transforms.steps]]
                op = "applyExpression"
                column = "share"
                expression = "price / (auction % 2)"
                errorOutput = "failed"
                [datasets.failed]
                sink = "memory"
                list = "failed-rows"
                """;
        Runs.Result result = Runs.run(toml, HERE);
        List<Map<String, Object>> failed = Runs.taken("failed-rows");
        assertThat(failed).isNotEmpty();
        assertThat(failed.getFirst().get("reason").toString()).contains("zero");
        assertThat(failed.getFirst().get("row").toString()).startsWith("{\"type\":\"bid\"");
        BuildRecord.Totals totals = result.record().totals();
        assertThat(totals.errors()).isEqualTo(failed.size());
        assertThat(result.rows()).hasSize((int) (920 - totals.errors()));
    }

    @Test
    void aStepToldToFailEndsTheRunAndNamesTheRow() throws Exception {
        BuildRecord record =
                Runs.parse(
                                NEXMARK
                                        + """
                [[transforms.steps]]
                op = "applyExpression"
                column = "share"
                expression = "price / (auction % 2)"
                onError = "fail"
                """,
                                HERE)
                        .start(ControlPlane.NONE, Runs.SILENT)
                        .await();
        assertThat(record.status()).isEqualTo(RunStatus.FAILED);
        assertThat(record.error())
                .contains("1.1-applyExpression")
                .contains("zero")
                .contains("\"auction\":");
    }

    @Test
    void badRecordsGoToTheirDatasetWithTheirBytes(@TempDir Path directory) throws Exception {
        Files.writeString(directory.resolve("in.jsonl"), "{\"a\":1}\nnonsense\n{\"a\":2}\n");
        String toml =
                """
                [datasets.in]
                connector = "file"
                path = "in.jsonl"
                onBadData = "deadLetter"
                deadLetter = "bad"
                [datasets.out]
                sink = "memory"
                list = "good-records"
                [datasets.bad]
                sink = "memory"
                list = "bad-records"
                [[transforms]]
                inputs = ["in"]
                output = "out"
                """;
        BuildRecord record =
                Runs.parse(toml, directory).start(ControlPlane.NONE, Runs.SILENT).await();
        assertThat(record.error()).isNull();
        assertThat(Runs.taken("good-records")).hasSize(2);
        List<Map<String, Object>> bad = Runs.taken("bad-records");
        assertThat(bad).hasSize(1);
        assertThat(new String((byte[]) bad.getFirst().get("record"))).isEqualTo("nonsense");
        assertThat(record.totals().dropped()).isEqualTo(1);
    }

    @Test
    void rowKeysAreTheSameForAnyNumberOfTasks() throws Exception {
        String toml =
                NEXMARK
                        + """
                [[transforms.steps]]
                op = "windowedAggregate"
                timeColumn = "dateTime"
                windowMs = 1000
                groupBy = ["auction"]
                aggs = [{ op = "count", alias = "n" }]
                """;
        List<Object> one = keys(Runs.run(toml, HERE, "consumers=1", "tasks=1"));
        assertThat(one).doesNotHaveDuplicates();
        assertThat(keys(Runs.run(toml, HERE, "consumers=3", "tasks=2")))
                .containsExactlyInAnyOrderElementsOf(one);
    }

    private static List<Object> keys(Runs.Result result) {
        return result.rows().stream().map(row -> row.get(dev.tidemill.data.Schema.KEY)).toList();
    }

    @Test
    void theHostIsToldOfTheRunAndCanStopIt() throws Exception {
        List<BuildRecord> records = java.util.Collections.synchronizedList(new ArrayList<>());
        ControlPlane host =
                new ControlPlane() {
                    @Override
                    public Heartbeat heartbeat(String buildId) {
                        return Heartbeat.STOP;
                    }

                    @Override
                    public void putRecord(String buildId, BuildRecord record) {
                        records.add(record);
                    }
                };
        String endless = NEXMARK.replace("events = 1000", "events = 100000000\nrate = 1000");
        RunningPipeline run =
                Runs.parse(endless, HERE, "heartbeatSeconds=1").start(host, Runs.SILENT);
        BuildRecord end = run.await(Duration.ofSeconds(10)).orElseThrow();
        assertThat(end.status()).isEqualTo(RunStatus.STOPPED);
        assertThat(records.getFirst().status()).isEqualTo(RunStatus.RUNNING);
        assertThat(records.getLast()).isEqualTo(end);
    }

    @Test
    void anIdlePipelineCostsNextToNothing() throws Exception {
        String endless = NEXMARK.replace("events = 1000", "events = 100000000\nrate = 1");
        RunningPipeline run = Runs.parse(endless, HERE).start(ControlPlane.NONE, Runs.SILENT);
        Thread.sleep(1_000);
        long before = cpu(run);
        Thread.sleep(3_000);
        long used = cpu(run) - before;
        run.stop();
        run.await();
        // 1 % of a core would be 30 ms; a loaded machine makes wake-ups dearer.
        assertThat(used).isLessThan(90);
    }

    private static long cpu(RunningPipeline run) {
        return run.record().cpuMs().values().stream().mapToLong(Long::longValue).sum();
    }
}
