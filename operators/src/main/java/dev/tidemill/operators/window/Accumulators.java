package dev.tidemill.operators.window;

import dev.tidemill.data.Column;
import dev.tidemill.data.ColumnBuilder;
import dev.tidemill.data.Columns;
import dev.tidemill.data.DataType;
import dev.tidemill.data.JsonText;
import dev.tidemill.data.Ordering;
import dev.tidemill.operators.AggregateKind;
import dev.tidemill.operators.AggregateSpec;

/** Which state an aggregate over a type needs, and which types it can use. */
final class Accumulators {
    private static final double TWO_TO_63 = 0x1p63;

    private Accumulators() {}

    /** The type a column is taken as: json of mixed kinds counts with its numbers or booleans, and what an aggregate cannot use is null. */
    static DataType usable(AggregateKind kind, DataType type) {
        boolean isJson = type instanceof DataType.Json;
        return switch (kind) {
            case COUNT, COUNT_DISTINCT -> type;
            case SUM, AVG, VAR_POP, VAR_SAMP, STDDEV_POP, STDDEV_SAMP ->
                    type.isNumeric() ? type : isJson ? DataType.FLOAT64 : DataType.NULL;
            case MIN, MAX ->
                    isJson ? DataType.FLOAT64 : Ordering.isOrdered(type) ? type : DataType.NULL;
            case BOOL_AND, BOOL_OR ->
                    isJson || type instanceof DataType.Bool ? DataType.BOOL : DataType.NULL;
            case BIT_AND, BIT_OR, BIT_XOR ->
                    isJson || type instanceof DataType.Int64 || type instanceof DataType.Float64
                            ? DataType.INT64
                            : DataType.NULL;
        };
    }

    /** Whether the state depends on the type of the input. */
    static boolean isTyped(AggregateKind kind) {
        return switch (kind) {
            case SUM, AVG, MIN, MAX, COUNT_DISTINCT -> true;
            default -> false;
        };
    }

    /** The column as the accumulator of {@link #usable} takes it; without a dictionary. */
    static Column taken(AggregateKind kind, Column column) {
        Column plain = Columns.plain(column);
        DataType usable = usable(kind, plain.type());
        if (usable.equals(plain.type())) {
            return plain;
        }
        if (usable instanceof DataType.Null) {
            return Columns.allNull(DataType.NULL, plain.length());
        }
        ColumnBuilder builder = ColumnBuilder.of(usable);
        for (int row = 0; row < plain.length(); row++) {
            builder.append(plain.isNull(row) ? null : scalar(plain, row, usable));
        }
        return builder.build();
    }

    private static Object scalar(Column column, int row, DataType wanted) {
        Object value =
                column.type() instanceof DataType.Json
                        ? JsonText.parse((String) column.value(row))
                        : column.value(row);
        return switch (wanted) {
            case DataType.Bool _ -> value instanceof Boolean ? value : null;
            case DataType.Float64 _ ->
                    value instanceof Number number ? (Object) number.doubleValue() : null;
            default -> whole(value);
        };
    }

    private static Long whole(Object value) {
        if (value instanceof Long whole) {
            return whole;
        }
        boolean fits =
                value instanceof Number number
                        && number.doubleValue() == Math.rint(number.doubleValue())
                        && Math.abs(number.doubleValue()) < TWO_TO_63;
        return fits ? (Long) ((Number) value).longValue() : null;
    }

    /** @param type as {@link #usable} gave it */
    static Accumulator of(AggregateKind kind, DataType type, int groups) {
        // Of a column that has only been null so far the state is that of whole numbers without
        // any.
        DataType known = type instanceof DataType.Null ? DataType.INT64 : type;
        return switch (kind) {
            case COUNT -> new CountAccumulator(groups);
            case COUNT_DISTINCT -> new DistinctAccumulator(type, groups);
            case SUM -> sum(known, groups);
            case AVG -> new MeanAccumulator(sum(known, groups), new CountAccumulator(groups));
            case MIN -> extreme(known, false, groups);
            case MAX -> extreme(known, true, groups);
            case VAR_POP, VAR_SAMP, STDDEV_POP, STDDEV_SAMP -> new MomentsAccumulator(kind, groups);
            case BOOL_AND -> new LongFold(LongFold.Op.MIN, DataType.BOOL, groups);
            case BOOL_OR -> new LongFold(LongFold.Op.MAX, DataType.BOOL, groups);
            case BIT_AND -> new LongFold(LongFold.Op.AND, DataType.INT64, groups);
            case BIT_OR -> new LongFold(LongFold.Op.OR, DataType.INT64, groups);
            case BIT_XOR -> new LongFold(LongFold.Op.XOR, DataType.INT64, groups);
        };
    }

    private static Accumulator sum(DataType type, int groups) {
        return switch (type) {
            case DataType.Float64 _ -> new SumDoubleAccumulator(groups);
            case DataType.Decimal decimal -> new SumDecimalAccumulator(decimal.scale(), groups);
            default -> new SumLongAccumulator(groups);
        };
    }

    static Accumulator extreme(DataType type, boolean max, int groups) {
        if (type.isLongBacked() || type instanceof DataType.Bool) {
            return new LongFold(max ? LongFold.Op.MAX : LongFold.Op.MIN, type, groups);
        }
        if (type.isBytesBacked()) {
            return new BytesFold(type, max, groups);
        }
        return type instanceof DataType.Decimal decimal
                ? new DecimalFold(decimal, max, groups)
                : new DoubleFold(max, groups);
    }

    /** Why an aggregate can never use a column of this type, or null when it can. */
    static String refusal(AggregateSpec aggregate, DataType type) {
        if (type instanceof DataType.Null
                || !(usable(aggregate.kind(), type) instanceof DataType.Null)) {
            return null;
        }
        String wanted =
                switch (aggregate.kind()) {
                    case BOOL_AND, BOOL_OR -> "booleans";
                    case BIT_AND, BIT_OR, BIT_XOR -> "whole numbers";
                    case MIN, MAX -> "values that have an order";
                    default -> "numbers";
                };
        return aggregate.kind().label()
                + " needs "
                + wanted
                + ", and column "
                + aggregate.column()
                + " is "
                + type;
    }
}
