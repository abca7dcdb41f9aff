package dev.tidemill.kafka;

import dev.tidemill.spi.OptionValues;
import dev.tidemill.spi.PipelineContext;
import java.util.HashMap;
import java.util.Map;

/** The pipeline's settings that concern Kafka clients, with the defaults of those that are absent. */
record Settings(OptionValues values) {
    private static final long MAX_FETCH_BYTES = 50L << 20;

    static Settings of(PipelineContext context) {
        return new Settings(
                context.settings() == null ? new OptionValues(Map.of()) : context.settings());
    }

    /** The most rows in one poll: more than fit a batch would only make small batches beside the full ones. */
    int pollRows(int batchRows) {
        return Math.clamp(number("batchMax", batchRows), 1, batchRows);
    }

    long batchWaitMs() {
        return number("batchWaitMs", 0);
    }

    int maxConsumers() {
        return Math.clamp(number("maxConsumers", 16), 1, Integer.MAX_VALUE);
    }

    boolean fromEarliest() {
        return values.string("offsetReset").orElse("latest").equals("earliest");
    }

    /** Client properties of a consumer. */
    Map<String, Object> consumer() {
        Map<String, Object> out = new HashMap<>();
        put(out, "max.partition.fetch.bytes", number("fetchMaxBytes", 4 << 20));
        put(
                out,
                "fetch.max.bytes",
                Math.max(
                        1 << 20,
                        Math.min(MAX_FETCH_BYTES, number("fetchQueueKbytes", 524_288) << 10)));
        put(out, "fetch.max.wait.ms", number("fetchWaitMs", 100));
        put(out, "fetch.min.bytes", number("fetchMinBytes", 1));
        put(out, "session.timeout.ms", number("sessionTimeoutMs", 45_000));
        // The system grows the window as needed; the client's own default holds a fast reader back.
        put(out, "receive.buffer.bytes", -1);
        return out;
    }

    /** Client properties of a producer. */
    Map<String, Object> producer() {
        Map<String, Object> out = new HashMap<>();
        put(out, "linger.ms", number("produceLingerMs", 5));
        return out;
    }

    SinkFlush sinkFlush() {
        return SinkFlush.of(
                values.has("sinkFlush") ? values.string("sinkFlush").orElseThrow() : "512");
    }

    private long number(String name, long otherwise) {
        return values.integer(name).orElse(otherwise);
    }

    private static void put(Map<String, Object> out, String name, long value) {
        out.put(name, String.valueOf(value));
    }
}
