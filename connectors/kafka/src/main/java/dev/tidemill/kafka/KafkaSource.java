package dev.tidemill.kafka;

import dev.tidemill.data.Schema;
import dev.tidemill.formats.BadDataCollector;
import dev.tidemill.formats.Formats;
import dev.tidemill.spi.Clock;
import dev.tidemill.spi.ConfigException;
import dev.tidemill.spi.Notices;
import dev.tidemill.spi.Source;
import dev.tidemill.spi.SourceContext;
import dev.tidemill.spi.SourceReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/** A topic: partition p belongs to task p mod tasks, without a rebalance. */
final class KafkaSource implements Source {
    private final TopicRead read;
    private final int partitions;

    /** The columns of the values to start with. */
    private final Schema values;

    /** Where each partition ends; empty when the input does not end. */
    private final Map<Integer, Long> ends;

    private KafkaSource(TopicRead read, int partitions, Schema values, Map<Integer, Long> ends) {
        this.read = read;
        this.partitions = partitions;
        this.values = values;
        this.ends = ends;
    }

    /**
     * Finds the topic, its ends and its columns.
     *
     * @throws ConfigException when there is no such topic
     * @throws IOException when no broker answers, or one refuses
     */
    static KafkaSource find(TopicRead read, Clock clock, Notices notices)
            throws ConfigException, IOException, InterruptedException {
        TopicLookup lookup = read.cluster().lookup(clock, notices);
        return lookup.untilAnswered(
                millis -> {
                    try (KafkaConsumer<ByteBuffer, ByteBuffer> consumer = read.consumer("start")) {
                        int partitions = lookup.partitions(consumer, read.topic(), millis);
                        List<TopicPartition> all =
                                IntStream.range(0, partitions)
                                        .mapToObj(p -> new TopicPartition(read.topic(), p))
                                        .toList();
                        Map<Integer, Long> ends =
                                read.bounded() ? numbered(consumer.endOffsets(all)) : Map.of();
                        return new KafkaSource(
                                read,
                                partitions,
                                SchemaSample.infer(read, consumer, all, clock),
                                ends);
                    }
                });
    }

    static IOException failure(TopicRead read, KafkaException error) {
        return new IOException(
                "dataset "
                        + read.request().dataset()
                        + ": topic "
                        + read.topic()
                        + " at "
                        + read.cluster().brokers()
                        + " cannot be read: "
                        + TopicLookup.reason(error),
                error);
    }

    private static Map<Integer, Long> numbered(Map<TopicPartition, Long> offsets) {
        return offsets.entrySet().stream()
                .collect(
                        java.util.stream.Collectors.toUnmodifiableMap(
                                e -> e.getKey().partition(), Map.Entry::getValue));
    }

    @Override
    public Schema schema() {
        return read.columns()
                .behind(
                        read.decoder(values, new BadDataCollector(read.request().dataset(), false))
                                .take()
                                .schema());
    }

    @Override
    public boolean schemaIsFinal() {
        return Formats.isFinal(read.format());
    }

    @Override
    public boolean bounded() {
        return read.bounded();
    }

    @Override
    public int defaultTasks(int workers) {
        return Math.min(partitions, read.settings().maxConsumers());
    }

    @Override
    public boolean mayBlock() {
        return true;
    }

    @Override
    public SourceReader open(int task, int tasks, SourceContext context) throws IOException {
        try {
            return new KafkaReader(read, partitions, values, ends, task, tasks, context);
        } catch (KafkaException e) {
            throw failure(read, e);
        }
    }
}
