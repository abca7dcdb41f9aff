package dev.tidemill.devkafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KafkaBrokerTest {
    @TempDir Path directory;

    @Test
    void keepsWhatWasWrittenAcrossARestart() throws Exception {
        try (KafkaBroker broker = KafkaBroker.start(0, directory)) {
            Map<String, Object> client = Map.of("bootstrap.servers", broker.address());
            try (Admin admin = Admin.create(client)) {
                broker.createTopic("letters", 1);
                broker.addPartitions("letters", 2);
                assertThat(admin.listTopics().names().get()).containsExactly("letters");
            }
            try (var producer =
                    new KafkaProducer<>(client, new StringSerializer(), new StringSerializer())) {
                producer.send(new ProducerRecord<>("letters", 1, "k", "first")).get();
            }
            assertThatThrownBy(() -> KafkaBroker.start(broker.port(), directory.resolve("other")))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cannot be used");
        }
        try (KafkaBroker broker = KafkaBroker.start(0, directory);
                var consumer =
                        new KafkaConsumer<>(
                                Map.<String, Object>of("bootstrap.servers", broker.address()),
                                new StringDeserializer(),
                                new StringDeserializer())) {
            TopicPartition partition = new TopicPartition("letters", 1);
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            var records = consumer.poll(Duration.ofSeconds(20));
            assertThat(records)
                    .singleElement()
                    .satisfies(
                            r -> {
                                assertThat(r.key()).isEqualTo("k");
                                assertThat(r.value()).isEqualTo("first");
                            });
        }
    }

    @Test
    void makesNoTopicByItself() throws Exception {
        try (KafkaBroker broker = KafkaBroker.start(0, directory);
                var producer =
                        new KafkaProducer<>(
                                Map.<String, Object>of(
                                        "bootstrap.servers",
                                        broker.address(),
                                        "max.block.ms",
                                        "500"),
                                new StringSerializer(),
                                new StringSerializer())) {
            assertThatThrownBy(() -> producer.send(new ProducerRecord<>("nowhere", "x")).get())
                    .isInstanceOfAny(
                            ExecutionException.class,
                            org.apache.kafka.common.errors.TimeoutException.class);
        }
    }
}
