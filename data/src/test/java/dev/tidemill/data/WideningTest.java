package dev.tidemill.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WideningTest {
    private static final List<DataType> TYPES = types();

    private static List<DataType> types() {
        List<DataType> types = new ArrayList<>(RandomValues.SCALARS);
        types.add(new DataType.Decimal(20, 20));
        types.add(new DataType.Struct(List.of(new Field("a", DataType.INT64))));
        types.add(new DataType.Struct(List.of(new Field("a", DataType.JSON))));
        List.copyOf(types).forEach(type -> types.add(new DataType.ListOf(type)));
        types.add(new DataType.ListOf(new DataType.ListOf(DataType.INT64)));
        types.add(new DataType.ListOf(new DataType.ListOf(DataType.UTF8)));
        return types;
    }

    @Test
    void isALattice() {
        for (DataType a : TYPES) {
            assertThat(DataType.widen(a, a)).isEqualTo(a);
            assertThat(DataType.widen(a, DataType.NULL)).isEqualTo(a);
            assertThat(DataType.widen(a, DataType.JSON)).isIn(DataType.JSON);
            for (DataType b : TYPES) {
                DataType ab = DataType.widen(a, b);
                assertThat(ab).as("%s with %s", a, b).isEqualTo(DataType.widen(b, a));
                assertThat(DataType.widen(ab, a)).as("%s with %s", a, b).isEqualTo(ab);
                for (DataType c : TYPES) {
                    assertThat(DataType.widen(ab, c))
                            .as("%s, %s, %s", a, b, c)
                            .isEqualTo(DataType.widen(a, DataType.widen(b, c)));
                }
            }
        }
    }

    @Test
    void everyValueCanBeCastToEveryWiderType() {
        Random random = new Random(3);
        for (DataType a : TYPES) {
            for (DataType b : TYPES) {
                DataType wide = DataType.widen(a, b);
                List<Object> values = RandomValues.values(random, a, 20);
                Column column = RandomValues.column(a, values);
                Column cast = Casts.cast(column, wide);
                assertThat(cast.type()).isEqualTo(wide);
                assertThat(cast.length()).isEqualTo(20);
                for (int i = 0; i < 20; i++) {
                    assertThat(cast.isNull(i))
                            .as("%s to %s: %s", a, wide, values.get(i))
                            .isEqualTo(values.get(i) == null);
                }
                Column none = Casts.cast(RandomValues.column(a, List.of()), wide);
                assertThat(none.length()).isZero();
                assertThat(none.type()).isEqualTo(wide);
            }
        }
    }

    @Test
    void castsKeepTheValue() {
        assertThat(cast(DataType.INT64, 3L, DataType.FLOAT64)).isEqualTo(3.0);
        assertThat(cast(DataType.INT64, 3L, DataType.UTF8)).isEqualTo("3");
        assertThat(cast(DataType.INT64, 3L, DataType.JSON)).isEqualTo("3");
        assertThat(cast(DataType.INT64, 3L, new DataType.Decimal(21, 2)))
                .isEqualTo(new BigDecimal("3.00"));
        assertThat(cast(DataType.FLOAT64, 1.5, DataType.UTF8)).isEqualTo("1.5");
        assertThat(cast(DataType.FLOAT64, Double.NaN, DataType.UTF8)).isEqualTo("NaN");
        assertThat(cast(DataType.BOOL, true, DataType.UTF8)).isEqualTo("true");
        assertThat(cast(DataType.BYTES, new byte[] {1, 2}, DataType.UTF8)).isEqualTo("AQI=");
        assertThat(cast(DataType.UTF8, "a\"b", DataType.JSON)).isEqualTo("\"a\\\"b\"");
        assertThat(cast(DataType.DATE, 86_400_000L, DataType.TIMESTAMP)).isEqualTo(86_400_000L);
        DataType ints = new DataType.ListOf(DataType.INT64);
        assertThat(cast(ints, Arrays.asList(1L, null), new DataType.ListOf(DataType.FLOAT64)))
                .isEqualTo(Arrays.asList(1.0, null));
        assertThat(cast(ints, List.of(1L), new DataType.ListOf(DataType.UTF8)))
                .isEqualTo(List.of("1"));
        assertThat(cast(DataType.UTF8, "a", new DataType.ListOf(DataType.UTF8)))
                .isEqualTo(List.of("a"));
        assertThat(
                        cast(
                                DataType.INT64,
                                1L,
                                new DataType.ListOf(new DataType.ListOf(DataType.INT64))))
                .isEqualTo(List.of(List.of(1L)));
        DataType jsons = new DataType.ListOf(DataType.JSON);
        assertThat(cast(jsons, List.of("{\"a\":1}", "\"b\""), DataType.JSON))
                .isEqualTo("[{\"a\":1},\"b\"]");
        DataType struct =
                new DataType.Struct(
                        List.of(new Field("a", DataType.JSON), new Field("b", DataType.INT64)));
        assertThat(cast(struct, Map.of("a", "[1]", "b", 2L), DataType.JSON))
                .isEqualTo("{\"a\":[1],\"b\":2}");
        assertThatThrownBy(() -> cast(DataType.UTF8, "a", DataType.INT64))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("string does not widen to int64");
    }

    private static Object cast(DataType from, Object value, DataType to) {
        return Casts.cast(RandomValues.column(from, List.of(value)), to).value(0);
    }

    @Test
    void decimalsWidenToTheDigitsOfBoth() {
        DataType cents = new DataType.Decimal(10, 2);
        assertThat(DataType.widen(cents, new DataType.Decimal(8, 4)))
                .isEqualTo(new DataType.Decimal(12, 4));
        assertThat(DataType.widen(cents, DataType.INT64)).isEqualTo(new DataType.Decimal(21, 2));
        assertThat(DataType.widen(cents, new DataType.Decimal(38, 0))).isEqualTo(DataType.FLOAT64);
    }

    @Test
    void castsDictionaries() {
        Column dictionary = Columns.constant(DataType.INT64, 5L, 3);
        Column cast = Casts.cast(dictionary, DataType.UTF8);
        assertThat(cast).isInstanceOf(DictionaryColumn.class);
        assertThat(RandomValues.rows(cast)).containsExactly("5", "5", "5");
    }

    @Test
    void schemasWiden() {
        Schema a = Schema.of(new Field("x", DataType.INT64), new Field("y", DataType.UTF8));
        Schema b = Schema.of(new Field("z", DataType.BOOL), new Field("x", DataType.FLOAT64));
        assertThat(a.widen(b))
                .isEqualTo(
                        Schema.of(
                                new Field("x", DataType.FLOAT64),
                                new Field("y", DataType.UTF8),
                                new Field("z", DataType.BOOL)));
        assertThat(a.widen(a)).isSameAs(a);
        assertThat(a.widen(Schema.of(new Field("y", DataType.NULL)))).isSameAs(a);
        assertThat(a.widen(new Schema(List.of()))).isSameAs(a);
        Schema all = a.widen(b);
        assertThat(all.widen(a)).isSameAs(all);
        assertThat(all.widen(b)).isSameAs(all);
    }

    @Test
    void batchesConform() {
        Schema narrow =
                Schema.of(new Field("x", DataType.INT64), new Field("gone", DataType.INT64));
        Schema wide = Schema.of(new Field("new", DataType.UTF8), new Field("x", DataType.FLOAT64));
        Batch batch =
                Batch.of(narrow, LongColumn.of(1, 2, 3), LongColumn.of(0, 0, 0))
                        .select(new Selection(new int[] {0, 2}, 2));
        Batch conformed = Casts.conform(batch, wide);
        assertThat(conformed.schema()).isSameAs(wide);
        assertThat(conformed.rows()).isEqualTo(2);
        assertThat(conformed.row(1)).containsEntry("x", 3.0).containsEntry("new", null);
        assertThat(Casts.conform(conformed, wide)).isSameAs(conformed);
        assertThat(Casts.conform(Batch.empty(narrow), wide).rows()).isZero();
    }
}
