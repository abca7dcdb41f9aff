package dev.tidemill.nexmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemill.data.Batch;
import dev.tidemill.data.Schema;
import dev.tidemill.devkafka.KafkaBroker;
import dev.tidemill.spi.Clock;
import dev.tidemill.spi.ConfigException;
import dev.tidemill.spi.Notices;
import dev.tidemill.spi.OptionValues;
import dev.tidemill.spi.PipelineContext;
import dev.tidemill.spi.Source;
import dev.tidemill.spi.SourceContext;
import dev.tidemill.spi.SourceOutput;
import dev.tidemill.spi.SourceReader;
import dev.tidemill.spi.SourceRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TopicSourceTest {
    @TempDir static Path directory;

    private static KafkaBroker broker;

    @BeforeAll
    static void start() throws Exception {
        broker = KafkaBroker.start(0, directory);
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    private static final Notices QUIET =
            new Notices() {
                @Override
                public void info(String line) {}

                @Override
                public void warn(String line) {}
            };

    private static final class Rows implements SourceOutput {
        final List<Map<String, Object>> rows = new ArrayList<>();

        @Override
        public void splitAdded(int split, String identity) {}

        @Override
        public void batch(Batch batch) {
            for (int i = 0; i < batch.rows(); i++) {
                rows.add(batch.row(i));
            }
        }

        @Override
        public void splitCaughtUp(int split) {}

        @Override
        public void splitFinished(int split) {}

        @Override
        public void badRecords(long count, Batch deadLetters) {
            throw new AssertionError(count + " bad records");
        }

        @Override
        public void misfits(long count) {
            throw new AssertionError(count + " misfits");
        }
    }

    private static OptionValues options(String topic, Object... namesAndValues) {
        Map<String, Object> values =
                new HashMap<>(
                        Map.of(
                                "inline",
                                false,
                                "topic",
                                topic,
                                "events",
                                1000L,
                                "seed",
                                42L,
                                "stepMs",
                                10L,
                                "partitions",
                                3L,
                                "rate",
                                0L,
                                "tail",
                                true));
        values.putAll(Map.of("delayMs", 0L, "tailDelayMs", 0L));
        for (int i = 0; i < namesAndValues.length; i += 2) {
            values.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return new OptionValues(values);
    }

    private static Source source(OptionValues options) throws Exception {
        PipelineContext context =
                new PipelineContext(
                        "test",
                        Path.of("."),
                        broker.address(),
                        new OptionValues(Map.of()),
                        Clock.SYSTEM,
                        QUIET);
        return new NexmarkConnector()
                .source(new SourceRequest("in", null, List.of(Schema.KEY), 500), options, context);
    }

    private static List<Map<String, Object>> read(Source source, int rows) throws Exception {
        Rows out = new Rows();
        long deadline = System.nanoTime() + 20_000_000_000L;
        try (SourceReader reader = source.open(0, 1, new SourceContext(Clock.SYSTEM, 500, QUIET))) {
            while (reader.poll(out) != SourceReader.Status.FINISHED && out.rows.size() < rows) {
                assertThat(System.nanoTime()).isLessThan(deadline);
            }
        }
        return out.rows;
    }

    private static List<Map<String, Object>> inline() {
        Schema schema = Events.schema(null, List.of(Schema.KEY));
        Batch batch = new EventGenerator(42, 10, schema).generate(0, 1, 1000);
        List<Map<String, Object>> rows = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            rows.add(batch.row(i));
        }
        return rows;
    }

    @Test
    void theEventsAreThoseMadeInline() throws Exception {
        Source filling = source(options("whole"));
        assertThat(filling.bounded()).isFalse();
        assertThat(filling.schema().names())
                .containsExactlyElementsOf(Events.schema(null, List.of(Schema.KEY)).names());
        List<Map<String, Object>> rows = read(filling, 1009);
        List<Map<String, Object>> sentinels =
                rows.stream().filter(r -> "sentinel".equals(r.get(Schema.KEY))).toList();
        assertThat(sentinels).hasSize(9).allSatisfy(r -> assertThat(r).containsEntry("url", null));
        assertThat(rows.stream().filter(r -> !sentinels.contains(r)))
                .containsExactlyInAnyOrderElementsOf(inline());
        // A second run finds the topic full and only reads it.
        Source full = source(options("whole", "until", "latest"));
        assertThat(full.bounded()).isTrue();
        assertThat(read(full, Integer.MAX_VALUE)).containsExactlyInAnyOrderElementsOf(rows);
    }

    @Test
    void aBoundedRunFillsTheTopicFirst() throws Exception {
        assertThat(
                        read(
                                source(options("bounded", "until", "latest", "tail", false)),
                                Integer.MAX_VALUE))
                .containsExactlyInAnyOrderElementsOf(inline());
    }

    @Test
    void aTopicFilledInPartIsRefused() throws Exception {
        source(options("part", "until", "latest", "tail", false));
        assertThatThrownBy(() -> source(options("part")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(
                        "the topic part holds 1000 messages where all events are 1009");
        assertThatThrownBy(() -> source(options("part", "partitions", 2L)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("3 partitions already, not 2");
    }

    @Test
    void eventsComeAtTheirRate() throws Exception {
        long start = System.nanoTime();
        assertThat(read(source(options("paced", "rate", 2000L, "tail", false)), 1000))
                .hasSize(1000);
        assertThat(System.nanoTime() - start).isGreaterThan(450_000_000L);
    }

    @Test
    void aTopicIsNeeded() {
        Map<String, Object> without = Map.of("inline", false);
        assertThatThrownBy(
                        () -> new NexmarkConnector().check("in", true, new OptionValues(without)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("is needed unless inline = true");
        assertThat(new NexmarkConnector().sourceDescription().orElseThrow().options())
                .extracting(o -> o.name())
                .containsAll(
                        Set.of(
                                "topic",
                                "brokers",
                                "schema",
                                "onBadData",
                                "inferSample",
                                "until",
                                "properties"))
                .doesNotHaveDuplicates();
    }
}
