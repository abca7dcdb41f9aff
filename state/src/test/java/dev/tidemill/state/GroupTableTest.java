package dev.tidemill.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemill.data.Batch;
import dev.tidemill.data.BytesColumn;
import dev.tidemill.data.Casts;
import dev.tidemill.data.Column;
import dev.tidemill.data.ColumnBuilder;
import dev.tidemill.data.DataType;
import dev.tidemill.data.DictionaryColumn;
import dev.tidemill.data.Field;
import dev.tidemill.data.Hashing;
import dev.tidemill.data.LongColumn;
import dev.tidemill.data.Schema;
import dev.tidemill.data.Selection;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The table against a map of lists of values. */
class GroupTableTest {
    private static final List<DataType> TYPES =
            List.of(
                    DataType.INT64,
                    DataType.FLOAT64,
                    DataType.UTF8,
                    DataType.BOOL,
                    DataType.TIMESTAMP,
                    DataType.BYTES,
                    DataType.NULL,
                    new DataType.Decimal(12, 2),
                    new DataType.ListOf(DataType.FLOAT64),
                    new DataType.ListOf(DataType.BYTES),
                    new DataType.Struct(
                            List.of(
                                    new Field("a", DataType.FLOAT64),
                                    new Field("b", DataType.UTF8))));

    /** From real hashes to ones that collide: in the tag, in the slot, in both, for some keys, for all. */
    private static final List<LongUnaryOperator> HASHES =
            List.of(
                    hash -> hash,
                    hash -> hash & 0xFFFFFFFFL,
                    hash -> hash & ~0xFFFFFFFFL,
                    _ -> 0x1234_0000_0001L,
                    hash -> hash & 0x3_0000_0003L,
                    _ -> 0);

    static LongStream seeds() {
        return LongStream.concat(LongStream.range(0, 80), LongStream.of(System.nanoTime()));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void followsAMap(long seed) {
        Random random = new Random(seed);
        List<DataType> types = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            types.add(TYPES.get(random.nextInt(TYPES.size())));
        }
        LongUnaryOperator spoil = HASHES.get(random.nextInt(HASHES.size()));
        GroupTable table = new GroupTable(types);
        for (int life = 0; life < 2; life++) {
            live(random, types, spoil, table, "seed " + seed + ", " + types);
            table.clear();
            assertThat(table.size()).isZero();
        }
    }

    private static void live(
            Random random,
            List<DataType> types,
            LongUnaryOperator spoil,
            GroupTable table,
            String where) {
        Map<List<Object>, Integer> reference = new HashMap<>();
        int variety = 1 + random.nextInt(40);
        for (int b = 0; b < 12; b++) {
            int rows = random.nextInt(3) == 0 ? random.nextInt(3) : random.nextInt(200);
            Batch batch = batch(random, types, rows, variety);
            int[] keys = IntStream.range(0, types.size()).toArray();
            long[] hashes = Arrays.stream(Hashing.hash(batch, keys)).map(spoil).toArray();
            int[] groups = new int[rows + random.nextInt(2)];
            int before = table.size();
            int added = table.probe(batch, keys, hashes, groups);
            assertThat(table.size()).isEqualTo(before + added);
            for (int i = 0; i < batch.rows(); i++) {
                int row = batch.physicalRow(i);
                List<Object> key = key(batch, row);
                int group = groups[row];
                Integer known = reference.putIfAbsent(key, group);
                assertThat(group).as("%s: %s", where, key).isEqualTo(known == null ? group : known);
                assertThat(group).isBetween(known == null ? before : 0, table.size() - 1);
                assertThat(table.hashes()[group]).isEqualTo(hashes[row]);
            }
            assertThat(table.size()).as(where).isEqualTo(reference.size());
        }
        assertThat(reference.values()).as(where).doesNotHaveDuplicates();
        int[] all = Selection.all(table.size()).rows();
        for (int k = 0; k < types.size(); k++) {
            Column column = table.keyColumn(k, all, table.size());
            assertThat(column.type()).isEqualTo(types.get(k));
            for (Map.Entry<List<Object>, Integer> entry : reference.entrySet()) {
                assertThat(canonical(column.value(entry.getValue())))
                        .as(where)
                        .isEqualTo(entry.getKey().get(k));
            }
        }
        assertThat(table.sizeInBytes()).isPositive();
    }

