package dev.tidemill.operators.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemill.data.Batch;
import dev.tidemill.data.DataType;
import dev.tidemill.data.Field;
import dev.tidemill.data.Hashing;
import dev.tidemill.data.Schema;
import dev.tidemill.operators.AggregateKind;
import dev.tidemill.operators.AggregateSpec;
import dev.tidemill.operators.WindowSpec;
import dev.tidemill.operators.WindowedAggregateSpec;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The way over partial aggregates against the direct one, while the partial step changes between aggregating and passing rows on. */
class PartialWindowAggregateTest {
    private static final Schema ROWS =
            Schema.of(
                    new Field("t", DataType.INT64),
                    new Field("k", DataType.UTF8),
                    new Field("v", DataType.INT64),
                    new Field("d", DataType.FLOAT64),
                    new Field("m", new DataType.Decimal(10, 2)),
                    new Field("f", DataType.BOOL),
                    new Field("n", DataType.NULL));

    private static AggregateSpec of(AggregateKind kind, String column) {
        return new AggregateSpec(kind, column, kind.label() + "_" + column);
    }

    private static WindowedAggregateSpec spec(WindowSpec window) {
        List<AggregateSpec> aggregates = new ArrayList<>();
        aggregates.add(new AggregateSpec(AggregateKind.COUNT, null, "count"));
        for (String column : List.of("v", "d", "m", "n")) {
            for (AggregateKind kind :
                    List.of(
                            AggregateKind.COUNT,
                            AggregateKind.SUM,
                            AggregateKind.AVG,
                            AggregateKind.MIN,
                            AggregateKind.MAX)) {
                aggregates.add(of(kind, column));
            }
        }
        aggregates.addAll(
                List.of(
                        of(AggregateKind.MIN, "k"),
                        of(AggregateKind.MAX, "f"),
                        of(AggregateKind.BOOL_AND, "f"),
                        of(AggregateKind.BOOL_OR, "f"),
                        of(AggregateKind.BIT_AND, "v"),
                        of(AggregateKind.BIT_OR, "v"),
                        of(AggregateKind.BIT_XOR, "v"),
                        of(AggregateKind.VAR_POP, "n")));
        return new WindowedAggregateSpec(
                "w", "t", window, List.of("k"), aggregates, 0, 0, 0, 0, true, false);
    }

