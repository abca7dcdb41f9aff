package dev.tidemill.runtime;

import dev.tidemill.data.Batch;
import dev.tidemill.data.BytesColumn;
import dev.tidemill.data.Column;
import dev.tidemill.data.Columns;
import dev.tidemill.data.DataType;
import dev.tidemill.data.Field;
import dev.tidemill.data.JsonText;
import dev.tidemill.data.LongColumn;
import dev.tidemill.data.Schema;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** The rows of error and late datasets. */
final class ErrorRows {
    static final Schema SCHEMA =
            Schema.of(
                    new Field("step", DataType.UTF8),
                    new Field("reason", DataType.UTF8),
                    new Field("row", DataType.UTF8));
    static final String LATE_BY = "lateByMs";

    private ErrorRows() {}

    /** One row for each living row: the step, the reason, the row as JSON text. */
    static Batch errors(String stepId, Batch rows, String[] reasons) {
        int count = rows.rows();
        String[] texts = new String[count];
        for (int i = 0; i < count; i++) {
            texts[i] = JsonText.of(visible(rows.row(i)));
        }
        Column step = Columns.plain(Columns.constant(DataType.UTF8, stepId, count));
        return Batch.of(
                SCHEMA,
                new Column[] {
                    step, BytesColumn.of(Arrays.copyOf(reasons, count)), BytesColumn.of(texts)
                },
                count);
    }

    private static Map<String, Object> visible(Map<String, Object> row) {
        Map<String, Object> out = new LinkedHashMap<>(row);
        out.keySet().removeIf(Schema::isEngineColumn);
        return out;
    }

    /** The living rows with {@code lateByMs} behind. */
    static Batch late(Batch rows, long[] lateByMs) {
        Batch compact = rows.compact();
        return compact.withColumn(
                LATE_BY,
                new LongColumn(
                        DataType.INT64,
                        Arrays.copyOf(lateByMs, compact.rows()),
                        null,
                        compact.rows()));
    }
}