    private static List<Object> key(Batch batch, int row) {
        List<Object> key = new ArrayList<>();
        for (int c = 0; c < batch.columnCount(); c++) {
            key.add(canonical(batch.column(c).value(row)));
        }
        return key;
    }

    /** Equal objects for equal keys. */
    private static Object canonical(Object value) {
        return switch (value) {
            case Double d -> d == 0 ? (Object) 0.0 : d;
            case byte[] bytes -> "bytes " + Arrays.toString(bytes);
            case List<?> list ->
                    new ArrayList<>(list.stream().map(GroupTableTest::canonical).toList());
            case Map<?, ?> map -> {
                Map<Object, Object> copy = new HashMap<>();
                map.forEach((name, item) -> copy.put(name, canonical(item)));
                yield copy;
            }
            case null, default -> value;
        };
    }

    private static Batch batch(Random random, List<DataType> types, int rows, int variety) {
        List<Field> fields = new ArrayList<>();
        Column[] columns = new Column[types.size()];
        for (int c = 0; c < columns.length; c++) {
            DataType type = types.get(c);
            fields.add(new Field("k" + c, type));
            List<Object> values = new ArrayList<>();
            boolean nulls = random.nextBoolean();
            for (int i = 0; i < rows; i++) {
                values.add(nulls && random.nextInt(4) == 0 ? null : value(random, type, variety));
            }
            columns[c] =
                    type instanceof DataType.Utf8 && random.nextBoolean()
                            ? dictionary(values)
                            : column(type, values);
        }
        Batch batch = Batch.of(new Schema(fields), columns, rows);
        if (random.nextInt(3) > 0) {
            return batch;
        }
        int[] some = IntStream.range(0, rows).filter(_ -> random.nextBoolean()).toArray();
        return batch.select(new Selection(some, some.length));
    }

    private static Column column(DataType type, List<Object> values) {
        ColumnBuilder builder = ColumnBuilder.of(type);
        values.forEach(builder::append);
        return builder.build();
    }

    private static Column dictionary(List<Object> values) {
        List<Object> entries = values.stream().filter(value -> value != null).distinct().toList();
        Column plain = column(DataType.UTF8, values);
        int[] indices = values.stream().mapToInt(entries::indexOf).toArray();
        return new DictionaryColumn(
                indices, column(DataType.UTF8, entries), plain.validity(), values.size());
    }

    private static Object value(Random random, DataType type, int variety) {
        int n = random.nextInt(variety);
        return switch (type) {
            case DataType.Null _ -> null;
            case DataType.Bool _ -> n % 2 == 0;
            case DataType.Int64 _, DataType.Timestamp _ -> n == 0 ? Long.MIN_VALUE : (long) n;
            case DataType.Float64 _ ->
                    switch (n) {
                        case 0 -> random.nextBoolean() ? 0.0 : -0.0;
                        case 1 ->
                                random.nextBoolean()
                                        ? Double.NaN
                                        : Double.longBitsToDouble(0xFFF8000000000001L);
                        case 2 -> Double.NEGATIVE_INFINITY;
                        default -> n / 2.0;
                    };
            case DataType.Decimal _ -> new BigDecimal(n).movePointLeft(2).setScale(2);
            case DataType.Bytes _ -> new byte[n % 5];
            case DataType.ListOf(DataType element) ->
                    n == 0 ? List.of() : Arrays.asList(null, value(random, element, n));
            case DataType.Struct struct -> {
                Map<String, Object> map = new java.util.LinkedHashMap<>();
                struct.fields()
                        .forEach(
                                field ->
                                        map.put(
                                                field.name(),
                                                value(random, field.type(), variety)));
                yield map;
            }
            default -> n == 0 ? "" : "key".repeat(n % 7) + n;
        };
    }

