package dev.tidemill.bench.micro;

import dev.tidemill.data.Batch;
import dev.tidemill.formats.BadDataException;
import dev.tidemill.formats.BadDataSink;
import dev.tidemill.formats.json.JsonDecoder;
import dev.tidemill.formats.json.JsonOptions;
import java.nio.charset.StandardCharsets;
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
 * Lines of Nexmark bids into columns: some of them, or all. One operation is one line of about 285 bytes, so that GB/s is about 285 divided by the
 * nanoseconds.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {"-XX:+UseCompactObjectHeaders", "-XX:+UseSerialGC"})
public class JsonDecoderBenchmark {
    private static final int LINES = 20_000;
    private static final int BATCH_ROWS = 1024;

    /** The columns that are read; empty for all. */
    @Param({"type,auction,price,dateTime", ""})
    public String columns;

    private byte[] data;
    private JsonDecoder decoder;

    /** Makes the lines. */
    @Setup
    public void setUp() {
        Random random = new Random(1);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < LINES; i++) {
            line(text, random, i);
        }
        data = text.toString().getBytes(StandardCharsets.UTF_8);
        List<String> wanted = columns.isEmpty() ? null : List.of(columns.split(","));
        decoder = new JsonDecoder(JsonOptions.inferred().withWanted(wanted), new Refused());
    }

    private static void line(StringBuilder out, Random random, int number) {
        out.append("{\"type\":\"bid\",\"auction\":").append(1000 + random.nextInt(10_000));
        out.append(",\"bidder\":").append(1000 + random.nextInt(100_000));
        out.append(",\"price\":").append(100 + random.nextInt(100_000_000));
        out.append(",\"channel\":\"channel-").append(random.nextInt(10_000));
        out.append("\",\"url\":\"https://www.nexmark.com/abc/defg/hij/item.htm?query=1&channel_id=")
                .append(random.nextInt(1 << 30));
        out.append("\",\"dateTime\":")
                .append(1_767_225_600_000L + 2L * number)
                .append(",\"extra\":\"");
        for (int i = 30 + random.nextInt(60); i > 0; i--) {
            char c = (char) ('H' + random.nextInt(50));
            out.append(c == '\\' ? "\\\\" : c);
        }
        out.append("\"}\n");
    }

    /** Decodes all lines in batches. */
    @Benchmark
    @OperationsPerInvocation(LINES)
    public long decode() throws BadDataException {
        long rows = 0;
        for (int at = 0; at < data.length; ) {
            at = decoder.lines(data, at, data.length, true, at, BATCH_ROWS);
            Batch batch = decoder.take();
            rows += batch.rows();
        }
        return rows;
    }

    private static final class Refused implements BadDataSink {
        @Override
        public void badRecord(long offset, String reason, byte[] bytes, int from, int to) {
            throw new IllegalStateException(reason);
        }

        @Override
        public void misfit(
                long offset, String column, String reason, byte[] bytes, int from, int to) {
            throw new IllegalStateException(reason);
        }
    }
}
