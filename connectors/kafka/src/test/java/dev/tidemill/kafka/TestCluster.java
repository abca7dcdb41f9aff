package dev.tidemill.kafka;

import dev.tidemill.devkafka.KafkaBroker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** One broker for all tests of the JVM, with topics of their own for each test. */
final class TestCluster {
    private static final AtomicInteger TOPICS = new AtomicInteger();
    private static final KafkaBroker BROKER = start();
    private static final Admin ADMIN = Admin.create(Map.of("bootstrap.servers", BROKER.address()));

    private TestCluster() {}

    private static KafkaBroker start() {
        try {
            KafkaBroker broker = KafkaBroker.start(0, Files.createTempDirectory("tidemill-kafka"));
            Runtime.getRuntime()
                    .addShutdownHook(
                            new Thread(
                                    () -> {
                                        ADMIN.close();
                                        broker.close();
                                    }));
            return broker;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String address() {
        return BROKER.address();
    }

    static Admin admin() {
        return ADMIN;
    }

    /** A new topic; returns its name. */
    static String topic(int partitions) throws Exception {
        String name = "topic-" + TOPICS.incrementAndGet();
        BROKER.createTopic(name, partitions);
        return name;
    }

    static void addPartitions(String topic, int total) throws Exception {
        BROKER.addPartitions(topic, total);
    }

    static Producer producer() {
        return producer(address());
    }

    static Producer producer(String brokers) {
        return new Producer(brokers, null);
    }

    static Producer transactionalProducer(String id) {
        Producer producer = new Producer(address(), id);
        producer.kafka.initTransactions();
        return producer;
    }

    static long committed(String group, String topic, int partition) throws Exception {
        var offset =
                ADMIN.listConsumerGroupOffsets(group)
                        .partitionsToOffsetAndMetadata()
                        .get()
                        .get(new TopicPartition(topic, partition));
        return offset == null ? -1 : offset.offset();
    }

    /** Sends text; waits for what it sent when it is closed. */
    static final class Producer implements AutoCloseable {
        final KafkaProducer<byte[], byte[]> kafka;

        private final AtomicReference<Exception> failure = new AtomicReference<>();

        private Producer(String brokers, String transactionalId) {
            Map<String, Object> properties =
                    new java.util.HashMap<>(Map.of("bootstrap.servers", brokers, "linger.ms", "1"));
            if (transactionalId != null) {
                properties.put("transactional.id", transactionalId);
            }
            kafka =
                    new KafkaProducer<>(
                            properties, new ByteArraySerializer(), new ByteArraySerializer());
        }

        Producer send(String topic, int partition, String key, String value) {
            kafka.send(
                    new ProducerRecord<>(topic, partition, bytes(key), bytes(value)),
                    (metadata, error) -> {
                        if (error != null) {
                            failure.compareAndSet(null, error);
                        }
                    });
            return this;
        }

        private static byte[] bytes(String text) {
            return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public void close() {
            kafka.close();
            if (failure.get() != null) {
                throw new IllegalStateException(failure.get());
            }
        }
    }
}
