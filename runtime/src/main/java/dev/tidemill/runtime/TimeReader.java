package dev.tidemill.runtime;

import dev.tidemill.data.Batch;
import dev.tidemill.data.BytesColumn;
import dev.tidemill.data.Column;
import dev.tidemill.data.Columns;
import dev.tidemill.data.DataType;
import dev.tidemill.data.DecimalColumn;
import dev.tidemill.data.DoubleColumn;
import dev.tidemill.data.LongColumn;
import dev.tidemill.data.NullColumn;
import dev.tidemill.data.Selection;
import java.math.BigDecimal;
import java.util.Arrays;

/**
 * Reads an event-time column as int64 ms without nulls. A number is a count of the unit, its fraction cut; text is a whole number; a row whose time is null, not finite
 * or no number does not survive.
 */
final class TimeReader {
    private final Dataflow.TimeSpec.Unit unit;
    private final String column;

    TimeReader(String column, Dataflow.TimeSpec.Unit unit) {
        this.column = column;
        this.unit = unit;
    }

    /**
     * What became of a batch.
     *
     * @param rows     those with a time; the column holds ms
     * @param dropped  how many had none
     * @param poison   rows whose text or type is no time, or null
     */
    record Result(Batch rows, long dropped, Batch poison, String[] reasons) {}

    Result read(Batch batch) {
        Column raw = batch.column(column);
        if (raw instanceof LongColumn longs && !longs.hasNulls() && isMillis(longs)) {
            Batch rows =
                    longs.type() == DataType.INT64
                            ? batch
                            : batch.withColumn(column, asInt64(longs));
            return new Result(rows, 0, null, null);
        }
        if (raw == null || raw instanceof NullColumn) {
            return new Result(batch.select(new Selection(new int[0], 0)), batch.rows(), null, null);
        }
        return readEach(batch, Columns.plain(raw));
    }

    private boolean isMillis(LongColumn longs) {
        return unit == Dataflow.TimeSpec.Unit.MS || longs.type() != DataType.INT64;
    }

    private static LongColumn asInt64(LongColumn longs) {
        return new LongColumn(DataType.INT64, longs.values(), null, longs.length());
    }

    private Result readEach(Batch batch, Column raw) {
        long[] values = new long[batch.physicalRows()];
        int[] kept = new int[batch.rows()];
        int[] bad = null;
        String[] reasons = null;
        int keptCount = 0;
        int badCount = 0;
        long dropped = 0;
        for (int i = 0; i < batch.rows(); i++) {
            int row = batch.physicalRow(i);
            if (isAbsent(raw, row)) {
                dropped++;
                continue;
            }
            BigDecimal slow =
                    raw instanceof LongColumn || raw instanceof DoubleColumn
                            ? null
                            : number(raw, row);
            if (slow == null && !(raw instanceof LongColumn || raw instanceof DoubleColumn)) {
                bad = bad == null ? new int[batch.rows()] : bad;
                reasons = reasons == null ? new String[batch.rows()] : reasons;
                reasons[badCount] =
                        "column "
                                + column
                                + " is no time: wanted ms since 1970 as a whole number, found "
                                + raw.type();
                bad[badCount++] = row;
                continue;
            }
            values[row] =
                    switch (raw) {
                        case LongColumn longs ->
                                longs.type() == DataType.INT64
                                        ? millis(longs.get(row))
                                        : longs.get(row);
                        case DoubleColumn doubles -> millis((long) doubles.get(row));
                        default -> millis(saturated(slow));
                    };
            kept[keptCount++] = row;
        }
        LongColumn times = new LongColumn(DataType.INT64, values, null, values.length);
        Batch rows = batch.withColumn(column, times);
        rows = keptCount == batch.rows() ? rows : rows.select(new Selection(kept, keptCount));
        return new Result(
                rows,
                dropped,
                bad == null ? null : batch.select(new Selection(bad, badCount)),
                reasons == null ? null : Arrays.copyOf(reasons, badCount));
    }

    private static boolean isAbsent(Column raw, int row) {
        return raw.isNull(row)
                || raw instanceof DoubleColumn doubles && !Double.isFinite(doubles.get(row));
    }

    /** The number that a text or decimal is, or null. */
    private static BigDecimal number(Column raw, int row) {
        if (raw instanceof DecimalColumn decimals) {
            return decimals.get(row);
        }
        if (!(raw instanceof BytesColumn texts) || texts.type() == DataType.BYTES) {
            return null;
        }
        String text = texts.string(row).strip();
        return text.matches("[+-]?[0-9]{1,40}") ? new BigDecimal(text) : null;
    }

    private static long saturated(BigDecimal value) {
        if (value.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) >= 0) {
            return Long.MAX_VALUE;
        }
        return value.compareTo(BigDecimal.valueOf(Long.MIN_VALUE)) <= 0
                ? Long.MIN_VALUE
                : value.longValue();
    }

    private long millis(long value) {
        return switch (unit) {
            case MS -> value;
            case US -> Math.floorDiv(value, 1_000L);
            case NS -> Math.floorDiv(value, 1_000_000L);
            case S ->
                    value > Long.MAX_VALUE / 1000
                            ? Long.MAX_VALUE
                            : value < Long.MIN_VALUE / 1000 ? Long.MIN_VALUE : value * 1000;
        };
    }
}
