package dev.tidemill.nexmark;

import dev.tidemill.data.Batch;
import dev.tidemill.data.Columns;
import dev.tidemill.data.DataType;
import dev.tidemill.data.Field;
import dev.tidemill.data.Schema;
import dev.tidemill.kafka.OwnTopic;
import dev.tidemill.spi.Clock;
import dev.tidemill.spi.ConfigException;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;

/** Writes the events to a topic, event n to partition n mod partitions, at their rate, with the sentinels of each partition last. */
record TopicFiller(NexmarkOptions options, OwnTopic topic, Clock clock) {
    private static final int CHUNK = 1000;
    private static final long NANOS_PER_MS = 1_000_000;

    /** A paced topic gets events at least so many times a second. */
    private static final long STEPS_PER_SECOND = 100;

    private static final Schema SCHEMA = Events.SCHEMA.append(new Field(Schema.KEY, DataType.UTF8));

    /**
     * Whether the topic, which is made when it is missing, is empty and so to be filled.
     *
     * @throws ConfigException when it holds something else than all events
     */
    boolean isNeeded() throws ConfigException, IOException, InterruptedException {
        List<Long> found = topic.messages(options.partitions());
        List<Long> expected =
                IntStream.range(0, options.partitions())
                        .mapToObj(
                                p ->
                                        options.eventsOf(p, options.partitions())
                                                + (options.tail() ? 3 : 0))
                        .toList();
        if (found.equals(expected)) {
            return false;
        }
        long total = sum(found);
        if (total == 0) {
            return true;
        }
        throw new ConfigException(
                "topic",
                "the topic "
                        + topic.name()
                        + " holds "
                        + total
                        + " messages where all events are "
                        + sum(expected)
                        + ": it was filled in part, or with other events; delete it or name another");
    }

    private static long sum(List<Long> counts) {
        return counts.stream().mapToLong(n -> n).sum();
    }

    /** Fills the topic; returns when the broker has everything. */
    void fill() throws ConfigException, IOException, InterruptedException {
        try (OwnTopic.Writer writer = topic.writer()) {
            pause(options.delayMs() * NANOS_PER_MS);
            events(writer);
            writer.flush();
            if (options.tail()) {
                pause(options.tailDelayMs() * NANOS_PER_MS);
                sentinels(writer);
                writer.flush();
            }
        }
    }

    private void events(OwnTopic.Writer writer) throws IOException, InterruptedException {
        EventGenerator generator = new EventGenerator(options.seed(), options.stepMs(), SCHEMA);
        int partitions = options.partitions();
        long chunk =
                options.rate() == 0
                        ? CHUNK
                        : Math.clamp(options.rate() / STEPS_PER_SECOND / partitions, 1, CHUNK);
        long start = clock.nanos();
        long rounds = (options.events() + partitions - 1) / partitions;
        for (long round = 0; round < rounds; round += chunk) {
            for (int p = 0; p < partitions; p++) {
                int count = (int) Math.min(chunk, options.eventsOf(p, partitions) - round);
                if (count > 0) {
                    writer.write(p, generator.generate(p + round * partitions, partitions, count));
                }
            }
            if (options.rate() > 0) {
                double due = 1e9 * (double) ((round + chunk) * partitions) / options.rate();
                pause(start + (long) due - clock.nanos());
            }
            if (Thread.interrupted()) {
                throw new InterruptedException("the topic " + topic.name() + " is filled in part");
            }
        }
    }

    private void sentinels(OwnTopic.Writer writer) throws IOException {
        EventGenerator generator = new EventGenerator(options.seed(), options.stepMs(), SCHEMA);
        for (int p = 0; p < options.partitions(); p++) {
            Batch rows =
                    generator.sentinels(
                            options.events(), p, options.eventsOf(p, options.partitions()));
            writer.write(
                    p,
                    rows.withColumn(
                                    Schema.KEY,
                                    Columns.constant(DataType.UTF8, "sentinel", rows.rows()))
                            .withColumn("url", Columns.allNull(DataType.UTF8, rows.rows())));
        }
    }

    private static void pause(long nanos) throws InterruptedException {
        if (nanos > 0) {
            Thread.sleep(nanos / NANOS_PER_MS, (int) (nanos % NANOS_PER_MS));
        }
    }
}
