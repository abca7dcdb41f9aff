package dev.tidemill.runtime;

import dev.tidemill.data.Batch;
import dev.tidemill.data.BytesColumn;
import dev.tidemill.data.Column;
import dev.tidemill.data.DataType;
import dev.tidemill.data.Field;
import dev.tidemill.data.LongColumn;
import dev.tidemill.data.Schema;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The shuffle of bids on one thread: keys are hashed, rows are split by task, go through the edges and are taken at the other end. One operation is one row
 * of three int64 columns and a string.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {"-XX:+UseCompactObjectHeaders", "-XX:+UseSerialGC", "-Xmx1g"})
public class ShuffleBenchmark {
    private static final int ROWS = 4096;
    private static final int VNODES = 128;
    private static final Schema SCHEMA =
            Schema.of(
                    new Field("auction", DataType.INT64),
                    new Field("price", DataType.INT64),
                    new Field("dateTime", DataType.INT64),
                    new Field("channel", DataType.UTF8));

    @Param({"1", "2", "8"})
    public int tasks;

    @Param({"auction", "channel"})
    public String key;

    private Batch[] batches;
    private Edge[] edges;
    private SendStage stage;
    private int next;

    /** Makes the batches and the edges. */
    @Setup
    public void setUp() {
        Random random = new Random(1);
        batches = new Batch[16];
        for (int i = 0; i < batches.length; i++) {
            String[] channels = new String[ROWS];
            for (int r = 0; r < ROWS; r++) {
                channels[r] = "channel-" + random.nextInt(10_000);
            }
            Column[] columns = {
                LongColumn.of(random.longs(ROWS, 0, 20_000).toArray()),
                LongColumn.of(random.longs(ROWS).toArray()),
                LongColumn.of(random.longs(ROWS).toArray()),
                BytesColumn.of(channels)
            };
            batches[i] = Batch.of(SCHEMA, columns, ROWS);
        }
        edges = new Edge[tasks];
        for (int i = 0; i < tasks; i++) {
            edges[i] = new Edge(1 << 20, 1L << 30);
        }
        stage = new SendStage(edges, new Dataflow.Route.Shuffle(List.of(key)), VNODES, 0);
    }

    /** One batch. */
    @Benchmark
    @OperationsPerInvocation(ROWS)
    public int shuffle() {
        stage.batch(batches[next++ & 15]);
        int rows = 0;
        for (Edge edge : edges) {
            for (Element element = edge.poll(); element != null; element = edge.poll()) {
                rows += element instanceof Element.Rows(var batch) ? batch.rows() : 0;
            }
        }
        return rows;
    }
}