    private static Batch batch(Random random, int keys, int from) {
        List<Object[]> rows = new ArrayList<>();
        for (int i = random.nextInt(40); i > 0; i--) {
            // Values of which sums are exact, in any order.
            rows.add(
                    new Object[] {
                        (long) from + random.nextInt(30),
                        random.nextInt(9) == 0 ? null : "k" + random.nextInt(keys),
                        random.nextInt(5) == 0 ? null : (Object) (long) random.nextInt(100),
                        random.nextInt(5) == 0 ? null : (Object) (random.nextInt(100) / 4.0),
                        random.nextInt(5) == 0 ? null : BigDecimal.valueOf(random.nextInt(1000), 2),
                        random.nextInt(5) == 0 ? null : (Object) random.nextBoolean(),
                        null
                    });
        }
        return WindowFixture.batch(ROWS, rows);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void bothWaysGiveTheSame(int seed) {
        Random random = new Random(seed);
        WindowedAggregateSpec spec =
                spec(seed % 2 == 0 ? WindowSpec.tumbling(10) : WindowSpec.sliding(14, 4));
        WindowFixture direct = new WindowFixture(new WindowedAggregate(spec));
        WindowFixture last = new WindowFixture(new WindowedAggregate(spec));
        PartialWindowAggregate partial = new PartialWindowAggregate(spec, 40, 60);
        int passed = 0;
        for (int round = 0; round < 60; round++) {
            Batch batch = batch(random, round < 30 ? 3 : 1000, 5 * round);
            direct.process(batch);
            partial.process(0, batch, direct.side);
            List<Batch> sent = drained(partial);
            passed +=
                    sent.stream().anyMatch(b -> b.rows() == batch.rows() && b.rows() > 10) ? 1 : 0;
            sent.forEach(last::process);
            if (round % 3 == 0) {
                direct.advance(5L * round);
                partial.advance(5L * round);
                drained(partial).forEach(last::process);
                last.advance(5L * round);
            }
        }
        direct.finish();
        partial.finish();
        drained(partial).forEach(last::process);
        last.finish();
        assertThat(last.out).isEqualTo(direct.out);
        assertThat(last.side.late).isEqualTo(direct.side.late).isEqualTo(0);
        assertThat(passed).isPositive();
    }

    private static List<Batch> drained(PartialWindowAggregate partial) {
        List<Batch> out = new ArrayList<>();
        while (!partial.drain(out::add, null)) {}
        for (Batch batch : out) {
            if (batch.hashes() == null) {
                continue;
            }
            int key = batch.schema().indexOf("k");
            long[] hashes = Hashing.hash(batch, key < 0 ? new int[0] : new int[] {key});
            for (int row = 0; row < batch.rows(); row++) {
                assertThat(batch.hashes()[row]).isEqualTo(hashes[row]);
            }
        }
        return out;
    }

    @Test
    void aColumnThatHasOnlyBeenNullTakesTheTypeThatOthersGiveIt() {
        for (DataType type :
                List.of(
                        DataType.BOOL,
                        DataType.TIMESTAMP,
                        DataType.UTF8,
                        DataType.FLOAT64,
                        new DataType.Decimal(5, 1))) {
            WindowedAggregateSpec spec =
                    new WindowedAggregateSpec(
                            "w",
                            "t",
                            WindowSpec.tumbling(10),
                            List.of(),
                            List.of(of(AggregateKind.MAX, "x")),
                            0,
                            0,
                            0,
                            0,
                            false,
                            false);
            PartialWindowAggregate nulls = new PartialWindowAggregate(spec);
            PartialWindowAggregate values = new PartialWindowAggregate(spec);
            Schema known = Schema.of(new Field("t", DataType.INT64), new Field("x", type));
            Object value =
                    switch (type) {
                        case DataType.Bool _ -> true;
                        case DataType.Timestamp _ -> 77L;
                        case DataType.Float64 _ -> 0.5;
                        case DataType.Utf8 _ -> "x";
                        default -> new BigDecimal("1.5");
                    };
            nulls.process(
                    0,
                    WindowFixture.batch(
                            Schema.of(
                                    new Field("t", DataType.INT64), new Field("x", DataType.NULL)),
                            List.<Object[]>of(new Object[] {1L, null})),
                    null);
            values.process(
                    0,
                    WindowFixture.batch(known, List.<Object[]>of(new Object[] {2L, value})),
                    null);
            nulls.finish();
            values.finish();
            WindowFixture last = new WindowFixture(new WindowedAggregate(spec));
            drained(nulls).forEach(last::process);
            drained(values).forEach(last::process);
            last.finish();
            assertThat(last.out)
                    .singleElement()
                    .satisfies(row -> assertThat(row).containsEntry("max_x", value));
        }
    }

    @Test
    void aSumBeyondInt64OnTheWayIsExactAtTheEnd() {
        WindowedAggregateSpec spec =
                new WindowedAggregateSpec(
                        "w",
                        "t",
                        WindowSpec.tumbling(10),
                        List.of(),
                        List.of(of(AggregateKind.SUM, "v")),
                        0,
                        0,
                        0,
                        0,
                        false,
                        false);
        WindowFixture last = new WindowFixture(new WindowedAggregate(spec));
        Schema rows = Schema.of(new Field("t", DataType.INT64), new Field("v", DataType.INT64));
        for (long value : new long[] {Long.MAX_VALUE, Long.MIN_VALUE}) {
            PartialWindowAggregate partial = new PartialWindowAggregate(spec);
            partial.process(
                    0,
                    WindowFixture.batch(
                            rows,
                            List.of(
                                    new Object[] {1L, value},
                                    new Object[] {1L, value},
                                    new Object[] {1L, 1L})),
                    null);
            partial.finish();
            drained(partial).forEach(last::process);
        }
        last.finish();
        assertThat(last.lines("sum_v")).containsExactly("0");
    }
}
