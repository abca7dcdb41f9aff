package dev.tidemill.expr;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemill.data.Batch;
import dev.tidemill.data.Column;
import dev.tidemill.data.DataType;
import dev.tidemill.data.Field;
import dev.tidemill.data.LongColumn;
import dev.tidemill.data.Schema;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What the descriptions promise users is what the functions do. */
class FunctionExamplesTest {
    private static final Batch TWO_ROWS =
            Batch.of(Schema.of(new Field("n", DataType.INT64)), LongColumn.of(1, 2));

    @TestFactory
    Stream<DynamicTest> everyExampleHolds() {
        return Functions.descriptions().stream()
                .flatMap(
                        function ->
                                function.examples().stream()
                                        .map(
                                                example ->
                                                        DynamicTest.dynamicTest(
                                                                example.expression(),
                                                                () -> check(example))));
    }

    @Test
    void everyFunctionHasAnExampleAndSaysWhatItDoes() {
        assertThat(Functions.descriptions())
                .hasSizeGreaterThan(90)
                .allSatisfy(
                        function -> {
                            assertThat(function.examples()).as(function.name()).isNotEmpty();
                            assertThat(function.doc()).as(function.name()).endsWith(".");
                            assertThat(function.signature()).startsWith(function.name() + "(");
                            assertThat(function.category()).isNotBlank();
                        });
    }

    private static void check(FunctionDescription.Example example) throws ExpressionException {
        List<Object> found = Evaluation.of(example.expression(), TWO_ROWS);
        for (Object value : found) {
            if (example.result().equals("error")) {
                assertThat(value).isInstanceOf(Evaluation.Failure.class);
            } else {
                Object wanted = Evaluation.of(example.result(), TWO_ROWS).getFirst();
                assertThat(Values.equal(value, wanted)).as("%s, found %s", example, value).isTrue();
            }
        }
    }

    /** Rows of an expression: values as the language sees them, or failures. */
    static final class Evaluation {
        record Failure(String reason) {}

        private Evaluation() {}

        static List<Object> of(String text, Batch batch) throws ExpressionException {
            BoundExpression bound = Expression.parse(text).bind(batch.schema());
            RowErrors errors = new RowErrors();
            errors.reset(batch.physicalRows());
            Column column = bound.eval(batch, errors);
            assertThat(column.length()).isEqualTo(batch.physicalRows());
            assertThat(column.type()).isEqualTo(bound.type());
            List<Object> out = new java.util.ArrayList<>();
            for (int i = 0; i < batch.rows(); i++) {
                int row = batch.physicalRow(i);
                out.add(errors.has(row) ? new Failure(errors.reason(row)) : Values.of(column, row));
            }
            return out;
        }
    }
}
