package dev.tidemill.expr;

import dev.tidemill.data.Batch;
import dev.tidemill.data.Bits;
import dev.tidemill.data.Column;
import dev.tidemill.data.ColumnBuilder;
import dev.tidemill.data.DataType;
import dev.tidemill.data.DictionaryColumn;
import dev.tidemill.data.DoubleColumn;
import dev.tidemill.data.Field;
import dev.tidemill.data.LongColumn;
import dev.tidemill.data.Schema;
import dev.tidemill.data.Selection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Batches of hostile values, with garbage wherever the layout allows it, beside the same rows as Java values. */
final class RandomRows {
    static final Schema SCHEMA =
            Schema.of(
                    new Field("i", DataType.INT64),
                    new Field("j", DataType.INT64),
                    new Field("t", DataType.TIMESTAMP),
                    new Field("d", DataType.FLOAT64),
                    new Field("e", DataType.FLOAT64),
                    new Field("s", DataType.UTF8),
                    new Field("u", DataType.UTF8),
                    new Field("b", DataType.BOOL),
                    new Field("c", DataType.BOOL),
                    new Field("li", new DataType.ListOf(DataType.INT64)),
                    new Field("ls", new DataType.ListOf(DataType.UTF8)),
                    new Field("x", DataType.JSON),
                    new Field("y", DataType.JSON),
                    new Field(
                            "o",
                            new DataType.Struct(
                                    List.of(
                                            new Field("k", DataType.INT64),
                                            new Field("v", DataType.UTF8)))),
                    new Field("n", DataType.NULL));

    static final long[] LONGS = {
        0,
        1,
        -1,
        2,
        3,
        10,
        123,
        -7,
        1L << 53,
        (1L << 53) + 1,
        Long.MAX_VALUE,
        Long.MIN_VALUE,
        Long.MAX_VALUE - 1,
        3037000500L
    };
    static final double[] DOUBLES = {
        0.0,
        -0.0,
        1,
        -1,
        0.5,
        2.5,
        -2.5,
        0.49999999999999994,
        123,
        1e300,
        -1e300,
        Double.MIN_VALUE,
        Double.MAX_VALUE,
        0x1p53,
        0x1p63,
        -0x1p63,
        Double.NaN,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY
    };
    static final String[] STRINGS = {
        "", "a", "b", "ab", "abc", "bid", "A", "éa", "straße", "日本", "😀x", "\uFFFD", " a ", "1",
        "-2.5", "1e3", ",a,,b", "\n"
    };
    private static final Object[] JSONS = {
        null,
        true,
        false,
        0L,
        1L,
        -5L,
        (1L << 53) + 1,
        Long.MIN_VALUE,
        0.5,
        -0.0,
        1e300,
        2.0,
        "",
        "a",
        "bid",
        "😀",
        "1",
        List.of(),
        List.of(1L, 2.0, "a"),
        Arrays.asList(null, true),
        Map.of(),
        Map.of("k", 1L),
        Map.of("k", "a", "z", List.of(1L)),
        List.of(List.of())
    };

    final Batch batch;

    /** By physical row. */
    final List<Map<String, Object>> rows;

    private RandomRows(Batch batch, List<Map<String, Object>> rows) {
        this.batch = batch;
        this.rows = rows;
    }

    static RandomRows of(Random random, int count) {
        boolean anyNulls = random.nextInt(4) != 0;
        List<Map<String, Object>> rows = new ArrayList<>();
        for (int r = 0; r < count; r++) {
            Map<String, Object> row = new LinkedHashMap<>();
            for (Field field : SCHEMA.fields()) {
                boolean isNull = anyNulls && random.nextInt(6) == 0;
                row.put(field.name(), isNull ? null : value(random, field.type()));
            }
            rows.add(row);
        }
        Column[] columns = new Column[SCHEMA.size()];
        for (int c = 0; c < columns.length; c++) {
            Field field = SCHEMA.field(c);
            columns[c] =
                    column(
                            random,
                            field.type(),
                            rows.stream().map(row -> row.get(field.name())).toList());
        }
        Batch batch = Batch.of(SCHEMA, columns, count);
        return new RandomRows(
                random.nextBoolean() ? batch : batch.select(some(random, count)), rows);
    }

    private static Selection some(Random random, int count) {
        int[] rows = new int[count];
        int kept = 0;
        int of = 1 + random.nextInt(5);
        for (int i = 0; i < count; i++) {
            if (random.nextInt(of) == 0) {
                rows[kept++] = i;
            }
        }
        return new Selection(rows, kept);
    }

    private static Object value(Random random, DataType type) {
        return switch (type) {
            case DataType.Null _ -> null;
            case DataType.Bool _ -> random.nextBoolean();
            case DataType.Int64 _, DataType.Timestamp _ ->
                    random.nextInt(3) == 0
                            ? LONGS[random.nextInt(LONGS.length)]
                            : (long) random.nextInt(-20, 20);
            case DataType.Float64 _ ->
                    random.nextInt(3) == 0
                            ? DOUBLES[random.nextInt(DOUBLES.length)]
                            : random.nextInt(-40, 40) / 4.0;
            case DataType.Utf8 _ -> STRINGS[random.nextInt(STRINGS.length)];
            case DataType.Json _ -> JSONS[random.nextInt(JSONS.length)];
            case DataType.ListOf(DataType element) -> {
                List<Object> list = new ArrayList<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    list.add(random.nextInt(6) == 0 ? null : value(random, element));
                }
                yield list;
            }
            case DataType.Struct struct -> {
                Map<String, Object> map = new LinkedHashMap<>();
                for (Field field : struct.fields()) {
                    map.put(
                            field.name(),
                            random.nextInt(6) == 0 ? null : value(random, field.type()));
                }
                yield map;
            }
            default -> throw new AssertionError(type);
        };
    }

    private static Column column(Random random, DataType type, List<Object> values) {
        int count = values.size();
        if (type.isLongBacked()) {
            long[] longs = random.longs(count + random.nextInt(3)).toArray();
            for (int i = 0; i < count; i++) {
                longs[i] = values.get(i) instanceof Long value ? value : Long.MAX_VALUE;
            }
            return new LongColumn(type, longs, validity(values), count);
        }
        if (type instanceof DataType.Float64) {
            double[] doubles = new double[count + random.nextInt(3)];
            Arrays.fill(doubles, Double.NaN);
            for (int i = 0; i < count; i++) {
                doubles[i] = values.get(i) instanceof Double value ? value : Double.NaN;
            }
            return new DoubleColumn(doubles, validity(values), count);
        }
        if (type instanceof DataType.Utf8 && random.nextInt(3) == 0) {
            return dictionary(values);
        }
        ColumnBuilder builder = ColumnBuilder.of(type);
        for (Object value : values) {
            builder.append(
                    type instanceof DataType.Json && value != null
                            ? dev.tidemill.data.JsonText.of(value)
                            : value);
        }
        return builder.build();
    }

    private static long[] validity(List<Object> values) {
        if (!values.contains(null)) {
            return null;
        }
        long[] bits = new long[Bits.words(values.size())];
        for (int i = 0; i < values.size(); i++) {
            if (values.get(i) != null) {
                Bits.set(bits, i);
            }
        }
        return bits;
    }

    private static Column dictionary(List<Object> values) {
        List<Object> entries = values.stream().filter(value -> value != null).distinct().toList();
        ColumnBuilder builder = ColumnBuilder.of(DataType.UTF8);
        entries.forEach(builder::append);
        int[] indices = values.stream().mapToInt(entries::indexOf).toArray();
        return new DictionaryColumn(indices, builder.build(), validity(values), values.size());
    }
}