    @Test
    void growsToAMillionKeys() {
        GroupTable table = new GroupTable(List.of(DataType.INT64));
        int keys = 1_000_000;
        int[] groups = new int[1 << 14];
        for (int pass = 0; pass < 2; pass++) {
            for (long from = 0; from < keys; from += groups.length) {
                int rows = (int) Math.min(groups.length, keys - from);
                long[] values = LongStream.range(from, from + rows).map(i -> i * 7919).toArray();
                Column[] columns = {LongColumn.of(values)};
                Batch batch = Batch.of(Schema.of(new Field("k", DataType.INT64)), columns);
                int added =
                        table.probe(
                                batch, new int[] {0}, Hashing.hash(batch, new int[] {0}), groups);
                assertThat(added).isEqualTo(pass == 0 ? rows : 0);
                for (int i = 0; i < rows; i++) {
                    if (groups[i] != from + i) {
                        throw new AssertionError("key " + values[i] + " is in group " + groups[i]);
                    }
                }
            }
        }
        assertThat(table.size()).isEqualTo(keys);
        assertThat(table.sizeInBytes()).isBetween(24L * keys, 64L * keys);
    }

    @Test
    void absentKeyColumnIsNull() {
        GroupTable table = new GroupTable(List.of(DataType.UTF8, DataType.INT64));
        Batch batch =
                Batch.of(Schema.of(new Field("s", DataType.UTF8)), BytesColumn.of("a", "b", "a"));
        int[] keys = {0, -1};
        int[] groups = new int[3];
        assertThat(table.probe(batch, keys, Hashing.hash(batch, keys), groups)).isEqualTo(2);
        assertThat(groups).containsExactly(0, 1, 0);
        assertThat(table.keyColumn(1, new int[] {0, 1}, 2).value(1)).isNull();
    }

    @Test
    void withoutKeysThereIsOneGroup() {
        GroupTable table = new GroupTable(List.of());
        Batch batch = Batch.of(Schema.of(new Field("s", DataType.UTF8)), BytesColumn.of("a", "b"));
        int[] groups = new int[2];
        assertThat(table.probe(batch, new int[0], Hashing.hash(batch, new int[0]), groups))
                .isEqualTo(1);
        assertThat(table.probe(batch, new int[0], Hashing.hash(batch, new int[0]), groups))
                .isZero();
        assertThat(groups).containsExactly(0, 0);
    }

    @Test
    void valuesInAColumnWithoutTypeAreRefused() {
        GroupTable table = new GroupTable(List.of(DataType.NULL));
        Batch batch = Batch.of(Schema.of(new Field("k", DataType.INT64)), LongColumn.of(1));
        assertThatThrownBy(
                        () ->
                                table.probe(
                                        batch,
                                        new int[] {0},
                                        Hashing.hash(batch, new int[] {0}),
                                        new int[1]))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("widen it first");
    }

    @Test
    void keysWidenInPlace() {
        List<DataType> steps =
                List.of(DataType.NULL, DataType.INT64, DataType.FLOAT64, DataType.UTF8);
        List<Object> keys = new ArrayList<>(Arrays.asList((Object) null));
        GroupTable table = new GroupTable(List.of(DataType.BOOL, DataType.NULL));
        int[] groups = new int[8];
        for (int s = 0; s < steps.size(); s++) {
            DataType type = steps.get(s);
            table.widenKey(1, type);
            assertThat(table.keyTypes()).containsExactly(DataType.BOOL, type);
            Schema schema = Schema.of(new Field("b", DataType.BOOL), new Field("k", type));
            keys.add(
                    switch (type) {
                        case DataType.Int64 _ -> 1L;
                        case DataType.Float64 _ -> 1.5;
                        case DataType.Utf8 _ -> "x";
                        default -> null;
                    });
            List<Object> wide = new ArrayList<>();
            for (Object key : keys) {
                DataType of =
                        switch (key) {
                            case null -> DataType.NULL;
                            case Long _ -> DataType.INT64;
                            case Double _ -> DataType.FLOAT64;
                            default -> DataType.UTF8;
                        };
                Column column = column(of, Arrays.asList(key));
                // As the value came to be: through every step from its own type on.
                for (DataType step : steps.subList(0, s + 1)) {
                    column = Casts.cast(column, DataType.widen(column.type(), step));
                }
                wide.add(column.value(0));
            }
            Column[] columns = {
                column(DataType.BOOL, wide.stream().map(_ -> (Object) true).toList()),
                column(type, wide)
            };
            Batch batch = Batch.of(schema, columns);
            table.probe(batch, new int[] {0, 1}, Hashing.hash(batch, new int[] {0, 1}), groups);
            assertThat(table.size())
                    .as("%s", type)
                    .isEqualTo((int) keys.stream().distinct().count());
        }
    }
}
