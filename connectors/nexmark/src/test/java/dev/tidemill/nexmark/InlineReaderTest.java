package dev.tidemill.nexmark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemill.data.Batch;
import dev.tidemill.spi.Clock;
import dev.tidemill.spi.Notices;
import dev.tidemill.spi.OptionValues;
import dev.tidemill.spi.SourceContext;
import dev.tidemill.spi.SourceOutput;
import dev.tidemill.spi.SourceReader;
import dev.tidemill.spi.SourceReader.Status;
import dev.tidemill.spi.SourceRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InlineReaderTest {
    private final TestClock clock = new TestClock();

    private static final class TestClock implements Clock {
        long nanos = 77;

        @Override
        public long millis() {
            return nanos / 1_000_000;
        }

        @Override
        public long nanos() {
            return nanos;
        }
    }

    private static final class Rows implements SourceOutput {
        final List<Map<String, Object>> rows = new ArrayList<>();
        int batches;
        boolean finished;
        int caughtUp;

        @Override
        public void splitAdded(int split, String identity) {
            assertThat(split).isZero();
            assertThat(rows).isEmpty();
        }

        @Override
        public void batch(Batch batch) {
            assertThat(batch.split()).isZero();
            batches++;
            for (int i = 0; i < batch.rows(); i++) {
                rows.add(batch.row(i));
            }
        }

        @Override
        public void splitCaughtUp(int split) {
            caughtUp++;
        }

        @Override
        public void splitFinished(int split) {
            finished = true;
        }

        @Override
        public void badRecords(long count, Batch deadLetters) {
            throw new AssertionError();
        }

        @Override
        public void misfits(long count) {
            throw new AssertionError();
        }
    }

    private static OptionValues options(Map<String, Object> changed) {
        Map<String, Object> values =
                new HashMap<>(
                        Map.of(
                                "inline",
                                true,
                                "events",
                                1000L,
                                "seed",
                                42L,
                                "stepMs",
                                10L,
                                "partitions",
                                4L,
                                "rate",
                                0L,
                                "tail",
                                true,
                                "delayMs",
                                0L));
        values.putAll(changed);
        return new OptionValues(values);
    }

    private SourceReader reader(Map<String, Object> changed, int task, int tasks) throws Exception {
        return new NexmarkConnector()
                .source(new SourceRequest("in", null, List.of(), 64), options(changed), null)
                .open(
                        task,
                        tasks,
                        new SourceContext(
                                clock,
                                64,
                                new Notices() {
                                    @Override
                                    public void info(String line) {}

                                    @Override
                                    public void warn(String line) {}
                                }));
    }

    private static Rows readAll(SourceReader reader) throws Exception {
        Rows rows = new Rows();
        while (reader.poll(rows) != Status.FINISHED) {}
        assertThat(rows.finished).isTrue();
        assertThat(reader.poll(rows)).isEqualTo(Status.FINISHED);
        return rows;
    }

    @Test
    void anyNumberOfTasksMakesTheSameEventsAndThreeSentinelsEach() throws Exception {
        List<Map<String, Object>> one = readAll(reader(Map.of("tail", false), 0, 1)).rows;
        assertThat(one).hasSize(1000);
        for (int tasks : new int[] {1, 2, 3, 7, 64, 1100}) {
            List<Map<String, Object>> all = new ArrayList<>();
            for (int task = 0; task < tasks; task++) {
                List<Map<String, Object>> rows = readAll(reader(Map.of(), task, tasks)).rows;
                List<Map<String, Object>> tail = rows.subList(rows.size() - 3, rows.size());
                assertThat(tail)
                        .extracting(row -> row.get("type"))
                        .containsExactly("person", "auction", "bid");
                assertThat(tail)
                        .allSatisfy(
                                row ->
                                        assertThat(row)
                                                .containsEntry(
                                                        "dateTime",
                                                        1_000_000L + 10_000 + 172_800_000));
                all.addAll(rows.subList(0, rows.size() - 3));
            }
            assertThat(all).containsExactlyInAnyOrderElementsOf(one);
        }
    }

    @Test
    void aPacedTaskNeverBlocksAndKeepsItsDeadlines() throws Exception {
        SourceReader reader = reader(Map.of("rate", 2000L, "tail", false), 1, 2);
        Rows rows = new Rows();
        assertThat(reader.poll(rows)).isEqualTo(Status.IDLE);
        for (int ms = 1; ms <= 250; ms++) {
            clock.nanos += 1_000_000;
            while (reader.poll(rows) == Status.PROGRESS) {}
            assertThat(rows.rows.size()).isBetween(ms - 10, ms + 1);
        }
        assertThat(rows.batches).isLessThan(30);
        assertThat(rows.caughtUp).isPositive();
        clock.nanos += 10_000_000_000L;
        assertThat(readAll(reader).rows.size() + rows.rows.size()).isEqualTo(500);
    }

    @Test
    void waitsBeforeTheFirstEventAndBeforeTheSentinels() throws Exception {
        SourceReader reader =
                reader(Map.of("delayMs", 500L, "tailDelayMs", 300L, "events", 10L), 0, 1);
        Rows rows = new Rows();
        assertThat(reader.poll(rows)).isEqualTo(Status.IDLE);
        clock.nanos += 499_999_999;
        assertThat(reader.poll(rows)).isEqualTo(Status.IDLE);
        clock.nanos += 1;
        assertThat(reader.poll(rows)).isEqualTo(Status.PROGRESS);
        assertThat(rows.rows).hasSize(10);
        assertThat(reader.poll(rows)).isEqualTo(Status.IDLE);
        clock.nanos += 300_000_000;
        assertThat(reader.poll(rows)).isEqualTo(Status.PROGRESS);
        assertThat(rows.rows).hasSize(13);
        assertThat(reader.poll(rows)).isEqualTo(Status.FINISHED);
    }

    @Test
    void linesHaveTheFieldsOfTheirKindOnly(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("events.jsonl");
        long bytes = EventLines.write(file, 42, 10, 70_000, 2);
        assertThat(Files.size(file)).isEqualTo(bytes);
        List<String> lines = Files.readAllLines(file);
        assertThat(lines).hasSize(70_000);
        assertThat(lines.getFirst())
                .isEqualTo(
                        "{\"type\":\"person\",\"id\":1000,\"name\":\"person-1000\","
                                + "\"emailAddress\":\"person-1000@example.com\",\"creditCard\":\"2172 7803 7043 3278\","
                                + "\"city\":\"Boise\",\"state\":\"AZ\",\"dateTime\":1000000}");
        assertThat(lines.get(4))
                .isEqualTo(
                        "{\"type\":\"bid\",\"dateTime\":1000040,\"auction\":1002,\"bidder\":1000,\"price\":9312,"
                                + "\"channel\":\"Facebook\",\"url\":\"https://www.nexmark.com/kma4/6te1/rjvs/item.htm?query=1\"}");
        assertThat(lines.get(65_000)).startsWith("{\"type\":\"person\",\"id\":2300,");
    }
}
