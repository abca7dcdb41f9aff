package dev.tidemill.operators;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemill.data.Batch;
import dev.tidemill.data.BytesColumn;
import dev.tidemill.data.Column;
import dev.tidemill.data.DataType;
import dev.tidemill.data.DoubleColumn;
import dev.tidemill.data.Field;
import dev.tidemill.data.LongColumn;
import dev.tidemill.data.Schema;
import dev.tidemill.data.Selection;
import dev.tidemill.expr.Expression;
import dev.tidemill.expr.ExpressionException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TransformTest {
    private static final Schema SCHEMA =
            Schema.of(
                    new Field("a", DataType.INT64),
                    new Field("b", DataType.UTF8),
                    new Field(Schema.KEY, DataType.UTF8),
                    new Field(Schema.OFFSET, DataType.INT64));

    private final Side side = new Side();

    private static final class Side implements SideOutput {
        private final List<String> reasons = new ArrayList<>();
        private final List<Map<String, Object>> failed = new ArrayList<>();
        private long filtered;

        @Override
        public void errors(Batch rows, String[] why) {
            assertThat(why).hasSize(rows.rows());
            reasons.addAll(List.of(why));
            for (int i = 0; i < rows.rows(); i++) {
                failed.add(rows.row(i));
            }
        }

        @Override
        public void late(Batch rows, long[] lateByMs) {
            throw new AssertionError();
        }

        @Override
        public void late(long count) {
            throw new AssertionError();
        }

        @Override
        public void filtered(long count) {
            filtered += count;
        }

        @Override
        public void dropped(long count) {
            throw new AssertionError();
        }
    }

    /** Rows {@code a = 0, 1, 2 …}, of which every other is dead. */
    private static Batch rows(int count) {
        long[] numbers = new long[2 * count];
        String[] texts = new String[2 * count];
        int[] alive = new int[count];
        for (int i = 0; i < 2 * count; i++) {
            numbers[i] = i % 2 == 0 ? i / 2 : -1_000_000 - i;
            texts[i] = i % 2 == 0 ? "t" + i / 2 : "dead";
        }
        Arrays.setAll(alive, i -> 2 * i);
        Column a = LongColumn.of(numbers);
        Column[] columns = {a, BytesColumn.of(texts), BytesColumn.of(texts), a};
        return Batch.of(SCHEMA, columns, 2 * count).select(new Selection(alive, count));
    }

    private static Expression expression(String text) {
        try {
            return Expression.parse(text);
        } catch (ExpressionException e) {
            throw new AssertionError(e);
        }
    }

    private static List<Object> values(Batch batch, String column) {
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < batch.rows(); i++) {
            values.add(batch.row(i).get(column));
        }
        return values;
    }

    private Batch apply(Transform transform, Batch batch) {
        Batch out = transform.apply(batch, side);
        assertThat(out.schema()).isEqualTo(transform.outputSchema(batch.schema()));
        return out;
    }

    @Test
    void selectKeepsTheOrderGivenAndTheEngineColumnsBehind() {
        Batch out = apply(Projection.select(List.of("b", "absent", "a")), rows(3));
        assertThat(out.schema().names())
                .containsExactly("b", "absent", "a", Schema.KEY, Schema.OFFSET);
        assertThat(values(out, "absent")).containsOnlyNulls().hasSize(3);
        assertThat(values(out, "a")).containsExactly(0L, 1L, 2L);
    }

    @Test
    void dropIgnoresUnknownNamesAndEngineColumns() {
        Batch out = apply(Projection.drop(Set.of("a", "nothing", Schema.KEY)), rows(2));
        assertThat(out.schema().names()).containsExactly("b", Schema.KEY, Schema.OFFSET);
        assertThat(values(out, "b")).containsExactly("t0", "t1");
    }

    @Test
    void renameIsAtOnceAndNeverGivesTwoColumnsOneName() {
        Batch out = apply(Projection.rename(Map.of("a", "b", "b", "a", "nothing", "c")), rows(1));
        assertThat(out.row(0)).containsEntry("b", 0L).containsEntry("a", "t0");
        assertThat(out.schema().names()).startsWith("b", "a");
        assertThatThrownBy(() -> Projection.rename(Map.of("a", "b")).apply(rows(1), side))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("b");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1023, 1024, 1025, 2049})
    void filterCountsWhatItTurnsAwayApartFromWhatFails(int count) {
        Batch out =
                apply(
                        new Filter(
                                expression(
                                        "a % 3 == 0 ? true : (a % 3 == 1 ? a < 0 : 1 / (a - a) > 0)")),
                        rows(count));
        List<Object> expected = new ArrayList<>();
        for (long a = 0; a < count; a += 3) {
            expected.add(a);
        }
        assertThat(values(out, "a")).isEqualTo(expected);
        assertThat(side.filtered).isEqualTo((count + 1) / 3);
        assertThat(side.failed)
                .hasSize(count / 3)
                .allSatisfy(row -> assertThat((long) row.get("a") % 3).isEqualTo(2));
        assertThat(out.rows() + side.filtered + side.failed.size()).isEqualTo(count);
        assertThat(side.reasons).allSatisfy(reason -> assertThat(reason).contains("zero"));
    }

    @Test
    void aNullTurnsARowAway() {
        Batch out = apply(new Filter(expression("absent")), rows(4));
        assertThat(out.rows()).isZero();
        assertThat(side.filtered).isEqualTo(4);
        assertThat(side.failed).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1023, 1024, 1025, 2049})
    void aComputedColumnComesBeforeTheEnginesAndItsFailuresLeave(int count) {
        Batch out =
                apply(
                        new ApplyExpression("c", expression("a == 1 ? 1 % (a - a) : a * 2")),
                        rows(count));
        assertThat(out.schema().names()).containsExactly("a", "b", "c", Schema.KEY, Schema.OFFSET);
        assertThat(side.failed).hasSize(count > 1 ? 1 : 0);
        assertThat(out.rows() + side.failed.size()).isEqualTo(count);
        for (int i = 0; i < out.rows(); i++) {
            Map<String, Object> row = out.row(i);
            assertThat(((Number) row.get("c")).doubleValue()).isEqualTo(2.0 * (long) row.get("a"));
            assertThat(row)
                    .containsEntry("b", "t" + row.get("a"))
                    .containsEntry(Schema.KEY, "t" + row.get("a"));
        }
    }

    @Test
    void aColumnIsOverwrittenInPlaceAndStaysExact() {
        Batch out = apply(new ApplyExpression("a", expression("a + 9007199254740993")), rows(2));
        assertThat(out.schema()).isEqualTo(SCHEMA);
        assertThat(values(out, "a")).containsExactly(9007199254740993L, 9007199254740994L);
    }

    @Test
    void stepsBindAgainWhenTheSchemaChanges() {
        Schema wide = Schema.of(new Field("x", DataType.UTF8), new Field("a", DataType.FLOAT64));
        Batch batch = Batch.of(wide, BytesColumn.of("p", "q"), DoubleColumn.of(0.5, 2.5));
        Transform filter = new Filter(expression("a > 1"));
        Transform apply = new ApplyExpression("c", expression("a * 2"));
        Transform select = Projection.select(List.of("a"));
        for (Batch input : List.of(rows(3), batch, rows(3), batch)) {
            apply(filter, input);
            apply(apply, input);
            assertThat(values(apply(select, input), "a")).isEqualTo(values(input, "a"));
        }
        assertThat(values(filter.apply(batch, side), "x")).containsExactly("q");
        assertThat(values(apply.apply(batch, side), "c")).containsExactly(1.0, 5.0);
    }

    @Test
    void everyStepDescribesItself() {
        Map<String, Integer> options = new LinkedHashMap<>();
        Steps.descriptions().forEach(step -> options.put(step.name(), step.options().size()));
        assertThat(options.keySet())
                .containsExactly(
                        "select",
                        "drop",
                        "rename",
                        "filter",
                        "applyExpression",
                        "windowedAggregate");
        assertThat(Steps.isInline("filter")).isTrue();
        assertThat(Steps.isInline("windowedAggregate")).isFalse();
    }
}
