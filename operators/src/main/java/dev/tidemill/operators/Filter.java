package dev.tidemill.operators;

import dev.tidemill.data.Batch;
import dev.tidemill.data.Schema;
import dev.tidemill.data.Selection;
import dev.tidemill.expr.BoundExpression;
import dev.tidemill.expr.Expression;
import dev.tidemill.expr.RowErrors;

/** The step {@code filter}: rows on which the expression is true. Null turns a row away; a row that fails goes to the error output. */
public final class Filter implements Transform {
    private final Expression expression;
    private final RowErrors errors = new RowErrors();
    private Schema boundSchema;
    private BoundExpression bound;

    public Filter(Expression expression) {
        this.expression = expression;
    }

    @Override
    public Schema outputSchema(Schema input) {
        return input;
    }

    @Override
    public Batch apply(Batch batch, SideOutput side) {
        if (batch.schema() != boundSchema) {
            bound = expression.bind(batch.schema());
            boundSchema = batch.schema();
        }
        errors.reset(batch.physicalRows());
        Selection passed = bound.filter(batch, errors);
        long turnedAway = batch.rows() - (long) passed.count() - errors.count();
        if (turnedAway > 0) {
            side.filtered(turnedAway);
        }
        if (errors.count() > 0) {
            FailedRows.report(batch, errors, side);
        }
        return passed.count() == batch.rows() ? batch : batch.select(passed);
    }
}
