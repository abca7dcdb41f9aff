package dev.tidemill.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ColumnsTest {
    private static final int[] SIZES = {0, 1, 7, 63, 64, 65, 129, 300};

    static LongStream seeds() {
        return LongStream.concat(LongStream.range(0, 60), LongStream.of(System.nanoTime()));
    }

    private static int size(Random random) {
        return SIZES[random.nextInt(SIZES.length)];
    }

    private static List<Object> comparable(List<Object> values) {
        return values.stream()
                .map(RandomValues::comparable)
                .collect(ArrayList::new, ArrayList::add, ArrayList::addAll);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void buildersKeepEveryValueAndStartAgain(long seed) {
        Random random = new Random(seed);
        DataType type = RandomValues.type(random, 2);
        ColumnBuilder builder = ColumnBuilder.of(type);
        List<Column> built = new ArrayList<>();
        List<List<Object>> given = new ArrayList<>();
        for (int round = 0; round < 3; round++) {
            List<Object> values = RandomValues.values(random, type, size(random));
            values.forEach(builder::append);
            assertThat(builder.length()).isEqualTo(values.size());
            built.add(builder.build());
            given.add(values);
        }
        for (int round = 0; round < 3; round++) {
            Column column = built.get(round);
            assertThat(column.type()).as("seed %d", seed).isEqualTo(type);
            assertThat(RandomValues.rows(column))
                    .as("seed %d, %s", seed, type)
                    .isEqualTo(comparable(given.get(round)));
            boolean anyNull = given.get(round).contains(null);
            assertThat(column.hasNulls())
                    .as("seed %d", seed)
                    .isEqualTo(anyNull && !(type instanceof DataType.Null));
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void gatherPicksRows(long seed) {
        Random random = new Random(seed);
        DataType type = RandomValues.type(random, 2);
        List<Object> values = RandomValues.values(random, type, 1 + size(random));
        Column column = RandomValues.column(type, values);
        if (random.nextBoolean()) {
            column = column.gather(Selection.all(values.size()).rows(), values.size());
        }
        int[] rows = random.ints(size(random), 0, values.size()).toArray();
        List<Object> wanted = new ArrayList<>();
        for (int row : rows) {
            wanted.add(RandomValues.comparable(values.get(row)));
        }
        assertThat(RandomValues.rows(column.gather(rows, rows.length)))
                .as("seed %d, %s", seed, type)
                .isEqualTo(wanted);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void concatPutsOneAfterTheOther(long seed) {
        Random random = new Random(seed);
        DataType type = RandomValues.type(random, 2);
        List<Column> parts = new ArrayList<>();
        List<Object> wanted = new ArrayList<>();
        for (int i = random.nextInt(4); i >= 0; i--) {
            List<Object> values = RandomValues.values(random, type, size(random));
            Column plain = RandomValues.column(type, values);
            boolean encode =
                    !(type instanceof DataType.Null) && !values.isEmpty() && random.nextInt(3) == 0;
            parts.add(encode ? dictionary(plain) : plain);
            wanted.addAll(comparable(values));
        }
        Column all = Columns.concat(type, parts);
        assertThat(all).isNotInstanceOf(DictionaryColumn.class);
        assertThat(RandomValues.rows(all)).as("seed %d, %s", seed, type).isEqualTo(wanted);
    }

    /** A dictionary with an entry a row, in reverse order; what lies under nulls is garbage. */
    private static Column dictionary(Column column) {
        List<Object> entries = new ArrayList<>();
        int[] indices = new int[column.length()];
        for (int i = column.length() - 1; i >= 0; i--) {
            indices[i] = column.isNull(i) ? -7 : entries.size();
            if (!column.isNull(i)) {
                entries.add(column.value(i));
            }
        }
        return new DictionaryColumn(
                indices,
                RandomValues.column(column.type(), entries),
                column.validity(),
                column.length());
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void withValidityHidesRows(long seed) {
        Random random = new Random(seed);
        DataType type = RandomValues.type(random, 1);
        List<Object> values = RandomValues.values(random, type, size(random));
        Column column = RandomValues.column(type, values);
        long[] validity = column.hasNulls() ? column.validity().clone() : Bits.ones(values.size());
        List<Object> wanted = comparable(values);
        for (int i = 0; i < values.size(); i++) {
            if (random.nextInt(3) == 0) {
                Bits.clear(validity, i);
                wanted.set(i, null);
            }
        }
        Column hidden = Columns.withValidity(column, validity);
        assertThat(RandomValues.rows(hidden)).as("seed %d, %s", seed, type).isEqualTo(wanted);
        if (hidden instanceof BoolColumn bools) {
            for (int i = 0; i < values.size(); i++) {
                assertThat(bools.get(i)).isEqualTo(Boolean.TRUE.equals(wanted.get(i)));
            }
        }
    }

    @Test
    void allNullAndConstant() {
        Random random = new Random(1);
        for (int i = 0; i < 100; i++) {
            DataType type = RandomValues.type(random, 2);
            assertThat(RandomValues.rows(Columns.allNull(type, 65)))
                    .hasSize(65)
                    .containsOnlyNulls();
            assertThat(Columns.allNull(type, 65).type()).isEqualTo(type);
            Object value = RandomValues.value(random, type, Integer.MAX_VALUE);
            assertThat(RandomValues.rows(Columns.constant(type, value, 3)))
                    .hasSize(3)
                    .containsOnly(RandomValues.comparable(value));
        }
    }

    @Test
    void bitsFollowABitSet() {
        Random random = new Random(2);
        for (int size : SIZES) {
            BitSet a = BitSet.valueOf(random.longs(Bits.words(size)).toArray());
            BitSet b = BitSet.valueOf(random.longs(Bits.words(size)).toArray());
            a.clear(size, 64 * Bits.words(size));
            b.clear(size, 64 * Bits.words(size));
            long[] x = java.util.Arrays.copyOf(a.toLongArray(), Bits.words(size));
            long[] y = java.util.Arrays.copyOf(b.toLongArray(), Bits.words(size));
            assertThat(Bits.count(x, size)).isEqualTo(a.cardinality());
            assertThat(Bits.count(Bits.ones(size), size)).isEqualTo(size);
            assertThat(BitSet.valueOf(Bits.ones(size)).length()).isEqualTo(size);
            BitSet both = (BitSet) a.clone();
            both.and(b);
            assertThat(BitSet.valueOf(Bits.and(x, y))).isEqualTo(both);
            assertThat(Bits.and(null, y)).isSameAs(y);
            assertThat(Bits.and(x, null)).isSameAs(x);
            assertThat(Bits.and(null, null)).isNull();
            for (int i = 0; i < size; i++) {
                assertThat(Bits.get(x, i)).isEqualTo(a.get(i));
                long[] changed = x.clone();
                Bits.set(changed, i);
                assertThat(Bits.get(changed, i)).isTrue();
                Bits.clear(changed, i);
                a.clear(i);
                assertThat(BitSet.valueOf(changed)).isEqualTo(a);
                x = changed;
            }
        }
    }
}
