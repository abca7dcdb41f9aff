package dev.tidemill.kafka;

import dev.tidemill.data.Field;
import dev.tidemill.data.Schema;
import dev.tidemill.formats.BadDataException;
import dev.tidemill.formats.BadDataSink;
import dev.tidemill.formats.Formats;
import dev.tidemill.formats.RecordDecoder;
import dev.tidemill.formats.json.JsonOptions;
import dev.tidemill.spi.Clock;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/** Infers the columns of a topic's values from its first messages. */
final class SchemaSample {
    private static final long MAX_MS = 2000;
    private static final Duration WAIT = Duration.ofMillis(100);

    /** What is bad in the sample is dealt with when it is read in earnest. */
    private static final BadDataSink IGNORED =
            new BadDataSink() {
                @Override
                public void badRecord(long offset, String reason, byte[] data, int from, int to) {}

                @Override
                public void misfit(
                        long offset, String column, String reason, byte[] data, int from, int to) {}
            };

    private SchemaSample() {}

    /** The columns that are certain or likely; none when the topic is empty. Takes two seconds at most beyond the broker's answers. */
    static Schema infer(
            TopicRead read,
            KafkaConsumer<ByteBuffer, ByteBuffer> consumer,
            List<TopicPartition> partitions,
            Clock clock) {
        Schema start = Formats.startSchema(read.format());
        if (Formats.isFinal(read.format())) {
            return start;
        }
        RecordDecoder decoder = read.decoder(start, IGNORED);
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        Map<TopicPartition, Long> begins = consumer.beginningOffsets(partitions);
        List<TopicPartition> left = new ArrayList<>(partitions);
        left.removeIf(p -> begins.get(p) >= ends.get(p));
        consumer.assign(left);
        left.forEach(p -> consumer.seek(p, begins.get(p)));
        int room = read.format().inferSample();
        long deadline = clock.nanos() + MAX_MS * 1_000_000;
        while (room > 0 && !left.isEmpty() && clock.nanos() - deadline < 0) {
            for (ConsumerRecord<ByteBuffer, ByteBuffer> message : consumer.poll(WAIT)) {
                if (room-- > 0) {
                    decode(decoder, message);
                }
            }
            left.removeIf(p -> consumer.position(p) >= ends.get(p));
        }
        return withoutRescued(decoder.take().schema());
    }

    private static void decode(
            RecordDecoder decoder, ConsumerRecord<ByteBuffer, ByteBuffer> message) {
        ByteBuffer value = message.value();
        if (value == null) {
            return;
        }
        int from = Bytes.start(value);
        try {
            decoder.record(Bytes.array(value), from, from + value.remaining(), message.offset());
        } catch (BadDataException e) {
            // Reading it in earnest fails with the place.
        }
    }

    private static Schema withoutRescued(Schema schema) {
        List<Field> fields = new ArrayList<>(schema.fields());
        fields.removeIf(f -> f.name().equals(JsonOptions.RESCUED));
        return new Schema(fields);
    }
}
