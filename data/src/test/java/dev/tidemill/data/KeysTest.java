package dev.tidemill.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Hashes, the order of values, and their JSON text. */
class KeysTest {
    private static long hash(DataType type, Object value) {
        return hashes(RandomValues.column(type, Arrays.asList(value)))[0];
    }

    private static long[] hashes(Column... columns) {
        List<Field> fields =
                IntStream.range(0, columns.length)
                        .mapToObj(i -> new Field("c" + i, columns[i].type()))
                        .toList();
        return Hashing.hash(
                Batch.of(new Schema(fields), columns),
                IntStream.range(0, columns.length).toArray());
    }

    @Test
    void equalKeysOfDifferentTypesMeet() {
        DataType decimal = new DataType.Decimal(38, 2);
        for (long value :
                new long[] {0, 1, -1, 1000, 1L << 53, Long.MIN_VALUE, 5_000_000_000_000_000_000L}) {
            long hash = hash(DataType.INT64, value);
            assertThat(hash(DataType.FLOAT64, (double) value)).as("%d", value).isEqualTo(hash);
            assertThat(hash(decimal, BigDecimal.valueOf(value).setScale(2)))
                    .as("%d", value)
                    .isEqualTo(hash);
            assertThat(hash(DataType.TIMESTAMP, value)).isEqualTo(hash);
        }
        assertThat(hash(decimal, BigDecimal.valueOf(Long.MAX_VALUE).setScale(2)))
                .isEqualTo(hash(DataType.INT64, Long.MAX_VALUE));
        assertThat(hash(DataType.FLOAT64, 0x1p63))
                .isNotEqualTo(hash(DataType.INT64, Long.MAX_VALUE));
        assertThat(hash(decimal, new BigDecimal("0.50"))).isEqualTo(hash(DataType.FLOAT64, 0.5));
        assertThat(hash(DataType.FLOAT64, -0.0)).isEqualTo(hash(DataType.FLOAT64, 0.0));
        assertThat(hash(DataType.FLOAT64, Double.longBitsToDouble(0xFFF8000000000001L)))
                .isEqualTo(hash(DataType.FLOAT64, Double.NaN));
        for (DataType type : RandomValues.SCALARS) {
            assertThat(hash(type, null)).as("%s", type).isEqualTo(hash(DataType.NULL, null));
        }
        DataType doubles = new DataType.ListOf(DataType.FLOAT64);
        assertThat(hash(doubles, List.of(-0.0, Double.NaN)))
                .isEqualTo(hash(doubles, List.of(0.0, -Double.NaN)));
        assertThat(hash(doubles, List.of(1.0)))
                .isEqualTo(hash(new DataType.ListOf(DataType.INT64), List.of(1L)));
        DataType bytes = new DataType.ListOf(DataType.BYTES);
        assertThat(hash(bytes, List.of(new byte[] {1})))
                .isEqualTo(hash(bytes, List.of(new byte[] {1})));
    }

    @Test
    void equalRowsHashEqually() {
        Random random = new Random(4);
        for (int i = 0; i < 200; i++) {
            DataType type = RandomValues.type(random, 2);
            List<Object> values = RandomValues.values(random, type, 50);
            long[] hashes = hashes(RandomValues.column(type, values));
            long[] alone = values.stream().mapToLong(value -> hash(type, value)).toArray();
            assertThat(hashes).as("%s", type).isEqualTo(alone);
            if (!(type instanceof DataType.Null)) {
                List<Object> some = values.stream().filter(value -> value != null).toList();
                int[] indices = random.ints(50, 0, Math.max(1, some.size())).toArray();
                Column dictionary =
                        new DictionaryColumn(
                                indices,
                                RandomValues.column(type, some),
                                some.isEmpty() ? new long[1] : null,
                                50);
                assertThat(hashes(dictionary))
                        .as("%s", type)
                        .isEqualTo(
                                hashes(
                                        dictionary instanceof DictionaryColumn d
                                                ? d.decode()
                                                : dictionary));
            }
        }
    }

    @Test
    void differentKeysSpread() {
        int keys = 200_000;
        long[] values = IntStream.range(0, keys).mapToLong(i -> i).toArray();
        String[] texts = IntStream.range(0, keys).mapToObj(i -> "key-" + i).toArray(String[]::new);
        for (long[] hashes :
                List.of(
                        hashes(LongColumn.of(values)),
                        hashes(BytesColumn.of(texts)),
                        hashes(LongColumn.of(values), BytesColumn.of(texts)))) {
            assertThat(Arrays.stream(hashes).distinct().count()).isEqualTo(keys);
            int[] vnodes = new int[128];
            int[] slots = new int[128];
            for (long hash : hashes) {
                vnodes[Hashing.vnode(hash, 128)]++;
                slots[(int) hash & 127]++;
            }
            for (int i = 0; i < 128; i++) {
                assertThat(vnodes[i]).isBetween(keys / 128 * 3 / 4, keys / 128 * 5 / 4);
                assertThat(slots[i]).isBetween(keys / 128 * 3 / 4, keys / 128 * 5 / 4);
            }
        }
        assertThat(hashes(LongColumn.of(1), LongColumn.of(2)))
                .isNotEqualTo(hashes(LongColumn.of(2), LongColumn.of(1)));
        assertThat(hash(DataType.UTF8, "")).isNotEqualTo(hash(DataType.UTF8, null));
        assertThat(hash(DataType.UTF8, "\0")).isNotEqualTo(hash(DataType.UTF8, "\0\0"));
    }

