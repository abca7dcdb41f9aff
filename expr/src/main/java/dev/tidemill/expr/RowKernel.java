package dev.tidemill.expr;

import dev.tidemill.data.Column;
import dev.tidemill.data.ColumnBuilder;
import dev.tidemill.data.DataType;
import dev.tidemill.data.Field;
import dev.tidemill.data.JsonText;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Calls a body with the values of each row: for kinds and functions that have no kernel of their own. */
final class RowKernel extends Kernel {
    private final Kernel[] arguments;
    private final Function.Body body;
    private final boolean constant;

    RowKernel(DataType type, List<Kernel> arguments, Function.Body body) {
        super(type);
        this.arguments = arguments.toArray(Kernel[]::new);
        this.body = body;
        this.constant = arguments.stream().allMatch(Kernel::isConstant);
    }

    @Override
    boolean isConstant() {
        return constant;
    }

    @Override
    Column eval(Frame frame) {
        Column[] columns = new Column[arguments.length];
        Object[] constants = new Object[arguments.length];
        for (int i = 0; i < columns.length; i++) {
            if (arguments[i] instanceof Constant c) {
                constants[i] = c.value();
            } else {
                columns[i] = arguments[i].eval(frame);
            }
        }
        ColumnBuilder out = ColumnBuilder.of(type());
        for (int i = 0; i < frame.count(); i++) {
            int row = frame.row(i);
            while (out.length() < row) {
                out.appendNull();
            }
            Object[] values = new Object[columns.length];
            for (int c = 0; c < columns.length; c++) {
                values[c] = columns[c] == null ? constants[c] : Values.of(columns[c], row);
            }
            out.append(frame.errors().has(row) ? null : result(values, row, frame.errors()));
        }
        while (out.length() < frame.length()) {
            out.appendNull();
        }
        return out.build();
    }

    private Object result(Object[] values, int row, RowErrors errors) {
        try {
            return stored(body.apply(values), type());
        } catch (EvalError e) {
            errors.add(row, e.getMessage());
            return null;
        }
    }

    /** A value as the column of the type keeps it. */
    private static Object stored(Object value, DataType type) throws EvalError {
        if (value == null || type instanceof DataType.Null) {
            return null;
        }
        return switch (type) {
            case DataType.Json _ -> JsonText.of(value);
            case DataType.Decimal d -> decimal((Number) value, d);
            case DataType.ListOf(DataType element) -> list((List<?>) value, element);
            case DataType.Struct struct -> struct((Map<?, ?>) value, struct);
            case DataType.Int64 _ when value instanceof BigDecimal || value instanceof Double ->
                    throw new EvalError("the result " + value + " is beyond int64");
            default -> value;
        };
    }

    private static Object list(List<?> values, DataType element) throws EvalError {
        Object[] out = new Object[values.size()];
        for (int i = 0; i < out.length; i++) {
            out[i] = stored(values.get(i), element);
        }
        return Arrays.asList(out);
    }

    private static Object struct(Map<?, ?> values, DataType.Struct type) throws EvalError {
        Map<String, Object> out = new LinkedHashMap<>();
        for (Field field : type.fields()) {
            out.put(field.name(), stored(values.get(field.name()), field.type()));
        }
        return out;
    }

    private static Object decimal(Number value, DataType.Decimal type) throws EvalError {
        BigDecimal scaled = Values.decimal(value).setScale(type.scale(), RoundingMode.HALF_UP);
        if (scaled.precision() > type.precision()) {
            throw new EvalError("the result has more than " + type.precision() + " digits");
        }
        return scaled;
    }
}
