package dev.tidemill.operators.window;

import dev.tidemill.data.Batch;
import dev.tidemill.data.Column;
import dev.tidemill.data.DataType;
import dev.tidemill.data.Field;
import dev.tidemill.data.Hashing;
import dev.tidemill.data.LongColumn;
import dev.tidemill.data.Schema;
import dev.tidemill.operators.AggregateKind;
import dev.tidemill.operators.AggregateSpec;
import dev.tidemill.operators.Operator;
import dev.tidemill.operators.SideOutput;
import dev.tidemill.operators.WindowSpec;
import dev.tidemill.operators.WindowedAggregateSpec;
import java.util.List;
import java.util.Random;
import java.util.function.IntToLongFunction;

/** Rows a second through the windowed step on one thread, by hand: run {@link #main}. */
final class WindowSpeed {
    private static final int BATCH_ROWS = 4096;
    private static final int BATCHES = 2000;
    private static final Schema SCHEMA =
            Schema.of(
                    new Field("t", DataType.INT64),
                    new Field("k", DataType.INT64),
                    new Field("v", DataType.INT64));

    private WindowSpeed() {}

    private static String only = "";

    /** @param args how many rounds, and the beginning of what is to be measured */
    public static void main(String[] args) {
        Random random = new Random(1);
        only = args.length > 1 ? args[1] : "";
        for (int round = 0; round < (args.length > 0 ? Integer.parseInt(args[0]) : 3); round++) {
            measure(
                    "count, tumbling 10 s, 100 k keys, 1 M rows a window",
                    WindowSpec.tumbling(1_000_000),
                    _ -> random.nextInt(100_000));
            measure(
                    "count, tumbling 10 s, a key for two rows, 10 k rows a window",
                    WindowSpec.tumbling(10_000),
                    row -> row / 10_000 * 5_000L + random.nextInt(5_000));
            measure(
                    "count, sliding 10 s by 2 s, a key for two rows",
                    WindowSpec.sliding(10_000, 2_000),
                    row -> row / 10_000 * 5_000L + random.nextInt(5_000));
            measure(
                    "count, sliding 10 s by 2 s, 1000 keys",
                    WindowSpec.sliding(10_000, 2_000),
                    _ -> random.nextInt(1000));
            measure(
                    "count, sliding 1 s by 10 ms, 10 keys",
                    WindowSpec.sliding(1_000, 10),
                    _ -> random.nextInt(10));
        }
    }

    private static void measure(String what, WindowSpec window, IntToLongFunction key) {
        if (!what.startsWith(only)) {
            return;
        }
        Batch[] batches = new Batch[BATCHES];
        Random random = new Random(2);
        for (int b = 0; b < BATCHES; b++) {
            long[] times = new long[BATCH_ROWS];
            long[] keys = new long[BATCH_ROWS];
            long[] values = new long[BATCH_ROWS];
            for (int i = 0; i < BATCH_ROWS; i++) {
                times[i] = (long) b * BATCH_ROWS + i;
                keys[i] = key.applyAsLong(b * BATCH_ROWS + i);
                values[i] = random.nextInt(1000);
            }
            batches[b] =
                    Batch.of(
                            SCHEMA,
                            new Column[] {
                                LongColumn.of(times), LongColumn.of(keys), LongColumn.of(values)
                            },
                            BATCH_ROWS);
            batches[b] = batches[b].withHashes(Hashing.hash(batches[b], new int[] {1}));
        }
        WindowedAggregateSpec spec =
                new WindowedAggregateSpec(
                        "w",
                        "t",
                        window,
                        List.of("k"),
                        List.of(new AggregateSpec(AggregateKind.COUNT, null, "n")),
                        0,
                        0,
                        0,
                        0,
                        false,
                        false);
        boolean isTwoStage = what.startsWith("partial");
        Operator partial = isTwoStage ? new PartialWindowAggregate(spec) : null;
        Operator operator = new WindowedAggregate(spec);
        SideOutput side = new WindowFixture.Side();
        long[] out = {0};
        long start = System.nanoTime();
        for (int b = 0; b < BATCHES; b++) {
            if (isTwoStage) {
                partial.process(0, batches[b], side);
                partial.advance((long) (b + 1) * BATCH_ROWS - 1);
                partial.drain(batch -> process(operator, batch, side), side);
            } else {
                operator.process(0, batches[b], side);
            }
            operator.advance((long) (b + 1) * BATCH_ROWS - 1);
            operator.drain(batch -> count(out, batch), side);
        }
        if (isTwoStage) {
            partial.finish();
            partial.drain(batch -> process(operator, batch, side), side);
        }
        operator.finish();
        operator.drain(batch -> count(out, batch), side);
        double seconds = (System.nanoTime() - start) / 1e9;
        System.out.printf(
                "%-62s %6.1f M rows/s, %,d results%n",
                what, BATCHES * (double) BATCH_ROWS / seconds / 1e6, out[0]);
    }

    private static boolean process(Operator operator, Batch batch, SideOutput side) {
        operator.process(0, batch, side);
        return true;
    }

    private static boolean count(long[] out, Batch batch) {
        out[0] += batch.rows();
        return true;
    }
}
