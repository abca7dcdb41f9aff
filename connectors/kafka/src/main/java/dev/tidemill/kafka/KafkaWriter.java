package dev.tidemill.kafka;

import dev.tidemill.data.Batch;
import dev.tidemill.data.BytesColumn;
import dev.tidemill.data.Columns;
import dev.tidemill.data.Schema;
import dev.tidemill.formats.EncodedRows;
import dev.tidemill.formats.RowEncoder;
import dev.tidemill.spi.SinkWriter;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;

/** Sends each row as a message under its row key. A message that is finally not confirmed fails the next call. */
final class KafkaWriter implements SinkWriter {
    private static final Duration CLOSE = Duration.ofSeconds(10);

    private final KafkaSink sink;
    private final KafkaProducer<byte[], byte[]> producer;
    private final RowEncoder encoder;
    private final SinkFlush flush;
    private final EncodedRows rows = new EncodedRows();

    /** The first failure, set by the client's thread. */
    private final AtomicReference<Exception> failure = new AtomicReference<>();

    private final Callback confirmed =
            (metadata, error) -> {
                if (error != null) {
                    failure.compareAndSet(null, error);
                }
            };
    private long unconfirmed;
    private boolean finished;

    KafkaWriter(
            KafkaSink sink,
            KafkaProducer<byte[], byte[]> producer,
            RowEncoder encoder,
            SinkFlush flush) {
        this.sink = sink;
        this.producer = producer;
        this.encoder = encoder;
        this.flush = flush;
    }

    @Override
    public void write(Batch batch) throws IOException {
        write(batch, null);
    }

    /** @param partition where the rows go, or null for where their keys lead */
    void write(Batch batch, Integer partition) throws IOException {
        encoder.encode(batch, rows);
        try {
            send(batch, partition);
        } catch (KafkaException e) {
            throw failed(e);
        } finally {
            rows.clear();
        }
        check();
        unconfirmed += batch.rows();
        if (unconfirmed >= flush.rows()) {
            flush();
        }
    }

    private void send(Batch batch, Integer partition) {
        BytesColumn keys =
                batch.column(Schema.KEY) == null
                        ? null
                        : (BytesColumn) Columns.plain(batch.column(Schema.KEY));
        byte[] data = rows.data();
        for (int i = 0; i < rows.count(); i++) {
            byte[] key =
                    keys == null || keys.isNull(batch.physicalRow(i))
                            ? null
                            : keys.bytes(batch.physicalRow(i));
            byte[] value = Arrays.copyOfRange(data, rows.start(i), rows.end(i));
            producer.send(new ProducerRecord<>(sink.topic(), partition, key, value), confirmed);
        }
    }

    @Override
    public void flush() throws IOException {
        try {
            producer.flush();
        } catch (KafkaException e) {
            throw failed(e);
        }
        unconfirmed = 0;
        check();
    }

    private void check() throws IOException {
        Exception error = failure.get();
        if (error != null) {
            throw failed(error);
        }
    }

    private IOException failed(Exception error) {
        return new IOException(
                "dataset "
                        + sink.dataset()
                        + ": rows could not be written to the topic "
                        + sink.topic()
                        + " at "
                        + sink.cluster().brokers()
                        + ": "
                        + TopicLookup.reason(error),
                error);
    }

    @Override
    public String prepare(boolean last) throws IOException {
        flush();
        finished = last;
        return null;
    }

    @Override
    public void close() throws IOException {
        try {
            producer.close(finished ? CLOSE : Duration.ZERO);
        } catch (KafkaException e) {
            throw failed(e);
        }
    }
}
