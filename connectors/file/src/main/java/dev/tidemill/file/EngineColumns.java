package dev.tidemill.file;

import dev.tidemill.data.Batch;
import dev.tidemill.data.Column;
import dev.tidemill.data.ColumnBuilder;
import dev.tidemill.data.Columns;
import dev.tidemill.data.DataType;
import dev.tidemill.data.Field;
import dev.tidemill.data.LongColumn;
import dev.tidemill.data.Schema;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * The engine's columns of rows from files. The row key is {@code <name>:<position>}, with the file's name below the path and the position
 * behind the record: the same for the same
 * row, however files are divided and batches cut.
 */
record EngineColumns(List<String> names) {
    boolean needOffsets() {
        return names.contains(Schema.KEY) || names.contains(Schema.OFFSET);
    }

    /** The schema with these columns behind. */
    Schema extend(Schema schema) {
        Schema all = schema;
        for (String name : names) {
            all = all.append(new Field(name, type(name)));
        }
        return all;
    }

    private static DataType type(String name) {
        return switch (name) {
            case Schema.KEY -> DataType.UTF8;
            case Schema.OFFSET, Schema.PARTITION -> DataType.INT64;
            default -> DataType.NULL;
        };
    }

    /** The batch with these columns behind; {@code schema} is {@link #extend} of its own. */
    Batch extend(Batch batch, Schema schema, FileSplit split, int splitNumber, long[] offsets) {
        if (names.isEmpty()) {
            return batch;
        }
        int rows = batch.physicalRows();
        Column[] columns = new Column[schema.size()];
        for (int i = 0; i < batch.columnCount(); i++) {
            columns[i] = batch.column(i);
        }
        int at = batch.columnCount();
        for (String name : names) {
            columns[at++] =
                    switch (name) {
                        case Schema.KEY -> keys(split.name(), offsets, rows);
                        case Schema.OFFSET ->
                                new LongColumn(
                                        DataType.INT64, Arrays.copyOf(offsets, rows), null, rows);
                        case Schema.PARTITION ->
                                Columns.constant(DataType.INT64, (long) splitNumber, rows);
                        default -> Columns.allNull(DataType.NULL, rows);
                    };
        }
        return Batch.of(schema, columns, rows);
    }

    private static Column keys(String name, long[] offsets, int rows) {
        byte[] prefix = (name + ":").getBytes(StandardCharsets.UTF_8);
        byte[] key = Arrays.copyOf(prefix, prefix.length + 20);
        ColumnBuilder.Strings keys = (ColumnBuilder.Strings) ColumnBuilder.of(DataType.UTF8);
        for (int row = 0; row < rows; row++) {
            keys.appendBytes(key, 0, digits(key, prefix.length, offsets[row]));
        }
        return keys.build();
    }

    private static int digits(byte[] target, int at, long value) {
        int length = 1;
        for (long rest = value; rest >= 10; rest /= 10) {
            length++;
        }
        int end = at + length;
        for (int i = end - 1; i >= at; i--) {
            target[i] = (byte) ('0' + value % 10);
            value /= 10;
        }
        return end;
    }
}
