package dev.tidemill.kafka;

import dev.tidemill.data.Batch;
import dev.tidemill.data.Schema;
import dev.tidemill.describe.Option;
import dev.tidemill.formats.FormatOptions;
import dev.tidemill.formats.Formats;
import dev.tidemill.spi.ConfigException;
import dev.tidemill.spi.OptionValues;
import dev.tidemill.spi.PipelineContext;
import dev.tidemill.spi.SinkContext;
import dev.tidemill.spi.Source;
import dev.tidemill.spi.SourceRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicExistsException;

/** A topic of JSON messages that another connector makes and fills by itself and then reads from its beginning. */
public final class OwnTopic {
    /** Options of the source of messages that make no sense here. */
    private static final Set<String> DECIDED = Set.of("format", "delimiter", "maxMessageBytes");

    private static final long PAUSE_MS = 50;

    private final String dataset;
    private final String topic;
    private final Cluster cluster;
    private final OptionValues options;
    private final PipelineContext context;

    /** @param options values of {@link #options}, with a topic */
    public OwnTopic(String dataset, OptionValues options, PipelineContext context) {
        this.dataset = dataset;
        this.options = options;
        this.context = context;
        topic = options.requireString("topic");
        cluster = Cluster.of(options, context.defaultBrokers());
    }

    /** The options that concern the topic, to stand beside the connector's own. */
    public static List<Option> options() {
        List<Option> options = new ArrayList<>(List.of(KafkaConnector.OWN_TOPIC, Cluster.BROKERS));
        for (Option option : Formats.messageOptions()) {
            if (!DECIDED.contains(option.name())) {
                options.add(option);
            }
        }
        options.addAll(List.of(KafkaConnector.UNTIL, Cluster.PROPERTIES, Cluster.CONNECT_TIMEOUT));
        return options;
    }

    /** Checks the options without connecting. */
    public static void check(OptionValues options) throws ConfigException {
        KafkaConnector.checkTopic(options);
        FormatOptions.forMessages(options);
    }

    public String name() {
        return topic;
    }

    /**
     * The number of messages in each partition; a topic that is missing is made, with one copy.
     *
     * @throws ConfigException when the topic exists with another number of partitions
     */
    public List<Long> messages(int partitions)
            throws ConfigException, IOException, InterruptedException {
        int found =
                cluster.lookup(context.clock(), context.notices())
                        .asAdmin(admin -> partitionsOrCreated(admin, partitions));
        if (found != partitions) {
            throw new ConfigException(
                    "partitions",
                    "the topic "
                            + topic
                            + " has "
                            + found
                            + " partitions already, not "
                            + partitions);
        }
        return cluster.lookup(context.clock(), context.notices())
                .asAdmin(
                        admin -> {
                            Map<TopicPartition, Long> begins =
                                    offsets(admin, partitions, OffsetSpec.earliest());
                            Map<TopicPartition, Long> ends =
                                    offsets(admin, partitions, OffsetSpec.latest());
                            return IntStream.range(0, partitions)
                                    .mapToObj(p -> new TopicPartition(topic, p))
                                    .map(p -> ends.get(p) - begins.get(p))
                                    .toList();
                        });
    }

    private int partitionsOrCreated(Admin admin, int partitions)
            throws ExecutionException, InterruptedException {
        var found = TopicLookup.describe(admin, topic);
        if (found.isPresent()) {
            return found.getAsInt();
        }
        try {
            admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1))).all().get();
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof TopicExistsException)) {
                throw e;
            }
        }
        while (found.isEmpty()) {
            Thread.sleep(PAUSE_MS);
            found = TopicLookup.describe(admin, topic);
        }
        return found.getAsInt();
    }

    private Map<TopicPartition, Long> offsets(Admin admin, int partitions, OffsetSpec spec)
            throws ExecutionException, InterruptedException {
        Map<TopicPartition, OffsetSpec> wanted =
                IntStream.range(0, partitions)
                        .mapToObj(p -> new TopicPartition(topic, p))
                        .collect(Collectors.toMap(Function.identity(), p -> spec));
        Map<TopicPartition, ListOffsetsResultInfo> found = admin.listOffsets(wanted).all().get();
        return found.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, e -> e.getValue().offset()));
    }

    /** Whether the input ends with what the topic holds when it is opened. */
    public boolean bounded() {
        return options.has("until");
    }

    /** Writes rows to chosen partitions. Used by one thread. */
    public interface Writer extends AutoCloseable {
        /** Sends each row as a JSON object, its fields that are not null, under its row key. */
        void write(int partition, Batch batch) throws IOException;

        /** Waits until the broker has everything. */
        void flush() throws IOException;

        @Override
        void close() throws IOException;
    }

    public Writer writer() throws ConfigException, IOException, InterruptedException {
        FormatOptions json =
                FormatOptions.of(new OptionValues(Map.of()), FormatOptions.Format.JSON);
        Settings settings = new Settings(new OptionValues(Map.of("sinkFlush", "epoch")));
        KafkaSink sink = new KafkaSink(dataset, topic, cluster, json, settings);
        KafkaWriter writer =
                sink.open(
                        0, 1, new SinkContext(context.name(), context.clock(), context.notices()));
        return new Writer() {
            @Override
            public void write(int partition, Batch batch) throws IOException {
                writer.write(batch, partition);
            }

            @Override
            public void flush() throws IOException {
                writer.flush();
            }

            @Override
            public void close() throws IOException {
                writer.close();
            }
        };
    }

    /**
     * Reads the topic from its beginning.
     *
     * @param columns the columns of the messages when the options declare none
     */
    public Source source(SourceRequest request, Schema columns)
            throws ConfigException, IOException, InterruptedException {
        FormatOptions given = FormatOptions.forMessages(options);
        FormatOptions format =
                new FormatOptions(
                        given.format(),
                        given.delimiter(),
                        given.maxMessageBytes(),
                        given.declared().or(() -> Optional.of(columns)),
                        given.inferSample(),
                        given.onBadData(),
                        given.deadLetter(),
                        given.maxRecordBytes(),
                        given.maxDepth());
        TopicRead read =
                new TopicRead(
                        context.name(),
                        topic,
                        cluster,
                        format,
                        new MetadataColumns(List.of()),
                        request,
                        Settings.of(context),
                        Optional.empty(),
                        0,
                        true,
                        bounded());
        return KafkaSource.find(read, context.clock(), context.notices());
    }
}
