package dev.tidemill.kafka;

import dev.tidemill.describe.Nearest;
import dev.tidemill.spi.Clock;
import dev.tidemill.spi.ConfigException;
import dev.tidemill.spi.Notices;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Finds topics at start. A broker that does not answer is waited for, with a line every few seconds. */
final class TopicLookup {
    /** One try, and so the time between two lines. */
    private static final long TRY_MS = 3000;

    private static final long PAUSE_MS = 200;

    /** How long a topic that a broker makes by itself may take to appear. */
    private static final long CREATION_MS = 5000;

    private final Cluster cluster;
    private final Clock clock;
    private final Notices notices;

    TopicLookup(Cluster cluster, Clock clock, Notices notices) {
        this.cluster = cluster;
        this.clock = clock;
        this.notices = notices;
    }

    /**
     * The number of partitions of a topic to read, as its consumer sees it: one kind of client less to start.
     *
     * @throws ConfigException when the topic does not exist
     * @throws KafkaException when no broker answers within {@code millis}, or one refuses
     */
    int partitions(Consumer<?, ?> consumer, String topic, long millis) throws ConfigException {
        int found = consumer.partitionsFor(topic, Duration.ofMillis(millis)).size();
        if (found == 0) {
            throw missing(topic, consumer.listTopics(Duration.ofMillis(TRY_MS)).keySet());
        }
        return found;
    }

    /**
     * The number of partitions of a topic to write, which the broker may make by itself.
     *
     * @throws ConfigException when the topic does not exist
     * @throws IOException when no broker answers in time, or one refuses
     */
    int partitionsForWriting(String topic)
            throws ConfigException, IOException, InterruptedException {
        return asAdmin(
                admin -> {
                    int partitions = describeOrAskFor(admin, topic);
                    awaitLeaders(admin, topic, partitions);
                    return partitions;
                });
    }

    private int describeOrAskFor(Admin admin, String topic)
            throws ConfigException, ExecutionException, InterruptedException {
        OptionalInt found = describe(admin, topic);
        if (found.isPresent()) {
            return found.getAsInt();
        }
        askForCreation(topic);
        long start = clock.nanos();
        while (millisSince(start) < CREATION_MS) {
            found = describe(admin, topic);
            if (found.isPresent()) {
                return found.getAsInt();
            }
            if (!autoCreates(admin)) {
                break;
            }
            Thread.sleep(PAUSE_MS);
        }
        throw missing(topic, admin.listTopics().names().get());
    }

    /**
     * Returns when the leaders of a topic, which may be new, answer. A leader that refuses a producer's first message and takes its second, both on the way
     * at once, refuses the first for ever as out of order.
     */
    private void awaitLeaders(Admin admin, String topic, int partitions)
            throws ExecutionException, InterruptedException {
        Map<TopicPartition, OffsetSpec> all = new HashMap<>();
        for (int p = 0; p < partitions; p++) {
            all.put(new TopicPartition(topic, p), OffsetSpec.latest());
        }
        long start = clock.nanos();
        for (; ; ) {
            try {
                admin.listOffsets(all).all().get();
                return;
            } catch (ExecutionException e) {
                // One broker may know of a new topic a moment before another.
                if (!(e.getCause() instanceof UnknownTopicOrPartitionException)
                        || millisSince(start) > CREATION_MS) {
                    throw e;
                }
            }
            Thread.sleep(PAUSE_MS);
        }
    }

    /** What is asked of a broker. */
    interface Question<T> {
        T ask(Admin admin) throws ConfigException, ExecutionException, InterruptedException;
    }

    <T> T asAdmin(Question<T> question) throws ConfigException, IOException, InterruptedException {
        return untilAnswered(
                millis -> {
                    try (Admin admin = Admin.create(properties(millis))) {
                        return question.ask(admin);
                    }
                });
    }

    /** One try to get an answer within some milliseconds. */
    interface Attempt<T> {
        T within(long millis) throws ConfigException, ExecutionException, InterruptedException;
    }

    /**
     * Tries again and again until a broker answers or the time is over.
     *
     * @throws IOException when no broker answers in time, or one refuses
     */
    <T> T untilAnswered(Attempt<T> attempt)
            throws ConfigException, IOException, InterruptedException {
        long start = clock.nanos();
        for (; ; ) {
            long left = cluster.connectTimeoutMs() - millisSince(start);
            Throwable cause;
            try {
                return attempt.within(Math.clamp(left, 100, TRY_MS));
            } catch (ExecutionException e) {
                cause = e.getCause();
            } catch (KafkaException e) {
                cause = e;
            }
            long waited = millisSince(start);
            refuseFatal(cause);
            if (waited >= cluster.connectTimeoutMs()) {
                throw new IOException(
                        "no answer from the Kafka broker at "
                                + cluster.brokers()
                                + " within "
                                + seconds(waited)
                                + " (connectTimeoutMs = "
                                + cluster.connectTimeoutMs()
                                + "): "
                                + reason(cause),
                        cause);
            }
            notices.info(
                    "waiting for the Kafka broker at "
                            + cluster.brokers()
                            + ", "
                            + seconds(waited)
                            + " of "
                            + seconds(cluster.connectTimeoutMs())
                            + " ("
                            + reason(cause)
                            + ")");
            Thread.sleep(Math.min(PAUSE_MS, Math.max(1, cluster.connectTimeoutMs() - waited)));
        }
    }

