package dev.tidemill.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemill.data.Batch;
import dev.tidemill.data.BytesColumn;
import dev.tidemill.data.Column;
import dev.tidemill.data.DataType;
import dev.tidemill.data.Field;
import dev.tidemill.data.LongColumn;
import dev.tidemill.data.Schema;
import dev.tidemill.data.Selection;
import dev.tidemill.devkafka.KafkaBroker;
import dev.tidemill.spi.ConfigException;
import dev.tidemill.spi.Sink;
import dev.tidemill.spi.SinkContext;
import dev.tidemill.spi.SinkWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KafkaSinkTest {
    private static final Schema SCHEMA =
            Schema.of(new Field("n", DataType.INT64), new Field(Schema.KEY, DataType.UTF8));

    @TempDir Path directory;

    private static Batch batch(long first, String... keys) {
        long[] numbers = new long[keys.length];
        for (int i = 0; i < keys.length; i++) {
            numbers[i] = first + i;
        }
        return Batch.of(
                SCHEMA, new Column[] {LongColumn.of(numbers), BytesColumn.of(keys)}, keys.length);
    }

    private static SinkWriter open(Fixture fixture) throws Exception {
        Sink sink = new KafkaConnector().sink("out", fixture.options(), fixture.context());
        assertThat(sink.mayBlock()).isTrue();
        assertThat(sink.wantsRowKeys()).isTrue();
        return sink.open(
                0,
                1,
                new SinkContext("test", fixture.context().clock(), fixture.context().notices()));
    }

    private static Collected read(String topic) throws Exception {
        return Fixture.topic(topic).untilLatest().engineColumns(Schema.KEY, Schema.PARTITION).all();
    }

    @Test
    void rowsArriveUnderTheirKeys() throws Exception {
        String topic = TestCluster.topic(3);
        try (SinkWriter writer = open(Fixture.topic(topic))) {
            writer.write(
                    batch(0, "a", "hidden", null, "a", "ü")
                            .select(new Selection(new int[] {0, 2, 3, 4}, 4)));
            writer.flush();
            assertThat(read(topic).rows).hasSize(4);
            writer.write(batch(10, "a"));
            writer.prepare(true);
        }
        Collected read = read(topic);
        Map<Object, Object> keys = new HashMap<>();
        Set<Object> partitionsOfA = new HashSet<>();
        read.rows.forEach(
                r -> {
                    keys.put(r.get("n"), r.get(Schema.KEY));
                    if ("a".equals(r.get(Schema.KEY))) {
                        partitionsOfA.add(r.get(Schema.PARTITION));
                    }
                    assertThat(r).containsOnlyKeys("n", Schema.KEY, Schema.PARTITION);
                });
        Map<Object, Object> expected = new HashMap<>(Map.of(0L, "a", 3L, "a", 4L, "ü", 10L, "a"));
        expected.put(2L, null);
        assertThat(keys).isEqualTo(expected);
        assertThat(partitionsOfA).hasSize(1);
    }

    @Test
    void rowsWithoutAKeyColumnHaveNoKey() throws Exception {
        String topic = TestCluster.topic(1);
        try (SinkWriter writer = open(Fixture.topic(topic).with("format", "raw"))) {
            writer.write(
                    Batch.of(
                            Schema.of(new Field("text", DataType.UTF8)), BytesColumn.of("x", "y")));
            writer.write(Batch.empty(Schema.of(new Field("text", DataType.UTF8))));
            writer.prepare(true);
        }
        assertThat(Fixture.topic(topic).untilLatest().with("format", "raw").withKeys().all().rows)
                .containsExactly(
                        Fixture.row("value", "x", Schema.KEY, null),
                        Fixture.row("value", "y", Schema.KEY, null));
    }

    @Test
    void theSettingSaysWhenToWaitForTheBroker() throws Exception {
        String topic = TestCluster.topic(1);
        Fixture patient = Fixture.topic(topic).with("properties", Map.of("linger.ms", "20000"));
        try (SinkWriter writer = open(patient.setting("sinkFlush", "epoch"))) {
            writer.write(batch(0, "a", "b"));
            assertThat(read(topic).rows).isEmpty();
            writer.flush();
            assertThat(read(topic).rows).hasSize(2);
        }
        try (SinkWriter writer = open(patient.setting("sinkFlush", "batch"))) {
            writer.write(batch(0, "a"));
            assertThat(read(topic).rows).hasSize(3);
        }
        try (SinkWriter writer = open(patient.setting("sinkFlush", "3"))) {
            writer.write(batch(0, "a", "b"));
            assertThat(read(topic).rows).hasSize(3);
            writer.write(batch(0, "a"));
            assertThat(read(topic).rows).hasSize(6);
        }
    }

    @Test
    void whatWasNotFlushedIsGivenUpWithoutAFinish() throws Exception {
        String topic = TestCluster.topic(1);
        try (SinkWriter writer =
                open(Fixture.topic(topic).with("properties", Map.of("linger.ms", "20000")))) {
            writer.write(batch(0, "a", "b"));
        }
        assertThat(read(topic).rows).isEmpty();
    }

    @Test
    void aRefusedMessageFailsTheRun() throws Exception {
        String topic = TestCluster.topic(1);
        try (SinkWriter writer =
                open(Fixture.topic(topic).with("properties", Map.of("max.request.size", "2000")))) {
            assertThatThrownBy(() -> writer.write(batch(0, "k".repeat(3000))))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("dataset out")
                    .hasMessageContaining(topic)
                    .hasMessageContaining("max.request.size");
        }
        TestCluster.admin()
                .createTopics(
                        List.of(
                                new NewTopic(topic + "-small", 1, (short) 1)
                                        .configs(Map.of("max.message.bytes", "1000"))))
                .all()
                .get();
        try (SinkWriter writer = open(Fixture.topic(topic + "-small"))) {
            assertThatThrownBy(
                            () -> {
                                writer.write(batch(0, "k".repeat(3000)));
                                writer.flush();
                            })
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(topic + "-small");
        }
    }

    @Test
    void aMissingTopicIsNamed() {
        assertThatThrownBy(() -> open(Fixture.topic("not-here")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("there is no topic not-here at the Kafka broker");
    }

    @Test
    void aMissingBrokerIsNamed() {
        assertThatThrownBy(
                        () ->
                                open(
                                        Fixture.topic("t")
                                                .with("brokers", "localhost:1")
                                                .with("connectTimeoutMs", 500L)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no answer from the Kafka broker at localhost:1");
    }

    @Test
    void aBrokerThatMakesTopicsMayMakeThisOne() throws Exception {
        try (KafkaBroker broker =
                KafkaBroker.start(0, directory, Map.of("auto.create.topics.enable", "true"))) {
            Fixture fixture = Fixture.topic("made").with("brokers", broker.address());
            try (SinkWriter writer = open(fixture)) {
                writer.write(batch(0, "a"));
                writer.prepare(true);
            }
            assertThat(fixture.untilLatest().all().rows).hasSize(1);
        }
    }

    @Test
    void aBrokerThatGoesAwayFailsTheRun() throws Exception {
        SinkWriter writer;
        try (KafkaBroker broker = KafkaBroker.start(0, directory);
                Admin admin = Admin.create(Map.of("bootstrap.servers", broker.address()))) {
            admin.createTopics(List.of(new NewTopic("t", 1, (short) 1))).all().get();
            writer =
                    open(
                            Fixture.topic("t")
                                    .with("brokers", broker.address())
                                    .with(
                                            "properties",
                                            Map.of(
                                                    "delivery.timeout.ms",
                                                    "1000",
                                                    "request.timeout.ms",
                                                    "900",
                                                    "max.block.ms",
                                                    "1000")));
            writer.write(batch(0, "a"));
            writer.flush();
        }
        try (writer) {
            assertThatThrownBy(
                            () -> {
                                writer.write(batch(0, "a"));
                                writer.flush();
                            })
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("rows could not be written to the topic t");
        }
    }
}
