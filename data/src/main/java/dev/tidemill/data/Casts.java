package dev.tidemill.data;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** Widening of columns and batches along {@link DataType#widen}; never narrows, never loses a value. */
public final class Casts {
    private Casts() {}

    /**
     * The column as one of a wider type.
     *
     * @throws IllegalArgumentException when the type is not wider
     */
    public static Column cast(Column column, DataType to) {
        if (column.type().equals(to)) {
            return column;
        }
        if (column instanceof NullColumn) {
            return Columns.allNull(to, column.length());
        }
        if (column instanceof DictionaryColumn dictionary) {
            return new DictionaryColumn(
                    dictionary.indices(),
                    cast(dictionary.dictionary(), to),
                    column.validity(),
                    column.length());
        }
        if (column instanceof LongColumn longs && to instanceof DataType.Float64) {
            return toDouble(longs);
        }
        if (column instanceof LongColumn longs && to.isLongBacked()) {
            return new LongColumn(to, longs.values(), longs.validity(), longs.length());
        }
        return castEach(column, to);
    }

    /** The batch with exactly the columns of {@code schema}, each wide enough; absent ones are null. The batch itself when it has that schema. */
    public static Batch conform(Batch batch, Schema schema) {
        if (batch.schema() == schema) {
            return batch;
        }
        Column[] columns = new Column[schema.size()];
        for (int i = 0; i < columns.length; i++) {
            Field field = schema.field(i);
            Column column = batch.column(field.name());
            columns[i] =
                    column == null
                            ? Columns.allNull(field.type(), batch.physicalRows())
                            : cast(column, field.type());
        }
        return batch.withColumns(schema, columns);
    }

    private static Column toDouble(LongColumn column) {
        double[] values = new double[column.length()];
        for (int i = 0; i < values.length; i++) {
            values[i] = column.values()[i];
        }
        return new DoubleColumn(values, column.validity(), column.length());
    }

    private static Column castEach(Column column, DataType to) {
        ColumnBuilder builder = ColumnBuilder.of(to);
        for (int i = 0; i < column.length(); i++) {
            builder.append(convert(column.value(i), column.type(), to));
        }
        return builder.build();
    }

    private static Object convert(Object value, DataType from, DataType to) {
        if (value == null || from.equals(to)) {
            return value;
        }
        return switch (to) {
            case DataType.Float64 _ when value instanceof Number number -> number.doubleValue();
            case DataType.Decimal _ when value instanceof BigDecimal || value instanceof Long ->
                    value;
            case DataType.Int64 _, DataType.Timestamp _ when from.isTemporal() -> value;
            case DataType.Utf8 _ -> JsonText.plain(value);
            case DataType.Json _ -> JsonText.of(value, from);
            case DataType.ListOf(DataType element)
                    when from instanceof DataType.ListOf(DataType before) ->
                    convertAll((List<?>) value, before, element);
            case DataType.ListOf(DataType element) -> convertAll(List.of(value), from, element);
            default -> throw new IllegalArgumentException(from + " does not widen to " + to);
        };
    }

    private static List<Object> convertAll(List<?> list, DataType from, DataType to) {
        List<Object> out = new ArrayList<>();
        for (Object value : list) {
            out.add(convert(value, from, to));
        }
        return out;
    }
}
