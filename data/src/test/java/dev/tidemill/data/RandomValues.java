package dev.tidemill.data;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Random types, and values of them as {@link Column#value} gives them. */
final class RandomValues {
    static final List<DataType> SCALARS =
            List.of(
                    DataType.NULL,
                    DataType.BOOL,
                    DataType.INT64,
                    DataType.FLOAT64,
                    new DataType.Decimal(10, 2),
                    new DataType.Decimal(38, 0),
                    DataType.UTF8,
                    DataType.BYTES,
                    DataType.TIMESTAMP,
                    DataType.DATE,
                    DataType.JSON);

    private RandomValues() {}

    static DataType type(Random random, int depth) {
        int choice = random.nextInt(depth == 0 ? 1 : 4);
        return switch (choice) {
            case 2 -> new DataType.ListOf(type(random, depth - 1));
            case 3 ->
                    new DataType.Struct(
                            List.of(
                                    new Field("a", type(random, depth - 1)),
                                    new Field("b", type(random, depth - 1))));
            default -> SCALARS.get(random.nextInt(SCALARS.size()));
        };
    }

    static Object value(Random random, DataType type, int nullsOneIn) {
        if (type instanceof DataType.Null || random.nextInt(nullsOneIn) == 0) {
            return null;
        }
        return switch (type) {
            case DataType.Bool _ -> random.nextBoolean();
            case DataType.Int64 _, DataType.Timestamp _ -> number(random);
            case DataType.Date _ -> 86_400_000L * random.nextInt(-1000, 1000);
            case DataType.Float64 _ -> floating(random);
            case DataType.Decimal d ->
                    new BigDecimal(new BigInteger(random.nextInt(33), random), d.scale())
                            .multiply(new BigDecimal(random.nextInt(3) - 1))
                            .setScale(d.scale());
            case DataType.Bytes _ -> text(random).getBytes(StandardCharsets.UTF_8);
            case DataType.Json _ ->
                    JsonText.of(
                            random.nextBoolean()
                                    ? number(random)
                                    : List.of(text(random), Map.of("k", true)));
            case DataType.ListOf(DataType element) -> {
                List<Object> list = new ArrayList<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    list.add(value(random, element, nullsOneIn));
                }
                yield list;
            }
            case DataType.Struct struct -> {
                Map<String, Object> map = new LinkedHashMap<>();
                struct.fields()
                        .forEach(
                                field ->
                                        map.put(
                                                field.name(),
                                                value(random, field.type(), nullsOneIn)));
                yield map;
            }
            default -> text(random);
        };
    }

    private static Long number(Random random) {
        return switch (random.nextInt(6)) {
            case 0 -> Long.MAX_VALUE;
            case 1 -> Long.MIN_VALUE;
            case 2 -> random.nextLong();
            default -> (long) random.nextInt(-3, 4);
        };
    }

    static Double floating(Random random) {
        double[] special = {
            0.0,
            -0.0,
            Double.NaN,
            Double.longBitsToDouble(0xFFF8000000000001L),
            Double.POSITIVE_INFINITY,
            Double.NEGATIVE_INFINITY,
            0x1p63,
            -0x1p63,
            1.5
        };
        return random.nextBoolean()
                ? special[random.nextInt(special.length)]
                : (Double) (double) random.nextInt(-3, 4);
    }

    static String text(Random random) {
        String[] texts = {
            "",
            "a",
            "b",
            "ab",
            "\"q\"\\",
            "\n\t\u0001",
            "é",
            "日本",
            "😀",
            "\uFFFF",
            "12345678",
            "1234567890"
        };
        return texts[random.nextInt(texts.length)] + texts[random.nextInt(texts.length)];
    }

    static List<Object> values(Random random, DataType type, int count) {
        int nullsOneIn = random.nextBoolean() ? 4 : Integer.MAX_VALUE;
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            values.add(value(random, type, nullsOneIn));
        }
        return values;
    }

    static Column column(DataType type, List<Object> values) {
        ColumnBuilder builder = ColumnBuilder.of(type);
        values.forEach(builder::append);
        return builder.build();
    }

    /** The rows of a column, with bytes as lists so that they compare. */
    static List<Object> rows(Column column) {
        List<Object> out = new ArrayList<>();
        for (int i = 0; i < column.length(); i++) {
            out.add(comparable(column.value(i)));
        }
        return out;
    }

    static Object comparable(Object value) {
        return switch (value) {
            case byte[] bytes -> {
                List<Object> list = new ArrayList<>(List.of("bytes"));
                for (byte b : bytes) {
                    list.add(b);
                }
                yield list;
            }
            case List<?> list ->
                    new ArrayList<>(list.stream().map(RandomValues::comparable).toList());
            case Map<?, ?> map -> {
                Map<Object, Object> copy = new LinkedHashMap<>();
                map.forEach((key, item) -> copy.put(key, comparable(item)));
                yield copy;
            }
            case null, default -> value;
        };
    }
}
