package dev.tidemill.runtime;

import dev.tidemill.data.Batch;
import dev.tidemill.data.DataType;
import dev.tidemill.data.Field;
import dev.tidemill.data.LongColumn;
import dev.tidemill.data.Schema;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The cost of an edge without contention: batches go in and out again on one thread. One operation is one batch. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {"-XX:+UseCompactObjectHeaders", "-XX:+UseSerialGC"})
public class EdgeBenchmark {
    private static final int BATCHES = 128;

    private final Edge edge = new Edge(1 << 20, 1L << 30);
    private final Element element =
            new Element.Rows(
                    Batch.of(Schema.of(new Field("k", DataType.INT64)), LongColumn.of(1, 2, 3)));

    /** Half the slots of the edge. */
    @Benchmark
    @OperationsPerInvocation(BATCHES)
    public int offerAndPoll() {
        int accepted = 0;
        for (int i = 0; i < BATCHES; i++) {
            accepted += edge.offer(element) ? 1 : 0;
        }
        for (int i = 0; i < BATCHES; i++) {
            accepted += edge.poll() == element ? 1 : 0;
        }
        return accepted;
    }
}