    private Map<String, Object> properties(long tryMs) {
        Map<String, Object> chosen = new HashMap<>();
        chosen.put("client.id", "tidemill-lookup");
        chosen.put("default.api.timeout.ms", String.valueOf(tryMs));
        chosen.put("request.timeout.ms", String.valueOf(tryMs));
        Map<String, Object> all = cluster.admin(chosen);
        // The user's own limits are for the run; here they would only hide the lines.
        all.putAll(chosen);
        return all;
    }

    private void refuseFatal(Throwable cause) throws ConfigException, IOException {
        if (cause instanceof org.apache.kafka.common.config.ConfigException) {
            if (String.valueOf(cause.getMessage()).contains("resolvable")) {
                return;
            }
            throw new ConfigException("properties", cause.getMessage(), cause);
        }
        if (cause.getCause() instanceof org.apache.kafka.common.config.ConfigException e) {
            if (String.valueOf(e.getMessage()).contains("resolvable")) {
                return;
            }
            throw new ConfigException("properties", e.getMessage(), e);
        }
        if (cause instanceof AuthenticationException || cause instanceof AuthorizationException) {
            throw new IOException(
                    "the Kafka broker at " + cluster.brokers() + " refuses: " + reason(cause),
                    cause);
        }
        if (!(cause instanceof org.apache.kafka.common.errors.RetriableException)) {
            throw new IOException(
                    "cannot use the Kafka broker at " + cluster.brokers() + ": " + reason(cause),
                    cause);
        }
    }

    /** The number of partitions, or empty when there is no such topic. */
    static OptionalInt describe(Admin admin, String topic)
            throws ExecutionException, InterruptedException {
        try {
            TopicDescription description =
                    admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic);
            return OptionalInt.of(description.partitions().size());
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException
                    || e.getCause() instanceof InvalidTopicException) {
                return OptionalInt.empty();
            }
            throw e;
        }
    }

    private ConfigException missing(String topic, Set<String> names) {
        String nearest = Nearest.to(topic, names).map(n -> ", did you mean " + n + "?").orElse("");
        return new ConfigException(
                "topic",
                "there is no topic "
                        + topic
                        + " at the Kafka broker "
                        + cluster.brokers()
                        + nearest);
    }

    /** A broker that makes topics does so when a client asks for one that is missing. */
    private void askForCreation(String topic) {
        Map<String, Object> chosen = new HashMap<>(Map.of("client.id", "tidemill-lookup"));
        Map<String, Object> all = cluster.consumer(chosen);
        all.put("allow.auto.create.topics", "true");
        try (var consumer =
                new KafkaConsumer<>(
                        all, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.partitionsFor(topic, Duration.ofMillis(TRY_MS));
        } catch (KafkaException e) {
            notices.warn("could not ask for the topic " + topic + ": " + reason(e));
        }
    }

    /** Whether it is worth to wait: the broker says that it makes topics, or does not say. */
    private static boolean autoCreates(Admin admin) throws InterruptedException {
        try {
            String node = admin.describeCluster().nodes().get().iterator().next().idString();
            var broker =
                    new org.apache.kafka.common.config.ConfigResource(
                            org.apache.kafka.common.config.ConfigResource.Type.BROKER, node);
            var entry =
                    admin.describeConfigs(List.of(broker))
                            .all()
                            .get()
                            .get(broker)
                            .get("auto.create.topics.enable");
            return entry == null || Boolean.parseBoolean(entry.value());
        } catch (ExecutionException e) {
            return true;
        }
    }

    private long millisSince(long nanos) {
        return (clock.nanos() - nanos) / 1_000_000;
    }

    static String seconds(long millis) {
        return millis < 1000 ? millis + " ms" : (millis + 500) / 1000 + " s";
    }

    /** The innermost message that says something. */
    static String reason(Throwable error) {
        String text = null;
        for (Throwable t = error; t != null; t = t.getCause()) {
            if (t.getMessage() != null) {
                text = t.getMessage();
            }
        }
        return text == null ? error.getClass().getSimpleName() : text;
    }
}
