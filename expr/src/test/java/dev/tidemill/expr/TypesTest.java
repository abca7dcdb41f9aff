package dev.tidemill.expr;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemill.data.Batch;
import dev.tidemill.data.Column;
import dev.tidemill.data.ColumnBuilder;
import dev.tidemill.data.DataType;
import dev.tidemill.data.DoubleColumn;
import dev.tidemill.data.Field;
import dev.tidemill.data.LongColumn;
import dev.tidemill.data.Schema;
import dev.tidemill.expr.FunctionExamplesTest.Evaluation;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TypesTest {
    private static final long BIG = (1L << 53) + 1;
    private static final Schema SCHEMA =
            Schema.of(
                    new Field("i", DataType.INT64),
                    new Field("d", DataType.FLOAT64),
                    new Field("ts", DataType.TIMESTAMP),
                    new Field("m", new DataType.Decimal(10, 2)),
                    new Field("raw", DataType.BYTES),
                    new Field("x", DataType.JSON));
    private static final Batch ROW =
            Batch.of(
                    SCHEMA,
                    LongColumn.of(BIG),
                    DoubleColumn.of(0.5),
                    new LongColumn(DataType.TIMESTAMP, new long[] {1_767_225_600_000L}, null, 1),
                    column(new DataType.Decimal(10, 2), new BigDecimal("12.50")),
                    column(DataType.BYTES, new byte[] {'a', 'b'}),
                    column(DataType.JSON, "{\"k\": [1, \"a\", null]}"));

    private static Column column(DataType type, Object value) {
        ColumnBuilder builder = ColumnBuilder.of(type);
        builder.append(value);
        return builder.build();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '^',
            value = {
                "i + 1 ~ int64",
                "i / 2 ~ float64",
                "i * d ~ float64",
                "ts - 1000 ~ int64",
                "ts ~ timestamp",
                "ts > 0 ~ bool",
                "true ? i : d ~ float64",
                "true ? i : null ~ int64",
                "true ? i : 'a' ~ json",
                "true ? ts : ts ~ timestamp",
                "true ? ts : i ~ int64",
                "[1, 2.5] ~ list<float64>",
                "[1, 'a'] ~ list<json>",
                "[[1, 'a'], [2]] ~ list<list<json>>",
                "[] ~ list<null>",
                "null + i ~ null",
                "nosuch ~ null",
                "x.k ~ json",
                "x + 1 ~ json",
                "x < 1 ~ bool",
                "m + 1 ~ decimal(38, 2)",
                "m * m ~ decimal(38, 4)",
                "m / 2 ~ float64",
                "m * d ~ float64",
                "raw + 'c' ~ string",
                "min(i, 'a') ~ int64",
                "min(i, x) ~ json",
                "toNumber('1') ~ float64",
                "toNumber(x) ~ json",
                "coalesce(i, 1) ~ int64",
            })
    void knowsItsType(String text, String type) throws ExpressionException {
        assertThat(Expression.parse(text).bind(SCHEMA).type()).hasToString(type);
        assertThat(Evaluation.of(text, ROW)).hasSize(1);
    }

    @Test
    void comparesInt64WithFloat64Exactly() throws ExpressionException {
        assertThat(Evaluation.of("i == 9007199254740992.0", ROW)).containsExactly(false);
        assertThat(Evaluation.of("i > 9007199254740992.0", ROW)).containsExactly(true);
        assertThat(Evaluation.of("9007199254740994.0 <= i", ROW)).containsExactly(false);
        assertThat(Evaluation.of("m == 12.5", ROW)).containsExactly(true);
        assertThat(Evaluation.of("m > 12", ROW)).containsExactly(true);
    }

    @Test
    void nullConstantsOfAnyType() throws ExpressionException {
        for (String text :
                List.of(
                        "length(null) + 1",
                        "i - (1 - null)",
                        "sqrt(abs(null))",
                        "d * length(null)",
                        "upper(null) + 'a'",
                        "-(1 - null)")) {
            assertThat(Evaluation.of(text, ROW)).as(text).containsExactly((Object) null);
        }
        for (String text :
                List.of(
                        "upper(null) == 'a'",
                        "'a' < lower(null)",
                        "i == length(null)",
                        "d < (1.5 - null)",
                        "upper(null) == ''")) {
            assertThat(Evaluation.of(text, ROW)).as(text).containsExactly(false);
        }
    }

    @Test
    void nestedConstants() throws ExpressionException {
        assertThat(Evaluation.of("[[1, 'a'], [2]]", ROW))
                .containsExactly(List.of(List.of(1L, "a"), List.of(2L)));
        assertThat(Evaluation.of("[[1, 'a'], [2]] == [[1.0, 'a'], [2]]", ROW))
                .containsExactly(true);
        assertThat(Evaluation.of("[[i, 'a'], [2]][0][0]", ROW)).containsExactly(BIG);
    }

    @Test
    void decimalsAreExact() throws ExpressionException {
        assertThat(Evaluation.of("m + m", ROW)).containsExactly(new BigDecimal("25.00"));
        assertThat(Evaluation.of("m * m", ROW)).containsExactly(new BigDecimal("156.2500"));
        assertThat(Evaluation.of("m % 5", ROW)).containsExactly(new BigDecimal("2.50"));
        assertThat(Evaluation.of("-m", ROW)).containsExactly(new BigDecimal("-12.50"));
        assertThat(Evaluation.of("round(m)", ROW)).containsExactly(new BigDecimal("13.00"));
        assertThat(Evaluation.of("m / 0", ROW).getFirst()).isInstanceOf(Evaluation.Failure.class);
        String product = "m * 1000000000000 * 1000000000000 * 1000000000000";
        assertThat(Evaluation.of(product, ROW).getFirst())
                .hasToString("Failure[reason=the result has more than 38 digits]");
    }

    @Test
    void saysWhyARowFails() throws ExpressionException {
        assertThat(reason("9223372036854775807 + i"))
                .isEqualTo("int64 overflow: 9223372036854775807 + 9007199254740993");
        assertThat(reason("i % (i - i)")).isEqualTo("remainder by zero");
        assertThat(reason("d / 0")).isEqualTo("division by zero");
        assertThat(reason("1e308 * 10 * d")).isEqualTo("the result is infinite");
        assertThat(reason("i && true")).isEqualTo("'&&' takes booleans, found number");
        assertThat(reason("null || true")).isEqualTo("'||' takes booleans, found null");
        assertThat(reason("true < false")).isEqualTo("'<' does not compare boolean with boolean");
        assertThat(reason("i in 'a'")).isEqualTo("'in' needs a list on its right, found string");
        assertThat(reason("upper(i)"))
                .isEqualTo("upper needs a string as argument 1, found number");
        assertThat(reason("regexMatch('a', '(')")).contains("the pattern '(' is wrong");
        assertThat(reason("regexMatch('a', '(?=a)')")).contains("is wrong");
    }

    private static String reason(String text) throws ExpressionException {
        return ((Evaluation.Failure) Evaluation.of(text, ROW).getFirst()).reason();
    }

    @Test
    void replaceRefusesHugeResultsBeforeItMakesThem() throws ExpressionException {
        String huge = "replace(repeat('a', 1000000), 'a', repeat('b', 1000000))";
        assertThat(reason(huge)).isEqualTo("the result of replace is over 10 MiB");
    }
}