    @Test
    void tasksOwnContiguousRangesOfVnodes() {
        assertThat(Hashing.vnode(-1L, 128)).isEqualTo(127);
        assertThat(Hashing.vnode(0L, 128)).isZero();
        for (int tasks = 1; tasks <= 9; tasks++) {
            Set<Integer> seen = new HashSet<>();
            int before = 0;
            for (int vnode = 0; vnode < 128; vnode++) {
                int task = Hashing.task(vnode, 128, tasks);
                assertThat(task).isBetween(before, before + 1);
                before = task;
                seen.add(task);
            }
            assertThat(seen).hasSize(tasks);
        }
    }

    @Test
    void orderIsTotal() {
        Random random = new Random(5);
        for (int round = 0; round < 60; round++) {
            DataType type = RandomValues.type(random, round % 2);
            Column column = RandomValues.column(type, RandomValues.values(random, type, 12));
            for (int a = 0; a < 12; a++) {
                assertThat(Ordering.compare(column, a, column, a)).isZero();
                for (int b = 0; b < 12; b++) {
                    int ab = Integer.signum(Ordering.compare(column, a, column, b));
                    assertThat(ab)
                            .isEqualTo(-Integer.signum(Ordering.compare(column, b, column, a)));
                    if (column.isNull(a) && !column.isNull(b)) {
                        assertThat(ab).isNegative();
                    }
                    if (ab == 0 && Ordering.isOrdered(type)) {
                        assertThat(hashes(column)[a]).isEqualTo(hashes(column)[b]);
                    }
                    for (int c = 0; c < 12; c++) {
                        if (ab <= 0 && Ordering.compare(column, b, column, c) <= 0) {
                            assertThat(Ordering.compare(column, a, column, c))
                                    .as("%s", type)
                                    .isNotPositive();
                        }
                    }
                }
            }
        }
    }

    @Test
    void orderOfDoublesAndText() {
        double[] ascending = {
            Double.NEGATIVE_INFINITY,
            -1,
            0,
            Double.MIN_VALUE,
            1,
            Double.POSITIVE_INFINITY,
            Double.NaN
        };
        for (int i = 0; i < ascending.length; i++) {
            for (int k = 0; k < ascending.length; k++) {
                assertThat(Integer.signum(Ordering.compare(ascending[i], ascending[k])))
                        .isEqualTo(Integer.compare(i, k));
            }
        }
        assertThat(Ordering.compare(-0.0, 0.0)).isZero();
        Column text = BytesColumn.of("", "a", "ab", "b", "é", "\uFFFD", "😀");
        for (int i = 1; i < text.length(); i++) {
            assertThat(Ordering.compare(text, i - 1, text, i)).isNegative();
        }
    }

    @Test
    void jsonTextComesBack() {
        Random random = new Random(6);
        for (int i = 0; i < 2000; i++) {
            DataType type = RandomValues.type(random, 3);
            Object value = RandomValues.value(random, type, 5);
            // Once through, nulls are gone from objects, and NaN is null.
            Object once = JsonText.parse(JsonText.of(JsonText.parse(JsonText.of(value, type))));
            assertThat(JsonText.parse(JsonText.of(once))).as("%s", value).isEqualTo(once);
        }
        for (Object value :
                new Object[] {
                    Long.MIN_VALUE,
                    -0.0,
                    1e300,
                    Double.MIN_VALUE,
                    "\u0000\"\\/\n😀",
                    true,
                    List.of(List.of(), 1L)
                }) {
            assertThat(JsonText.parse(JsonText.of(value))).isEqualTo(value);
        }
        assertThat(JsonText.of(Double.NaN)).isEqualTo("null");
        assertThat(
                        JsonText.parse(
                                " { \"a\" : [ 1 , 2.5e1 , \"\\u00e9\\ud83d\\ude00\" ] , \"b\" : null } "))
                .hasToString("{a=[1, 25.0, é😀], b=null}");
    }

    @Test
    void garbageIsNoJsonAndNoException() {
        Random random = new Random(7);
        String[] tokens = {
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "\"",
            "\"a\"",
            "1",
            "-",
            "e",
            ".",
            "true",
            "nul",
            "\\u12",
            "\\",
            " ",
            "é",
            "99999999999999999999"
        };
        List<String> texts =
                new ArrayList<>(
                        List.of(
                                "",
                                "[".repeat(100_000),
                                "{\"a\":".repeat(100_000),
                                "1e",
                                "--",
                                "\"\\u"));
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int k = random.nextInt(10); k > 0; k--) {
                text.append(tokens[random.nextInt(tokens.length)]);
            }
            texts.add(text.toString());
        }
        for (String text : texts) {
            JsonText.parse(text);
        }
    }
}
