package dev.tidemill.kafka;

import dev.tidemill.data.Batch;
import dev.tidemill.data.Column;
import dev.tidemill.data.Schema;
import dev.tidemill.formats.BadDataException;
import dev.tidemill.formats.RecordDecoder;
import java.nio.ByteBuffer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Makes the rows of one partition's messages: the value's columns, and behind them those of the message. Not thread-safe. */
final class PartitionRows {
    private final RecordDecoder decoder;
    private final MetadataColumns metadata;
    private final MessageColumn[] columns;
    private Schema valueSchema;
    private Schema schema;
    private int[] places;

    PartitionRows(RecordDecoder decoder, MetadataColumns metadata, int partition) {
        this.decoder = decoder;
        this.metadata = metadata;
        columns =
                metadata.entries().stream()
                        .map(e -> MessageColumn.of(e.kind(), partition))
                        .toArray(MessageColumn[]::new);
    }

    /** Decodes a message whose value is not null. */
    void add(ConsumerRecord<ByteBuffer, ByteBuffer> message) throws BadDataException {
        ByteBuffer value = message.value();
        byte[] data = Bytes.array(value);
        int from = Bytes.start(value);
        int before = decoder.rows();
        decoder.record(data, from, from + value.remaining(), message.offset());
        int added = decoder.rows() - before;
        for (int i = 0; i < added; i++) {
            for (MessageColumn column : columns) {
                column.append(message);
            }
        }
    }

    int rows() {
        return decoder.rows();
    }

    Batch take() {
        Batch values = decoder.take();
        if (columns.length == 0) {
            return values;
        }
        if (values.schema() != valueSchema) {
            layOut(values.schema());
        }
        Column[] all = new Column[schema.size()];
        for (int i = 0; i < values.columnCount(); i++) {
            all[i] = values.column(i);
        }
        for (int i = 0; i < columns.length; i++) {
            all[places[i]] = columns[i].take(values.physicalRows());
        }
        return Batch.of(schema, all, values.physicalRows());
    }

    private void layOut(Schema values) {
        valueSchema = values;
        schema = metadata.behind(values);
        places = metadata.entries().stream().mapToInt(e -> schema.indexOf(e.name())).toArray();
    }
}
