package dev.tidemill.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemill.pipeline.BuildRecord.StepCounts;
import dev.tidemill.pipeline.BuildRecord.Totals;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

class FileControlPlaneTest {
    @TempDir private Path folder;

    private static BuildRecord record(RunStatus status, String error) {
        Instant at = Instant.parse("2026-12-01T05:36:50Z");
        Totals totals = new Totals(Long.MAX_VALUE, 50, 30, 5, 4, 2, 0, -1, -1, -1);
        return new BuildRecord(
                "b-1",
                "q",
                status,
                at,
                at,
                status.isFinal() ? at : null,
                error,
                null,
                List.of("out", "dead"),
                totals,
                null,
                0,
                Map.of("tm-worker", 160L),
                Map.of("sources", 40L),
                Map.of("1.1-\"filter\"", new StepCounts(100, 70, 30, 0, 0, 0)));
    }

    @Test
    void jsonHasTheLayoutThatOtherProgramsRead() {
        JsonNode json =
                new ObjectMapper()
                        .readTree(record(RunStatus.FAILED, "line 1\nline \"2\" \u0001 é").toJson());
        assertThat(json.get("kind").stringValue()).isEqualTo("stream");
        assertThat(json.get("status").stringValue()).isEqualTo("FAILED");
        assertThat(json.get("finishedAt").stringValue()).isEqualTo("2026-12-01T05:36:50Z");
        assertThat(json.get("error").stringValue()).isEqualTo("line 1\nline \"2\" \u0001 é");
        assertThat(json.has("warning")).isFalse();
        assertThat(json.get("outputs").get(1).get("dataset").stringValue()).isEqualTo("dead");
        JsonNode metrics = json.get("metrics");
        assertThat(metrics.get("consumed").longValue()).isEqualTo(Long.MAX_VALUE);
        assertThat(metrics.get("lag").isNull()).isTrue();
        assertThat(metrics.get("checkpoint").isNull()).isTrue();
        assertThat(metrics.get("cpuMs").get("tm-worker").longValue()).isEqualTo(160);
        assertThat(metrics.get("taskCpuMs").get("sources").longValue()).isEqualTo(40);
        assertThat(metrics.get("steps").get("1.1-\"filter\"").get("filtered").longValue())
                .isEqualTo(30);
    }

    @Test
    void onlyTheLastRecordHasTheTimeOfTasks() {
        JsonNode json = new ObjectMapper().readTree(record(RunStatus.RUNNING, null).toJson());
        assertThat(json.has("finishedAt")).isFalse();
        assertThat(json.get("metrics").has("taskCpuMs")).isFalse();
    }

    @Test
    void aReaderAlwaysSeesAWholeRecord() throws Exception {
        Path file = folder.resolve("record.json");
        FileControlPlane plane = new FileControlPlane(file);
        plane.putRecord("b-1", record(RunStatus.RUNNING, null));
        AtomicBoolean done = new AtomicBoolean();
        Thread writer =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    for (int i = 0; i < 500; i++) {
                                        plane.putRecord("b-1", record(RunStatus.RUNNING, null));
                                    }
                                    plane.putRecord("b-1", record(RunStatus.STOPPED, null));
                                    done.set(true);
                                });
        while (!done.get() && writer.isAlive()) {
            assertThat(Files.readString(file)).startsWith("{\"id\"").endsWith("}}\n");
        }
        writer.join();
        assertThat(Files.readString(file)).contains("\"status\":\"STOPPED\"");
        try (var files = Files.list(folder)) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void whatCannotBeWrittenIsSaid() {
        FileControlPlane plane = new FileControlPlane(folder.resolve("missing/record.json"));
        assertThatThrownBy(() -> plane.putRecord("b-1", record(RunStatus.RUNNING, null)))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("record.json");
    }
}
