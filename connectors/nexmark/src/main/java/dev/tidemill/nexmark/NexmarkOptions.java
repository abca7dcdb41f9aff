package dev.tidemill.nexmark;

import dev.tidemill.describe.Option;
import dev.tidemill.describe.OptionType;
import dev.tidemill.spi.OptionValues;
import java.util.List;
import java.util.OptionalLong;

/**
 * What stream to make.
 *
 * @param inline      whether the source tasks make the events themselves; otherwise they come through a Kafka topic
 * @param partitions  tasks, or partitions of the topic
 * @param rate        events per second over all tasks, 0 for no limit
 * @param stepMs      event time between two events
 * @param tail        whether each task ends with three sentinels
 * @param delayMs     wait before the first event
 * @param tailDelayMs wait before the sentinels
 */
record NexmarkOptions(
        boolean inline,
        int partitions,
        long events,
        long seed,
        long stepMs,
        long rate,
        boolean tail,
        long delayMs,
        long tailDelayMs) {
    /** More would overflow event times long before anyone could read them all. */
    private static final long MAX_EVENTS = 1_000_000_000_000_000L;

    private static final long TOPIC_TAIL_DELAY_MS = 8000;

    static final List<Option> INLINE =
            List.of(
                    Option.of(
                                    "inline",
                                    OptionType.BOOL,
                                    "Makes the events in the source tasks themselves; otherwise they are written to a Kafka topic"
                                            + " once and read from there.")
                            .withDefault(false)
                            .withExample("true"),
                    Option.of("events", OptionType.INT, "How many events to make.")
                            .withDefault(100_000)
                            .atLeast(0)
                            .atMost(MAX_EVENTS)
                            .withExample("1000000"),
                    Option.of(
                                    "seed",
                                    OptionType.INT,
                                    "Another seed gives another stream; the same seed always the same one.")
                            .withDefault(42)
                            .withExample("7"),
                    Option.of(
                                    "stepMs",
                                    OptionType.DURATION_MS,
                                    "Event time from one event to the next.")
                            .withDefault(10)
                            .atLeast(0)
                            .atMost(1_000_000)
                            .withExample("1"),
                    Option.of(
                                    "partitions",
                                    OptionType.INT,
                                    "Source tasks, or partitions of the topic. The events do not depend on it.")
                            .withDefault(4)
                            .atLeast(1)
                            .atMost(32_768)
                            .withExample("2"),
                    Option.of(
                                    "rate",
                                    OptionType.INT,
                                    "Events per second over all tasks; 0 for as fast as possible.")
                            .withDefault(0)
                            .atLeast(0)
                            .atMost(1_000_000_000)
                            .withExample("1000"),
                    Option.of(
                                    "tail",
                                    OptionType.BOOL,
                                    "Ends each task with a sentinel of each kind, two days behind the last event, which closes"
                                            + " every window.")
                            .withDefault(true)
                            .withExample("false"),
                    Option.of("delayMs", OptionType.DURATION_MS, "Wait before the first event.")
                            .withDefault(0)
                            .atLeast(0)
                            .withExample("500"),
                    Option.of(
                                    "tailDelayMs",
                                    OptionType.DURATION_MS,
                                    "Wait between the last event and the sentinels. When absent: 8000 with a topic, none inline.")
                            .atLeast(0)
                            .withExample("0"));

    static NexmarkOptions of(OptionValues values) {
        boolean inline = values.requireBool("inline");
        return new NexmarkOptions(
                inline,
                (int) values.requireLong("partitions"),
                values.requireLong("events"),
                values.requireLong("seed"),
                values.requireLong("stepMs"),
                values.requireLong("rate"),
                values.requireBool("tail"),
                values.requireLong("delayMs"),
                values.integer("tailDelayMs").orElse(inline ? 0 : TOPIC_TAIL_DELAY_MS));
    }

    /** The time from one event to the next in one of {@code tasks} tasks, or empty for no limit. */
    OptionalLong nanosPerEvent(int tasks) {
        return rate == 0
                ? OptionalLong.empty()
                : OptionalLong.of(Math.max(1, 1_000_000_000L * tasks / rate));
    }

    /** The number of events of one task: those with {@code n mod tasks == task}. */
    long eventsOf(int task, int tasks) {
        return events <= task ? 0 : (events - 1 - task) / tasks + 1;
    }
}
