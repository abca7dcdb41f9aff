package dev.tidemill.expr;

import dev.tidemill.data.Batch;
import dev.tidemill.data.Column;
import dev.tidemill.data.Columns;
import dev.tidemill.data.DataType;
import dev.tidemill.data.Field;
import dev.tidemill.data.NullColumn;
import dev.tidemill.data.Schema;

/** The same value for every row. */
final class Constant extends Kernel {
    private static final Batch ONE_ROW =
            Batch.of(Schema.of(new Field("x", DataType.NULL)), new Column[] {new NullColumn(1)}, 1);

    private final Object value;
    private final Object stored;
    private Column column;

    /** @param value null, Boolean, Long, Double or String */
    Constant(Object value) {
        this(value, value, typeOf(value));
    }

    private Constant(Object value, Object stored, DataType type) {
        super(type);
        this.value = value;
        this.stored = stored;
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
        return new Constant(Values.of(column, 0), column.value(0), kernel.type());
    }

    /** The value as the language sees it; may be null whatever the type. */
    Object value() {
        return value;
    }

    @Override
    boolean isConstant() {
        return true;
    }

    @Override
    boolean cannotFail() {
        return true;
    }

    @Override
    boolean isPredicate() {
        return value instanceof Boolean;
    }

    @Override
    Column eval(Frame frame) {
        if (column == null || column.length() != frame.length()) {
            Column made = Columns.constant(type(), stored, frame.length());
            // A constant text stays one text; plain numbers and booleans save the kernels from
            // decoding them for each batch.
            column = type().isBytesBacked() ? made : Columns.plain(made);
        }
        return column;
    }
}
