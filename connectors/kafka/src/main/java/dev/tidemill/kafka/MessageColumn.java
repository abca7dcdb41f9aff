package dev.tidemill.kafka;

import dev.tidemill.data.Column;
import dev.tidemill.data.ColumnBuilder;
import dev.tidemill.data.Columns;
import dev.tidemill.data.DataType;
import dev.tidemill.data.JsonText;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.record.TimestampType;

/** Builds one column from what surrounds the values of one partition's messages. Not thread-safe. */
abstract sealed class MessageColumn {
    /** A row of this message. */
    abstract void append(ConsumerRecord<ByteBuffer, ByteBuffer> message);

    /** The column of the {@code rows} rows so far; starts the next one. */
    abstract Column take(int rows);

    static MessageColumn of(MetadataColumns.Kind kind, int partition) {
        return switch (kind) {
            case KEY -> new Key();
            case PARTITION -> new Partition(partition);
            case OFFSET -> new Offset();
            case TIMESTAMP -> new Timestamp();
            case HEADERS -> new Headers();
        };
    }

    private static final class Key extends MessageColumn {
        private final ColumnBuilder.Strings keys =
                (ColumnBuilder.Strings) ColumnBuilder.of(DataType.UTF8);

        @Override
        void append(ConsumerRecord<ByteBuffer, ByteBuffer> message) {
            ByteBuffer key = message.key();
            if (key == null) {
                keys.appendNull();
                return;
            }
            byte[] data = Bytes.array(key);
            int from = Bytes.start(key);
            int to = from + key.remaining();
            if (isAscii(data, from, to)) {
                keys.appendBytes(data, from, to);
            } else {
                // Decoding puts U+FFFD where the key is not UTF-8.
                keys.appendString(new String(data, from, to - from, StandardCharsets.UTF_8));
            }
        }

        private static boolean isAscii(byte[] data, int from, int to) {
            int seen = 0;
            for (int i = from; i < to; i++) {
                seen |= data[i];
            }
            return seen >= 0;
        }

        @Override
        Column take(int rows) {
            return keys.build();
        }
    }

    private static final class Partition extends MessageColumn {
        private final long partition;

        Partition(long partition) {
            this.partition = partition;
        }

        @Override
        void append(ConsumerRecord<ByteBuffer, ByteBuffer> message) {}

        @Override
        Column take(int rows) {
            return Columns.constant(DataType.INT64, partition, rows);
        }
    }

    private static final class Offset extends MessageColumn {
        private final ColumnBuilder.Longs offsets =
                (ColumnBuilder.Longs) ColumnBuilder.of(DataType.INT64);

        @Override
        void append(ConsumerRecord<ByteBuffer, ByteBuffer> message) {
            offsets.appendLong(message.offset());
        }

        @Override
        Column take(int rows) {
            return offsets.build();
        }
    }

    private static final class Timestamp extends MessageColumn {
        private final ColumnBuilder.Longs times =
                (ColumnBuilder.Longs) ColumnBuilder.of(DataType.TIMESTAMP);

        @Override
        void append(ConsumerRecord<ByteBuffer, ByteBuffer> message) {
            if (message.timestampType() == TimestampType.NO_TIMESTAMP_TYPE) {
                times.appendNull();
            } else {
                times.appendLong(message.timestamp());
            }
        }

        @Override
        Column take(int rows) {
            return times.build();
        }
    }

    private static final class Headers extends MessageColumn {
        private final ColumnBuilder.Strings texts =
                (ColumnBuilder.Strings) ColumnBuilder.of(DataType.JSON);

        @Override
        void append(ConsumerRecord<ByteBuffer, ByteBuffer> message) {
            Map<String, List<Object>> values = new LinkedHashMap<>();
            for (Header header : message.headers()) {
                values.computeIfAbsent(header.key(), k -> new ArrayList<>())
                        .add(text(header.value()));
            }
            if (values.isEmpty()) {
                texts.appendNull();
                return;
            }
            Map<String, Object> object = new LinkedHashMap<>();
            values.forEach(
                    (name, list) -> object.put(name, list.size() == 1 ? list.getFirst() : list));
            texts.appendString(JsonText.of(object));
        }

        private static String text(byte[] value) {
            if (value == null) {
                return null;
            }
            try {
                CharBuffer text =
                        StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(value));
                return text.toString();
            } catch (CharacterCodingException e) {
                return Base64.getEncoder().encodeToString(value);
            }
        }

        @Override
        Column take(int rows) {
            return texts.build();
        }
    }
}
