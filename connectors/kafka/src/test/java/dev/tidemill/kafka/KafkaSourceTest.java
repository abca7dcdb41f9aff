package dev.tidemill.kafka;

import static dev.tidemill.kafka.Fixture.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemill.data.DataType;
import dev.tidemill.data.Field;
import dev.tidemill.data.Schema;
import dev.tidemill.devkafka.KafkaBroker;
import dev.tidemill.formats.BadDataException;
import dev.tidemill.spi.ConfigException;
import dev.tidemill.spi.OptionValues;
import dev.tidemill.spi.Source;
import dev.tidemill.spi.SourceReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KafkaSourceTest {
    @TempDir Path directory;

    private static final List<OptionValues> ID_AND_NAME =
            List.of(
                    new OptionValues(Map.of("name", "id", "type", "int64")),
                    new OptionValues(Map.of("name", "name", "type", "string")));

    private static void fill(String topic, int partitions, int messages) {
        try (TestCluster.Producer producer = TestCluster.producer()) {
            for (int i = 0; i < messages; i++) {
                producer.send(
                        topic,
                        i % partitions,
                        "k" + i,
                        "{\"id\":" + i + ",\"name\":\"n" + i + "\"}");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void readsEveryMessageOnceWhateverTheNumberOfTasks(int tasks) throws Exception {
        String topic = TestCluster.topic(4);
        fill(topic, 3, 5000);
        Fixture fixture = Fixture.topic(topic).untilLatest();
        Source source = fixture.source();
        assertThat(source.bounded()).isTrue();
        assertThat(source.defaultTasks(2)).isEqualTo(4);
        assertThat(source.schemaIsFinal()).isFalse();
        assertThat(source.schema())
                .isEqualTo(
                        Schema.of(
                                new Field("id", DataType.INT64), new Field("name", DataType.UTF8)));
        Set<Object> ids = new HashSet<>();
        Set<String> identities = new HashSet<>();
        for (int task = 0; task < tasks; task++) {
            try (SourceReader reader = fixture.reader(source, task, tasks)) {
                Collected collected = new Collected().untilFinished(reader);
                collected.rows.forEach(r -> assertThat(ids.add(r.get("id"))).isTrue());
                collected.splits.values().forEach(s -> assertThat(identities.add(s)).isTrue());
                assertThat(collected.finished).isEqualTo(collected.splits.keySet());
                assertThat(collected.largestBatch).isLessThanOrEqualTo(Fixture.BATCH_ROWS);
            }
        }
        assertThat(ids).hasSize(5000);
        assertThat(identities)
                .containsExactlyInAnyOrder(topic + "-0", topic + "-1", topic + "-2", topic + "-3");
    }

    @Test
    void whatComesAfterTheStartIsNotInABoundedRead() throws Exception {
        String topic = TestCluster.topic(1);
        fill(topic, 1, 10);
        Fixture fixture = Fixture.topic(topic).untilLatest();
        Source source = fixture.source();
        fill(topic, 1, 10);
        try (SourceReader reader = fixture.reader(source, 0, 1)) {
            assertThat(new Collected().untilFinished(reader).rows).hasSize(10);
        }
    }

    @Test
    void aBoundedReadEndsBehindMarkersAndAbortedMessages() throws Exception {
        String topic = TestCluster.topic(4);
        try (TestCluster.Producer producer = TestCluster.transactionalProducer("ends-" + topic)) {
            producer.kafka.beginTransaction();
            producer.send(topic, 0, "a", "{\"id\":1}").send(topic, 1, "b", "{\"id\":2}");
            producer.kafka.commitTransaction();
            producer.kafka.beginTransaction();
            producer.send(topic, 1, "c", "{\"id\":3}").send(topic, 2, "d", "{\"id\":4}");
            producer.kafka.flush();
            producer.kafka.abortTransaction();
        }
        // Partition 0 ends in a commit marker, 1 in aborted messages, 2 has nothing but those, 3
        // has nothing.
        Collected collected = Fixture.topic(topic).untilLatest().all();
        assertThat(collected.sorted("id")).containsExactly(1L, 2L);
        assertThat(collected.finished).hasSize(4);
    }

    @Test
    void anOpenTransactionDoesNotHoldABoundedReadUp() throws Exception {
        String topic = TestCluster.topic(1);
        try (TestCluster.Producer producer = TestCluster.transactionalProducer("open-" + topic)) {
            fill(topic, 1, 3);
            producer.kafka.beginTransaction();
            producer.send(topic, 0, "a", "{\"id\":99}");
            producer.kafka.flush();
            assertThat(Fixture.topic(topic).untilLatest().all().sorted("id"))
                    .containsExactly(0L, 1L, 2L);
            producer.kafka.abortTransaction();
        }
    }

    @Test
    void anUnboundedReadIsCaughtUpBehindAbortedMessages() throws Exception {
        String topic = TestCluster.topic(2);
        try (TestCluster.Producer producer = TestCluster.transactionalProducer("lag-" + topic)) {
            producer.kafka.beginTransaction();
            producer.send(topic, 0, "a", "{\"id\":1}");
            producer.kafka.flush();
            producer.kafka.abortTransaction();
        }
        Fixture fixture =
                Fixture.topic(topic).with("offsetReset", "earliest").pipeline("p-" + topic);
        try (SourceReader reader = fixture.reader(fixture.source(), 0, 1)) {
            Collected collected = new Collected();
            collected.until(reader, () -> collected.caughtUp.size() == 2);
            assertThat(collected.rows).isEmpty();
            reader.committed(reader.positions());
            assertThat(TestCluster.committed("fv-stream-p-" + topic, topic, 0)).isEqualTo(2);
        }
    }

    @Test
    void theMessageAroundTheValueIsInColumns() throws Exception {
        String topic = TestCluster.topic(2);
        try (TestCluster.Producer producer = TestCluster.producer()) {
            ProducerRecord<byte[], byte[]> message =
                    new ProducerRecord<>(
                            topic,
                            1,
                            1234L,
                            "schlüssel".getBytes(StandardCharsets.UTF_8),
                            "{\"id\":7,\"p\":\"lost\"}".getBytes(StandardCharsets.UTF_8));
            message.headers().add("a", "1".getBytes(StandardCharsets.UTF_8));
            message.headers().add("b", new byte[] {(byte) 0xff});
            message.headers().add("a", "2".getBytes(StandardCharsets.UTF_8));
            producer.kafka.send(message).get();
            producer.kafka
                    .send(
                            new ProducerRecord<>(
                                    topic,
                                    1,
                                    1235L,
                                    null,
                                    "{\"id\":8}".getBytes(StandardCharsets.UTF_8)))
                    .get();
        }
        Fixture fixture =
                Fixture.topic(topic)
                        .untilLatest()
                        .with("keyColumn", "k")
                        .with("partitionColumn", "p")
                        .with("offsetColumn", "o")
                        .with("timestampColumn", "t")
                        .with("headersColumn", "h")
                        .engineColumns(Schema.KEY, Schema.PARTITION, Schema.OFFSET);
        assertThat(fixture.source().schema().names())
                .containsExactly(
                        "id", "p", "k", "o", "t", "h", Schema.KEY, Schema.PARTITION, Schema.OFFSET);
        assertThat(fixture.all().rows)
                .containsExactly(
                        row(
                                "id",
                                7L,
                                "p",
                                1L,
                                "k",
                                "schlüssel",
                                "o",
                                0L,
                                "t",
                                1234L,
                                "h",
                                "{\"a\":[\"1\",\"2\"],\"b\":\"/w==\"}",
                                Schema.KEY,
                                "schlüssel",
                                Schema.PARTITION,
                                1L,
                                Schema.OFFSET,
                                0L),
                        row(
                                "id",
                                8L,
                                "p",
                                1L,
                                "k",
                                null,
                                "o",
                                1L,
                                "t",
                                1235L,
                                "h",
                                null,
                                Schema.KEY,
                                null,
                                Schema.PARTITION,
                                1L,
                                Schema.OFFSET,
                                1L));
        assertThat(fixture.columns("o", "id").engineColumns().all().rows)
                .containsExactly(row("id", 7L, "o", 0L), row("id", 8L, "o", 1L));
    }

    @Test
    void aNullKeyStaysNull() throws Exception {
        String topic = TestCluster.topic(1);
        try (TestCluster.Producer producer = TestCluster.producer()) {
            producer.send(topic, 0, "x", "{\"id\":1}")
                    .send(topic, 0, null, "{\"id\":2}")
                    .send(topic, 0, "", "{\"id\":3}");
        }
        assertThat(Fixture.topic(topic).untilLatest().withKeys().all().rows)
                .containsExactly(
                        row("id", 1L, Schema.KEY, "x"),
                        row("id", 2L, Schema.KEY, null),
                        row("id", 3L, Schema.KEY, ""));
    }

    @Test
    void tombstonesAreCountedAsDropped() throws Exception {
        String topic = TestCluster.topic(1);
        try (TestCluster.Producer producer = TestCluster.producer()) {
            producer.send(topic, 0, "x", null)
                    .send(topic, 0, "y", "{\"id\":2}")
                    .send(topic, 0, "y", null);
        }
        Fixture fixture = Fixture.topic(topic).untilLatest();
        Collected collected = fixture.all();
        assertThat(collected.sorted("id")).containsExactly(2L);
        assertThat(collected.dropped).isEqualTo(2);
        assertThat(fixture.lines).singleElement().asString().contains("tombstones");
    }

    private static String topicWithBadMessages() throws Exception {
        String topic = TestCluster.topic(1);
        try (TestCluster.Producer producer = TestCluster.producer()) {
            producer.send(topic, 0, "a", "{\"id\":1,\"name\":\"x\"}")
                    .send(topic, 0, "b", "{\"id\":")
                    .send(topic, 0, "c", "{\"id\":\"many\",\"name\":\"z\"}");
        }
        return topic;
    }

    @Test
    void badMessagesAreDropped() throws Exception {
        Collected collected =
                Fixture.topic(topicWithBadMessages())
                        .untilLatest()
                        .with("schema", ID_AND_NAME)
                        .withKeys()
                        .all();
        assertThat(collected.rows)
                .containsExactly(
                        row("id", 1L, "name", "x", Schema.KEY, "a"),
                        row("id", null, "name", "z", Schema.KEY, "c"));
        assertThat(collected.dropped).isEqualTo(1);
        assertThat(collected.misfits).isEqualTo(1);
    }

    @Test
    void badMessagesAreRescued() throws Exception {
        Collected collected =
                Fixture.topic(topicWithBadMessages())
                        .untilLatest()
                        .with("schema", ID_AND_NAME)
                        .with("onBadData", "rescue")
                        .withKeys()
                        .all();
        assertThat(collected.rows)
                .containsExactly(
                        row("id", 1L, "name", "x", "_rescued_data", null, Schema.KEY, "a"),
                        row("id", null, "name", null, "_rescued_data", "{\"id\":", Schema.KEY, "b"),
                        row(
                                "id",
                                null,
                                "name",
                                "z",
                                "_rescued_data",
                                "{\"id\":\"many\",\"name\":\"z\"}",
                                Schema.KEY,
                                "c"));
    }

    @Test
    void badMessagesGoToDeadLetters() throws Exception {
        String topic = topicWithBadMessages();
        Collected collected =
                Fixture.topic(topic)
                        .untilLatest()
                        .with("schema", ID_AND_NAME)
                        .with("onBadData", "deadLetter")
                        .with("deadLetter", "rejected")
                        .withKeys()
                        .all();
        assertThat(collected.rows).containsExactly(row("id", 1L, "name", "x", Schema.KEY, "a"));
        assertThat(collected.deadLetters)
                .hasSize(2)
                .allSatisfy(
                        r -> {
                            assertThat(r)
                                    .containsEntry("dataset", "in")
                                    .containsEntry("partition", topic + "-0");
                        });
        assertThat(collected.deadLetters.getFirst()).containsEntry("offset", 1L);
        assertThat((byte[]) collected.deadLetters.getFirst().get("record"))
                .asString(StandardCharsets.UTF_8)
                .isEqualTo("{\"id\":");
    }

    @Test
    void aBadMessageFailsTheRun() throws Exception {
        String topic = topicWithBadMessages();
        assertThatThrownBy(() -> Fixture.topic(topic).untilLatest().with("onBadData", "fail").all())
                .isInstanceOf(BadDataException.class)
                .hasMessageContaining("dataset in")
                .hasMessageContaining(topic + "-0")
                .hasMessageContaining("offset 1");
    }

    @Test
    void anEmptyTopicHasNoColumnsYet() throws Exception {
        String topic = TestCluster.topic(2);
        Fixture fixture =
                Fixture.topic(topic).with("offsetReset", "earliest").pipeline("p-" + topic);
        Source source = fixture.source();
        assertThat(source.schema().size()).isZero();
        assertThat(source.schemaIsFinal()).isFalse();
        assertThat(source.bounded()).isFalse();
        try (SourceReader reader = fixture.reader(source, 0, 1)) {
            Collected collected = new Collected();
            collected.until(reader, () -> collected.caughtUp.size() == 2);
            fill(topic, 2, 4);
            collected.until(reader, () -> collected.rows.size() == 4);
            assertThat(collected.sorted("name")).containsExactly("n0", "n1", "n2", "n3");
        }
    }

    @Test
    void rawAndCsvValues() throws Exception {
        String topic = TestCluster.topic(1);
        try (TestCluster.Producer producer = TestCluster.producer()) {
            producer.send(topic, 0, "a", "1;eins").send(topic, 0, "b", "2;\"zwei;2\"");
        }
        assertThat(Fixture.topic(topic).untilLatest().with("format", "raw").all().sorted("value"))
                .containsExactly("1;eins", "2;\"zwei;2\"");
        assertThat(
                        Fixture.topic(topic)
                                .untilLatest()
                                .with("format", "csv")
                                .with("delimiter", ";")
                                .with("schema", ID_AND_NAME)
                                .all()
                                .rows)
                .containsExactly(row("id", 1L, "name", "eins"), row("id", 2L, "name", "zwei;2"));
    }

    @Test
    void newPartitionsAreReadFromTheirBeginning() throws Exception {
        String topic = TestCluster.topic(1);
        Fixture fixture =
                Fixture.topic(topic)
                        .pipeline("p-" + topic)
                        .with("schema", ID_AND_NAME)
                        .with("properties", Map.of("metadata.max.age.ms", "200"));
        Source source = fixture.source();
        try (SourceReader first = fixture.reader(source, 0, 2);
                SourceReader second = fixture.reader(source, 1, 2)) {
            Collected ofFirst = new Collected();
            ofFirst.until(first, () -> ofFirst.caughtUp.contains(0));
            Collected ofSecond = new Collected();
            second.poll(ofSecond);
            assertThat(ofSecond.splits).isEmpty();
            TestCluster.addPartitions(topic, 4);
            fill(topic, 4, 8);
            ofFirst.until(first, () -> ofFirst.rows.size() == 4);
            ofSecond.until(second, () -> ofSecond.rows.size() == 4);
            assertThat(ofFirst.splits).isEqualTo(Map.of(0, topic + "-0", 1, topic + "-2"));
            assertThat(ofSecond.splits).isEqualTo(Map.of(0, topic + "-1", 1, topic + "-3"));
            assertThat(fixture.lines).anyMatch(l -> l.contains("4 partitions now"));
        }
    }

    @Test
    void aRestartGoesOnWhereTheRowsWereDelivered() throws Exception {
        String topic = TestCluster.topic(2);
        Fixture fixture =
                Fixture.topic(topic).pipeline("p-" + topic).setting("offsetReset", "earliest");
        fill(topic, 1, 10);
        try (SourceReader reader = fixture.reader(fixture.source(), 0, 1)) {
            Collected collected = new Collected();
            collected.until(reader, () -> collected.rows.size() == 10);
            reader.committed(reader.positions());
        }
        // Partition 1 had no message yet, partition 2 did not exist.
        TestCluster.addPartitions(topic, 3);
        fill(topic, 3, 6);
        fixture.setting("offsetReset", "latest");
        try (SourceReader reader = fixture.reader(fixture.source(), 0, 1)) {
            Collected collected = new Collected();
            collected.until(
                    reader, () -> collected.rows.size() == 6 && collected.caughtUp.size() == 3);
            assertThat(collected.sorted("id")).containsExactly(0L, 1L, 2L, 3L, 4L, 5L);
        }
    }

    @Test
    void positionsAreCommittedBetweenOnlyWhenAsked() throws Exception {
        String topic = TestCluster.topic(1);
        Fixture fixture = Fixture.topic(topic).pipeline("p-" + topic);
        try (SourceReader reader = fixture.reader(fixture.source(), 0, 1);
                SourceReader committing =
                        fixture.pipeline("q-" + topic)
                                .with("commitMs", 100L)
                                .reader(fixture.source(), 0, 1)) {
            Collected collected = new Collected();
            collected.until(reader, () -> collected.caughtUp.contains(0));
            Collected ofCommitting = new Collected();
            ofCommitting.until(committing, () -> ofCommitting.caughtUp.contains(0));
            fill(topic, 1, 10);
            collected.until(reader, () -> collected.rows.size() == 10);
            long deadline = System.nanoTime() + 20_000_000_000L;
            while (TestCluster.committed("fv-stream-q-" + topic, topic, 0) < 10) {
                committing.poll(ofCommitting);
                reader.poll(collected);
                assertThat(System.nanoTime()).isLessThan(deadline);
            }
            // The start's position is there, so that what comes while the pipeline is down is not
            // passed over.
            assertThat(TestCluster.committed("fv-stream-p-" + topic, topic, 0)).isZero();
        }
    }

    @Test
    void withoutPositionReadingStartsAtTheEnd() throws Exception {
        String topic = TestCluster.topic(1);
        fill(topic, 1, 10);
        Fixture fixture = Fixture.topic(topic).pipeline("p-" + topic);
        try (SourceReader reader = fixture.reader(fixture.source(), 0, 1)) {
            Collected collected = new Collected();
            collected.until(reader, () -> collected.caughtUp.contains(0));
            try (TestCluster.Producer producer = TestCluster.producer()) {
                producer.send(topic, 0, null, "{\"id\":100}");
            }
            collected.until(reader, () -> !collected.rows.isEmpty());
            assertThat(collected.sorted("id")).containsExactly(100L);
        }
    }

    @Test
    void messagesThatAreGoneAreReported() throws Exception {
        String topic = TestCluster.topic(1);
        Fixture fixture =
                Fixture.topic(topic).pipeline("p-" + topic).with("offsetReset", "earliest");
        fill(topic, 1, 10);
        try (SourceReader reader = fixture.reader(fixture.source(), 0, 1)) {
            Collected collected = new Collected();
            collected.until(reader, () -> collected.rows.size() == 10);
            reader.committed(reader.positions());
        }
        fill(topic, 1, 10);
        TestCluster.admin()
                .deleteRecords(
                        Map.of(new TopicPartition(topic, 0), RecordsToDelete.beforeOffset(15)))
                .all()
                .get();
        try (SourceReader reader = fixture.reader(fixture.source(), 0, 1)) {
            Collected collected = new Collected();
            collected.until(reader, () -> collected.caughtUp.contains(0));
            assertThat(collected.sorted("id")).containsExactly(5L, 6L, 7L, 8L, 9L);
            assertThat(fixture.lines)
                    .singleElement()
                    .asString()
                    .contains("messages 10 to 14 of " + topic + "-0 are gone");
        }
    }

    @Test
    void aPollWaitsForMoreWhenAsked() throws Exception {
        String topic = TestCluster.topic(2);
        fill(topic, 2, 20);
        Collected collected = Fixture.topic(topic).untilLatest().setting("batchWaitMs", 300L).all();
        assertThat(collected.rows).hasSize(20);
        assertThat(collected.batches).isEqualTo(2);
    }

    @Test
    void aWakeUpEndsAPoll() throws Exception {
        String topic = TestCluster.topic(1);
        Fixture fixture = Fixture.topic(topic).pipeline("p-" + topic);
        try (SourceReader reader = fixture.reader(fixture.source(), 0, 1)) {
            Collected collected = new Collected();
            collected.until(reader, () -> collected.caughtUp.contains(0));
            reader.wakeup();
            long start = System.nanoTime();
            assertThat(reader.poll(collected)).isEqualTo(SourceReader.Status.IDLE);
            assertThat(System.nanoTime() - start).isLessThan(90_000_000);
            reader.wakeup();
            reader.committed(reader.positions());
        }
    }

    @Test
    void aBrokerThatGoesAwayIsWaitedFor() throws Exception {
        KafkaBroker first = KafkaBroker.start(0, directory);
        Fixture fixture =
                Fixture.topic("t")
                        .with("brokers", first.address())
                        .with("schema", ID_AND_NAME)
                        .with("properties", Map.of("metadata.max.age.ms", "300"));
        Collected collected = new Collected();
        SourceReader reader;
        try (first) {
            first.createTopic("t", 1);
            reader = fixture.reader(fixture.source(), 0, 1);
            collected.until(reader, () -> collected.caughtUp.contains(0));
        }
        try (reader) {
            collected.until(
                    reader,
                    () ->
                            fixture.lines.stream()
                                    .anyMatch(l -> l.contains("no answer from the Kafka broker")));
            try (KafkaBroker second = KafkaBroker.start(first.port(), directory);
                    TestCluster.Producer producer = TestCluster.producer(second.address())) {
                producer.send("t", 0, "k", "{\"id\":1}");
                collected.until(reader, () -> collected.rows.size() == 1);
                assertThat(fixture.lines).last().asString().contains("answers again");
                reader.close();
            }
        }
    }

    @Test
    void aDeletedTopicFailsTheRun() throws Exception {
        String topic = TestCluster.topic(1);
        Fixture fixture =
                Fixture.topic(topic)
                        .pipeline("p-" + topic)
                        .with("properties", Map.of("metadata.max.age.ms", "100"));
        try (SourceReader reader = fixture.reader(fixture.source(), 0, 1)) {
            reader.poll(new Collected());
            TestCluster.admin().deleteTopics(List.of(topic)).all().get();
            assertThatThrownBy(() -> new Collected().until(reader, () -> false))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(topic);
        }
    }

    @Test
    void aMissingTopicIsNamedWithTheNearest() throws Exception {
        String topic = TestCluster.topic(1);
        assertThatThrownBy(() -> Fixture.topic(topic + "x").source())
                .isInstanceOf(ConfigException.class)
                .hasMessage(
                        "there is no topic "
                                + topic
                                + "x at the Kafka broker "
                                + TestCluster.address()
                                + ", did you mean "
                                + topic
                                + "?");
    }

    @Test
    void aMissingBrokerIsWaitedForAndThenNamed() {
        Fixture fixture = Fixture.topic("t").brokers("localhost:1").with("connectTimeoutMs", 1000L);
        assertThatThrownBy(fixture::source)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no answer from the Kafka broker at localhost:1 within 1 s")
                .hasMessageContaining("connectTimeoutMs");
        Fixture longer = Fixture.topic("t").brokers("localhost:1").with("connectTimeoutMs", 3500L);
        assertThatThrownBy(longer::source).isInstanceOf(IOException.class);
        assertThat(longer.lines)
                .isNotEmpty()
                .first()
                .asString()
                .contains("waiting for the Kafka broker at localhost:1");
    }

    @Test
    void anUnknownHostIsNamed() {
        Fixture fixture =
                Fixture.topic("t").brokers("nowhere.invalid:9092").with("connectTimeoutMs", 500L);
        assertThatThrownBy(fixture::source)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("nowhere.invalid:9092");
    }

    @Test
    void clientPropertiesArePassedOn() throws Exception {
        String topic = TestCluster.topic(1);
        fill(topic, 1, 1);
        Fixture wrong = Fixture.topic(topic).with("properties", Map.of("fetch.min.bytes", "many"));
        assertThatThrownBy(() -> wrong.untilLatest().all()).hasMessageContaining("fetch.min.bytes");
        Fixture tls =
                Fixture.topic(topic)
                        .with("connectTimeoutMs", 1000L)
                        .with(
                                "properties",
                                Map.of(
                                        "security.protocol",
                                        "SSL",
                                        "ssl.truststore.location",
                                        "/nowhere",
                                        "ssl.truststore.password",
                                        "s3cret"));
        assertThatThrownBy(tls::source)
                .hasMessageContaining("/nowhere")
                .message()
                .doesNotContain("s3cret");
        Fixture typo =
                Fixture.topic(topic)
                        .untilLatest()
                        .with("properties", Map.of("fetch.min.byte", "1"));
        assertThat(typo.all().rows).hasSize(1);
        assertThat(typo.lines)
                .containsExactly(
                        "warning: dataset in: the Kafka client knows no property fetch.min.byte, did you mean fetch.min.bytes?");
    }

    @Test
    void whatTheEngineDecidesCannotBeSet() {
        Fixture fixture = Fixture.topic("t").with("properties", Map.of("group.id", "mine"));
        assertThatThrownBy(() -> new KafkaConnector().check("in", true, fixture.options()))
                .isInstanceOf(ConfigException.class)
                .hasMessage(
                        "the property group.id cannot be set: the group is always fv-stream-<pipeline>");
        Fixture twice = Fixture.topic("t").with("offsetColumn", "x").with("partitionColumn", "x");
        assertThatThrownBy(() -> new KafkaConnector().check("in", true, twice.options()))
                .hasMessageContaining("column x");
        Fixture name = Fixture.topic("a b");
        assertThatThrownBy(() -> new KafkaConnector().check("in", true, name.options()))
                .hasMessageContaining("cannot be a topic");
    }
}
