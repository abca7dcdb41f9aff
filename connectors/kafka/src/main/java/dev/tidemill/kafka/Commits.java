package dev.tidemill.kafka;

import dev.tidemill.spi.Notices;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;

/**
 * Keeps a task's positions in the consumer group, when there is one: those of the start, and exact ones at an ordered end. With an interval also between; then
 * what is committed is one interval old, so that most rows before it have reached the outputs.
 */
final class Commits {
    private static final Duration LAST = Duration.ofSeconds(10);

    private final KafkaConsumer<ByteBuffer, ByteBuffer> consumer;
    private final boolean wanted;

    /** 0 for none between start and end. */
    private final long intervalNanos;

    private final String group;
    private final Notices notices;
    private Map<TopicPartition, Long> earlier = Map.of();
    private long next;
    private boolean failureTold;

    Commits(KafkaConsumer<ByteBuffer, ByteBuffer> consumer, TopicRead read, Notices notices) {
        this.consumer = consumer;
        wanted = read.group().isPresent();
        group = read.group().orElse("");
        intervalNanos = read.commitMs() * 1_000_000;
        this.notices = notices;
    }

    /** Every partition has a position from the start on, so that a restart does not pass over what came meanwhile. */
    void start(long now, Map<TopicPartition, Long> positions) {
        next = now + intervalNanos;
        earlier = positions;
        send(positions);
    }

    void tick(long now, Supplier<Map<TopicPartition, Long>> positions) {
        if (!wanted || intervalNanos == 0 || now - next < 0) {
            return;
        }
        next = now + intervalNanos;
        send(earlier);
        earlier = positions.get();
    }

    private void send(Map<TopicPartition, Long> positions) {
        if (!wanted || positions.isEmpty()) {
            return;
        }
        consumer.commitAsync(
                offsets(positions),
                (offsets, error) -> {
                    if (error != null && !failureTold) {
                        notices.warn(
                                "positions could not be committed to the group "
                                        + group
                                        + ", trying on: "
                                        + TopicLookup.reason(error));
                    }
                    failureTold = error != null;
                });
    }

    /** Commits and waits for the broker. */
    void now(Map<TopicPartition, Long> positions) {
        if (!wanted || positions.isEmpty()) {
            return;
        }
        try {
            consumer.commitSync(offsets(positions), LAST);
        } catch (WakeupException e) {
            // A wake-up for a poll that had returned already.
            consumer.commitSync(offsets(positions), LAST);
        }
    }

    private static Map<TopicPartition, OffsetAndMetadata> offsets(
            Map<TopicPartition, Long> positions) {
        Map<TopicPartition, OffsetAndMetadata> offsets = HashMap.newHashMap(positions.size());
        positions.forEach(
                (partition, position) -> offsets.put(partition, new OffsetAndMetadata(position)));
        return offsets;
    }
}
