package dev.tidemill.kafka;

import dev.tidemill.data.Schema;
import dev.tidemill.formats.BadDataSink;
import dev.tidemill.formats.FormatOptions;
import dev.tidemill.formats.Formats;
import dev.tidemill.formats.RecordDecoder;
import dev.tidemill.spi.SourceRequest;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteBufferDeserializer;

/**
 * What is read of a topic and how.
 *
 * @param pipeline     the pipeline's name
 * @param group        the consumer group that keeps positions, or empty: then each run starts at {@code fromEarliest}
 * @param commitMs     how often positions are committed while the run goes on, 0 for only at an ordered end
 * @param fromEarliest where a partition without a position starts; else at its end
 * @param bounded      whether the input ends where the partitions end now
 */
record TopicRead(
        String pipeline,
        String topic,
        Cluster cluster,
        FormatOptions format,
        MetadataColumns metadata,
        SourceRequest request,
        Settings settings,
        Optional<String> group,
        long commitMs,
        boolean fromEarliest,
        boolean bounded) {
    static final String REFRESH = "metadata.max.age.ms";
    private static final String REFRESH_MS = "10000";

    /** @param role tells the consumers of one dataset apart, such as a task's number */
    KafkaConsumer<ByteBuffer, ByteBuffer> consumer(String role) {
        Map<String, Object> chosen = new HashMap<>(settings.consumer());
        chosen.put("client.id", "tidemill-" + pipeline + "-" + request.dataset() + "-" + role);
        chosen.put("isolation.level", "read_committed");
        chosen.put("max.poll.records", String.valueOf(settings.pollRows(request.batchRows())));
        chosen.put(REFRESH, REFRESH_MS);
        Map<String, Object> all = cluster.consumer(chosen);
        group.ifPresent(name -> all.put("group.id", name));
        all.put("enable.auto.commit", "false");
        all.put("auto.offset.reset", "none");
        all.put("allow.auto.create.topics", "false");
        return new KafkaConsumer<>(all, new ByteBufferDeserializer(), new ByteBufferDeserializer());
    }

    /** How often new partitions are looked for: when the client renews its metadata. */
    long refreshMs() {
        return Long.parseLong(cluster.properties().getOrDefault(REFRESH, REFRESH_MS));
    }

    RecordDecoder decoder(Schema start, BadDataSink bad) {
        return Formats.decoder(format, start, metadata.without(request.columns()), bad);
    }

    MetadataColumns columns() {
        return metadata.requested(request.columns(), request.engineColumns());
    }
}
