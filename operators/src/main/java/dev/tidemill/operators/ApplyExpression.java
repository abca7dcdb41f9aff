package dev.tidemill.operators;

import dev.tidemill.data.Batch;
import dev.tidemill.data.Column;
import dev.tidemill.data.DataType;
import dev.tidemill.data.Field;
import dev.tidemill.data.Schema;
import dev.tidemill.expr.BoundExpression;
import dev.tidemill.expr.Expression;
import dev.tidemill.expr.RowErrors;
import java.util.ArrayList;
import java.util.List;

/** The step {@code applyExpression}: a column that is overwritten in place, or appended behind the visible ones. A row that fails leaves the batch. */
public final class ApplyExpression implements Transform {
    private final String column;
    private final Expression expression;
    private final RowErrors errors = new RowErrors();
    private Schema boundSchema;
    private BoundExpression bound;
    private Schema output;
    private int position;

    public ApplyExpression(String column, Expression expression) {
        this.column = column;
        this.expression = expression;
    }

    @Override
    public Schema outputSchema(Schema input) {
        return output(input, expression.bind(input).type());
    }

    @Override
    public Batch apply(Batch batch, SideOutput side) {
        if (batch.schema() != boundSchema) {
            bound = expression.bind(batch.schema());
            boundSchema = batch.schema();
            output = null;
        }
        errors.reset(batch.physicalRows());
        Column value = bound.eval(batch, errors);
        Batch survivors = batch;
        if (errors.count() > 0) {
            FailedRows.report(batch, errors, side);
            survivors = batch.select(FailedRows.survivors(batch, errors));
        }
        if (output == null || !output.type(position).equals(value.type())) {
            output = output(batch.schema(), value.type());
            position = output.indexOf(column);
        }
        return survivors.withColumns(output, columns(batch, value));
    }

    private Column[] columns(Batch batch, Column value) {
        boolean replaces = output.size() == batch.columnCount();
        Column[] columns = new Column[output.size()];
        for (int i = 0, from = 0; i < columns.length; i++) {
            boolean isNew = i == position;
            columns[i] = isNew ? value : batch.column(from);
            from += isNew && !replaces ? 0 : 1;
        }
        return columns;
    }

    private Schema output(Schema input, DataType type) {
        List<Field> fields = new ArrayList<>(input.fields());
        int index = input.indexOf(column);
        if (index >= 0) {
            fields.set(index, new Field(column, type));
            return new Schema(fields);
        }
        int visible = fields.size();
        while (visible > 0 && Schema.isEngineColumn(fields.get(visible - 1).name())) {
            visible--;
        }
        fields.add(visible, new Field(column, type));
        return new Schema(fields);
    }
}
