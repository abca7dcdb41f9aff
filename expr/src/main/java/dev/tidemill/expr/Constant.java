package dev.tidemill.expr;

import dev.tidemill.data.Batch;
import dev.tidemill.data.Column;
import dev.tidemill.data.Columns;
import dev.tidemill.data.DataType;
import dev.tidemill.data.JsonText;
import dev.tidemill.data.NullColumn;
import dev.tidemill.data.Schema;
import java.util.List;

/** The same value for every row. */
final class Constant extends Kernel {
    private static final Batch ONE_ROW = Batch.of(
            Schema.of(new dev.tidemill.data.Field("x", DataType.NULL)), new Column[] {new NullColumn(1)}, 1);

    private final Object value;
    private Column column;

    Constant(Object value) {
        this(value, typeOf(value));
    }

    private Constant(Object value, DataType type) {
        super(type);
        this.value = value;
    }

    private static DataType typeOf(Object value) {
        return switch (value) {
            case null -> DataType.NULL;
            case Boolean _ -> DataType.BOOL;
            case Long _ -> DataType.INT64;
            case Double _ -> DataType.FLOAT64;
            case String _ -> DataType.UTF8;
            default -> throw new IllegalArgumentException(value.toString());
        };
    }

    /** The constant that a kernel over constants comes to; the kernel itself when it fails. */
    static Kernel folded(Kernel kernel) {
        RowErrors errors = new RowErrors();
        errors.reset(1);
        Column column = kernel.eval(Frame.of(ONE_ROW, errors));
        if (errors.count() > 0) {
            return kernel;
        }
        return new Constant(Values.of(column, 0), kernel.type());
    }

    /** The value as the language sees it. */
    Object value() {
        return value;
    }

    @Override
    boolean isConstant() {
        return true;
    }

    @Override
    Column eval(Frame frame) {
        if (column == null || column.length() != frame.length()) {
            Object stored = type() instanceof DataType.Json && value != null ? JsonText.of(value) : element(value, type());
            column = Columns.constant(type(), stored, frame.length());
        }
        return column;
    }

    private static Object element(Object value, DataType type) {
        if (value instanceof List<?> list && type instanceof DataType.ListOf(DataType item) && item instanceof DataType.Json) {
            return list.stream().map(x -> x == null ? null : JsonText.of(x)).toList();
        }
        return value;
    }
}
