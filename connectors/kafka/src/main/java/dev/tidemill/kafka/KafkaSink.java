package dev.tidemill.kafka;

import dev.tidemill.formats.FormatOptions;
import dev.tidemill.formats.Formats;
import dev.tidemill.spi.ConfigException;
import dev.tidemill.spi.Sink;
import dev.tidemill.spi.SinkContext;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A topic that takes each row as a message. */
record KafkaSink(
        String dataset, String topic, Cluster cluster, FormatOptions format, Settings settings)
        implements Sink {
    /** A message that the broker does not confirm for so long fails the run. */
    private static final String DELIVERY_MS = "30000";

    /** The client's own 16 KB holds a hundred small rows: a third of the sink's cost was in sending so many batches. */
    private static final String BATCH_BYTES = Integer.toString(256 << 10);

    @Override
    public boolean wantsRowKeys() {
        return true;
    }

    @Override
    public boolean mayBlock() {
        return true;
    }

    @Override
    public KafkaWriter open(int task, int tasks, SinkContext context)
            throws ConfigException, IOException, InterruptedException {
        cluster.lookup(context.clock(), context.notices()).partitionsForWriting(topic);
        Map<String, Object> chosen = new HashMap<>(settings.producer());
        chosen.put("client.id", "tidemill-" + context.pipeline() + "-" + dataset + "-sink-" + task);
        chosen.put("acks", "all");
        chosen.put("enable.idempotence", "true");
        chosen.put("delivery.timeout.ms", DELIVERY_MS);
        chosen.put("request.timeout.ms", "10000");
        chosen.put("max.block.ms", DELIVERY_MS);
        chosen.put("batch.size", BATCH_BYTES);
        Map<String, Object> all = cluster.producer(chosen);
        try {
            KafkaProducer<byte[], byte[]> producer =
                    new KafkaProducer<>(all, new ByteArraySerializer(), new ByteArraySerializer());
            return new KafkaWriter(
                    this, producer, Formats.encoder(format, false), settings.sinkFlush());
        } catch (KafkaException e) {
            throw new ConfigException("properties", TopicLookup.reason(e), e);
        }
    }
}
