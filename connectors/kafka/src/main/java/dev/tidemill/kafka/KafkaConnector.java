package dev.tidemill.kafka;

import dev.tidemill.describe.Description;
import dev.tidemill.describe.Option;
import dev.tidemill.describe.OptionType;
import dev.tidemill.formats.FormatOptions;
import dev.tidemill.formats.Formats;
import dev.tidemill.spi.ConfigException;
import dev.tidemill.spi.Connector;
import dev.tidemill.spi.OptionValues;
import dev.tidemill.spi.PipelineContext;
import dev.tidemill.spi.Sink;
import dev.tidemill.spi.Source;
import dev.tidemill.spi.SourceRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Topics of Kafka: messages as rows, rows as messages. */
public final class KafkaConnector implements Connector {
    private static final Option TOPIC =
            Option.of("topic", OptionType.STRING, "The topic's name.")
                    .mandatory()
                    .withExample("\"orders\"");

    /** The topic of a connector that fills it by itself. */
    static final Option OWN_TOPIC =
            Option.of(
                            "topic",
                            OptionType.STRING,
                            "The topic that takes the events; made and filled when it is missing.")
                    .withExample("\"events\"");

    private static final Option OFFSET_RESET =
            Option.of(
                            "offsetReset",
                            OptionType.CHOICE,
                            "Where a partition starts that the pipeline has no position in: at its `latest` message, for what comes from now on, or at its"
                                    + " `earliest`. When absent: the setting `offsetReset`, and `earliest` with `until`.")
                    .oneOf("latest", "earliest")
                    .withExample("\"earliest\"");
    static final Option UNTIL =
            Option.of(
                            "until",
                            OptionType.CHOICE,
                            "With `latest` the input ends with the last message that each partition has when the run starts. Such a run always starts at"
                                    + " `offsetReset` and leaves no positions behind.")
                    .oneOf("latest")
                    .withExample("\"latest\"");

    private static final Option COMMIT =
            Option.of(
                            "commitMs",
                            OptionType.DURATION_MS,
                            "How often positions are committed while a run goes on; 0 for only at an ordered stop. With an interval, what is committed is one"
                                    + " interval old, and after a failure rows that a window or a sink held for longer are not read again.")
                    .withDefault(0)
                    .atLeast(0)
                    .withExample("60000");

    private static final Description SOURCE =
            new Description(
                    "connector",
                    "kafka",
                    "Reads the messages of a topic.",
                    """
            Partition p is read by task p mod tasks; there are as many tasks as partitions, up to the setting `maxConsumers`. Partitions that are added later \
            are found within about ten seconds (the client property `metadata.max.age.ms`) and read from their beginning.

            Positions are kept in the consumer group `fv-stream-<pipeline>`: those of the start, and exact ones at an ordered stop, when every row has reached its \
            outputs. A run that starts again goes on there. After a failure it reads again from where the failed run started, so that rows are repeated and none is \
            lost; `commitMs` bounds how many. What open windows hold at an ordered stop is not kept in this version. Only messages of committed transactions are \
            read. A message without a value (a tombstone) gives no row and is counted as dropped. The row key is the message's key; without one it is null.

            When no broker answers at the start, a line says so every few seconds, and after `connectTimeoutMs` the run fails. A broker that goes away later is \
            waited for without end, with a line every few seconds.""",
                    sourceOptions(),
                    """
            [datasets.orders]
            connector = "kafka"
            brokers = "localhost:9092"
            topic = "orders"
            """);

    private static final Description SINK =
            new Description(
                    "connector",
                    "kafka",
                    "Writes each row as a message of a topic.",
                    """
            The message's key is the row key, if there is one; rows of one key go to one partition, chosen by the Java client's default (murmur2 of the key). Each task \
            has an idempotent producer, and the setting `sinkFlush` says how often it waits for the broker. A message that is not confirmed within 30 seconds \
            (`delivery.timeout.ms`) fails the run. The topic must exist, unless the broker makes topics by itself.""",
                    sinkOptions(),
                    """
            [datasets.results]
            sink = "kafka"
            brokers = "localhost:9092"
            topic = "results"
            """);

    private static List<Option> sourceOptions() {
        List<Option> options = new ArrayList<>(List.of(TOPIC, Cluster.BROKERS));
        options.addAll(Formats.messageOptions());
        options.add(UNTIL);
        options.add(OFFSET_RESET);
        options.add(COMMIT);
        options.addAll(MetadataColumns.options());
        options.add(Cluster.PROPERTIES);
        options.add(Cluster.CONNECT_TIMEOUT);
        return options;
    }

    private static List<Option> sinkOptions() {
        List<Option> options = new ArrayList<>(List.of(TOPIC, Cluster.BROKERS));
        options.addAll(Formats.messageSinkOptions());
        options.add(Cluster.PROPERTIES);
        options.add(Cluster.CONNECT_TIMEOUT);
        return options;
    }

    @Override
    public String name() {
        return "kafka";
    }

    @Override
    public Optional<Description> sourceDescription() {
        return Optional.of(SOURCE);
    }

    @Override
    public Optional<Description> sinkDescription() {
        return Optional.of(SINK);
    }

    @Override
    public void check(String dataset, boolean asSource, OptionValues options)
            throws ConfigException {
        checkTopic(options);
        if (!asSource) {
            FormatOptions.of(options, FormatOptions.Format.JSON);
            return;
        }
        FormatOptions format = FormatOptions.forMessages(options);
        MetadataColumns.check(options, format);
    }

    /** Checks the address and the topic's name. */
    static void checkTopic(OptionValues options) throws ConfigException {
        Cluster.check(options);
        String topic = options.requireString("topic");
        if (!topic.matches("[A-Za-z0-9._-]{1,249}") || topic.equals(".") || topic.equals("..")) {
            throw new ConfigException(
                    "topic",
                    "\""
                            + topic
                            + "\" cannot be a topic: it has 1 to 249 letters, digits, dots, underscores and hyphens");
        }
        String refresh = options.map("properties").get(TopicRead.REFRESH);
        if (refresh != null && !refresh.matches("\\d{1,15}")) {
            throw new ConfigException(
                    "properties", TopicRead.REFRESH + " must be milliseconds, not " + refresh);
        }
    }

    @Override
    public Source source(SourceRequest request, OptionValues options, PipelineContext context)
            throws ConfigException, IOException, InterruptedException {
        check(request.dataset(), true, options);
        Cluster cluster = Cluster.of(options, context.defaultBrokers());
        cluster.warnOfUnknown(request.dataset(), context.notices());
        Settings settings = Settings.of(context);
        boolean bounded = options.has("until");
        TopicRead read =
                new TopicRead(
                        context.name(),
                        options.requireString("topic"),
                        cluster,
                        FormatOptions.forMessages(options),
                        MetadataColumns.of(options),
                        request,
                        settings,
                        bounded ? Optional.empty() : Optional.of("fv-stream-" + context.name()),
                        options.integer("commitMs").orElse(0L),
                        options.string("offsetReset")
                                .map("earliest"::equals)
                                .orElse(bounded || settings.fromEarliest()),
                        bounded);
        return KafkaSource.find(read, context.clock(), context.notices());
    }

    @Override
    public Sink sink(String dataset, OptionValues options, PipelineContext context)
            throws ConfigException {
        check(dataset, false, options);
        Cluster cluster = Cluster.of(options, context.defaultBrokers());
        cluster.warnOfUnknown(dataset, context.notices());
        return new KafkaSink(
                dataset,
                options.requireString("topic"),
                cluster,
                FormatOptions.of(options, FormatOptions.Format.JSON),
                Settings.of(context));
    }
}
