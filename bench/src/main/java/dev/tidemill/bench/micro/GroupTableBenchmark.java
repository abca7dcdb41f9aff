package dev.tidemill.bench.micro;

import dev.tidemill.data.Batch;
import dev.tidemill.data.BytesColumn;
import dev.tidemill.data.Column;
import dev.tidemill.data.DataType;
import dev.tidemill.data.Field;
import dev.tidemill.data.Hashing;
import dev.tidemill.data.LongColumn;
import dev.tidemill.data.Schema;
import dev.tidemill.state.GroupTable;
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

/** count by key over keys in random order: the group of each row is looked up and its counter raised. One operation is one row. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {"-XX:+UseCompactObjectHeaders", "-XX:+UseSerialGC", "-Xmx1g"})
public class GroupTableBenchmark {
    private static final int ROWS = 4096;
    private static final int[] KEY = {0};

    @Param({"1000", "100000", "1000000"})
    public int keys;

    @Param({"int64", "string"})
    public String type;

    private Batch[] batches;
    private GroupTable table;
    private long[] counts;
    private final int[] groups = new int[ROWS];
    private int next;

    /** Fills the table. */
    @Setup
    public void setUp() {
        DataType keyType = type.equals("int64") ? DataType.INT64 : DataType.UTF8;
        Schema schema = Schema.of(new Field("key", keyType));
        Random random = new Random(1);
        batches = new Batch[Math.max(64, 2 * keys / ROWS)];
        for (int i = 0; i < batches.length; i++) {
            long[] values = random.longs(ROWS, 0, keys).toArray();
            Batch batch = Batch.of(schema, keyColumn(values));
            batches[i] = batch.withHashes(Hashing.hash(batch, KEY));
        }
        table = new GroupTable(List.of(keyType));
        counts = new long[keys];
        for (int i = 0; i < batches.length; i++) {
            count();
        }
    }

    private Column keyColumn(long[] values) {
        if (type.equals("int64")) {
            return LongColumn.of(values);
        }
        String[] texts = new String[values.length];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = "user-" + values[i];
        }
        return BytesColumn.of(texts);
    }

    /** One batch. */
    @Benchmark
    @OperationsPerInvocation(ROWS)
    public long count() {
        Batch batch = batches[next];
        next = next + 1 == batches.length ? 0 : next + 1;
        table.probe(batch, KEY, batch.hashes(), groups);
        for (int i = 0; i < ROWS; i++) {
            counts[groups[i]]++;
        }
        return counts[0];
    }
}
