package dev.tidemill.bench.micro;

import dev.tidemill.data.Batch;
import dev.tidemill.data.BytesColumn;
import dev.tidemill.data.Column;
import dev.tidemill.data.DataType;
import dev.tidemill.data.DoubleColumn;
import dev.tidemill.data.Field;
import dev.tidemill.data.LongColumn;
import dev.tidemill.data.Schema;
import dev.tidemill.data.Selection;
import dev.tidemill.expr.BoundExpression;
import dev.tidemill.expr.Expression;
import dev.tidemill.expr.ExpressionException;
import dev.tidemill.expr.RowErrors;
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

/** Expressions over batches of bids, 92 of 100 rows with type bid. One operation is one row. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {"-XX:+UseCompactObjectHeaders", "-XX:+UseSerialGC", "-Xmx1g"})
public class ExpressionBenchmark {
    private static final int ROWS = 4096;
    private static final Schema SCHEMA =
            Schema.of(
                    new Field("auction", DataType.INT64),
                    new Field("price", DataType.INT64),
                    new Field("rate", DataType.FLOAT64),
                    new Field("type", DataType.UTF8),
                    new Field("channel", DataType.UTF8),
                    new Field("url", DataType.UTF8));

    /** A filter is evaluated by a filter expression, any other as a column. */
    @Param({
        "price > 500 && type == 'bid'",
        "auction % 123 == 0",
        "rate > 500",
        "type == channel",
        "price * 0.908",
        "price + auction * 2",
        "-rate",
        "type == 'bid' ? price : 0",
        "type == 'bid' ? channel : url",
        "channel in ['Apple', 'Google']",
        "lower(channel)",
        "contains(url, 'item')",
        "startsWith(url, 'https://www')",
        "length(channel)",
        "concat(channel, '-', type)",
        "splitPart(url, '/', 4)",
        "substr(url, 9, 10)",
        "coalesce(price, 0)",
        "floor(rate)"
    })
    public String text;

    private final RowErrors errors = new RowErrors();
    private BoundExpression expression;
    private boolean filters;
    private Batch[] batches;
    private int next;

    /** Makes the batches. */
    @Setup
    public void setUp() throws ExpressionException {
        Random random = new Random(1);
        batches = new Batch[16];
        for (int i = 0; i < batches.length; i++) {
            batches[i] = batch(random);
        }
        expression = Expression.parse(text).bind(SCHEMA);
        filters = expression.type() instanceof DataType.Bool;
    }

    private static Batch batch(Random random) {
        String[] types = new String[ROWS];
        String[] channels = new String[ROWS];
        String[] urls = new String[ROWS];
        String[] names = {"Apple", "Google", "Facebook", "Baidu"};
        for (int i = 0; i < ROWS; i++) {
            int choice = random.nextInt(50);
            types[i] = choice == 0 ? "person" : choice < 4 ? "auction" : "bid";
            channels[i] =
                    random.nextBoolean()
                            ? names[random.nextInt(4)]
                            : "channel-" + random.nextInt(10_000);
            urls[i] =
                    "https://www.nexmark.com/"
                            + Integer.toString(random.nextInt(1 << 28), 36)
                            + "/item.htm?query=1&channel_id="
                            + random.nextInt(1000);
        }
        Column[] columns = {
            LongColumn.of(random.longs(ROWS, 0, 20_000).toArray()),
            LongColumn.of(random.longs(ROWS, 0, 10_000).toArray()),
            DoubleColumn.of(random.doubles(ROWS, 0, 1000).toArray()),
            BytesColumn.of(types),
            BytesColumn.of(channels),
            BytesColumn.of(urls)
        };
        return Batch.of(SCHEMA, columns, ROWS);
    }

    /** One batch. */
    @Benchmark
    @OperationsPerInvocation(ROWS)
    public Object evaluate() {
        Batch batch = batches[next++ & 15];
        errors.reset(ROWS);
        if (filters) {
            Selection selection = expression.filter(batch, errors);
            return selection.count();
        }
        return expression.eval(batch, errors);
    }
}
