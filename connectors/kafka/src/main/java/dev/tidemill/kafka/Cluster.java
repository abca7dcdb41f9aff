package dev.tidemill.kafka;

import dev.tidemill.describe.Nearest;
import dev.tidemill.describe.Option;
import dev.tidemill.describe.OptionType;
import dev.tidemill.spi.Clock;
import dev.tidemill.spi.ConfigException;
import dev.tidemill.spi.Notices;
import dev.tidemill.spi.OptionValues;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * The brokers to talk to and how. {@link #toString} leaves out the properties, since some are secrets.
 *
 * @param brokers          {@code host:port}, several with commas between
 * @param properties       client properties as the user gave them
 * @param connectTimeoutMs how long to wait at start for a broker that does not answer
 */
record Cluster(String brokers, Map<String, String> properties, long connectTimeoutMs) {
    static final Option BROKERS =
            Option.of(
                            "brokers",
                            OptionType.STRING,
                            "The addresses of one or more brokers, with commas between. When absent: `default` of `[brokers]`.")
                    .withExample("\"kafka-1:9092,kafka-2:9092\"");
    static final Option PROPERTIES =
            Option.of(
                            "properties",
                            OptionType.FREE_TABLE,
                            "Any properties of the Kafka client, such as those for TLS and SASL; they win over what the engine and its settings choose.")
                    .withExample(
                            "{ \"security.protocol\" = \"SASL_SSL\", \"sasl.mechanism\" = \"PLAIN\" }");
    static final Option CONNECT_TIMEOUT =
            Option.of(
                            "connectTimeoutMs",
                            OptionType.DURATION_MS,
                            "How long to wait at start for a broker that does not answer, before the run fails.")
                    .withDefault(30_000)
                    .atLeast(1)
                    .withExample("60000");

    /** What the engine must decide itself, with the option that is meant instead. */
    private static final Map<String, String> RESERVED =
            Map.of(
                    "bootstrap.servers", "use the option brokers",
                    "group.id", "the group is always fv-stream-<pipeline>",
                    "auto.offset.reset", "use the option offsetReset",
                    "enable.auto.commit", "positions are committed by the engine",
                    "key.deserializer", "keys are read as UTF-8",
                    "value.deserializer", "use the option format",
                    "key.serializer", "keys are written as UTF-8",
                    "value.serializer", "use the option format",
                    "transactional.id", "transactions are not in this version yet",
                    "allow.auto.create.topics", "sources never make topics");

    static Cluster of(OptionValues options, String defaultBrokers) {
        return new Cluster(
                options.string("brokers").orElse(defaultBrokers),
                options.map("properties"),
                options.integer("connectTimeoutMs").orElse(30_000L));
    }

    /** Checks without connecting. */
    static void check(OptionValues options) throws ConfigException {
        for (String name : options.map("properties").keySet()) {
            String instead = RESERVED.get(name);
            if (instead != null) {
                throw new ConfigException(
                        "properties", "the property " + name + " cannot be set: " + instead);
            }
        }
        if (options.string("brokers").filter(String::isBlank).isPresent()) {
            throw new ConfigException("brokers", "is empty: give host:port");
        }
    }

    /** Warns of names that no client knows; they are passed on all the same, since plug-ins have properties of their own. */
    void warnOfUnknown(String dataset, Notices notices) {
        Set<String> known = new TreeSet<>(ConsumerConfig.configNames());
        known.addAll(ProducerConfig.configNames());
        known.addAll(AdminClientConfig.configNames());
        for (String name : properties.keySet()) {
            if (!known.contains(name)) {
                String nearest =
                        Nearest.to(name, known).map(n -> ", did you mean " + n + "?").orElse("");
                notices.warn(
                        "dataset "
                                + dataset
                                + ": the Kafka client knows no property "
                                + name
                                + nearest);
            }
        }
    }

    Map<String, Object> consumer(Map<String, Object> chosen) {
        return client(chosen, ConsumerConfig.configNames());
    }

    Map<String, Object> producer(Map<String, Object> chosen) {
        return client(chosen, ProducerConfig.configNames());
    }

    Map<String, Object> admin(Map<String, Object> chosen) {
        return client(chosen, AdminClientConfig.configNames());
    }

    /** The properties of one kind of client: the user's win, without those that only other kinds have (one table serves a source and a sink). */
    private Map<String, Object> client(Map<String, Object> chosen, Set<String> names) {
        Map<String, Object> all = new HashMap<>(chosen);
        properties.forEach(
                (name, value) -> {
                    boolean ofOthers =
                            ConsumerConfig.configNames().contains(name)
                                    || ProducerConfig.configNames().contains(name)
                                    || AdminClientConfig.configNames().contains(name);
                    if (names.contains(name) || !ofOthers) {
                        all.put(name, value);
                    }
                });
        all.put("bootstrap.servers", brokers);
        all.putIfAbsent("enable.metrics.push", "false");
        // Each start would register some hundred beans with JMX.
        all.putIfAbsent("metric.reporters", "");
        return all;
    }

    TopicLookup lookup(Clock clock, Notices notices) {
        return new TopicLookup(this, clock, notices);
    }

    @Override
    public String toString() {
        return "Cluster[" + brokers + "]";
    }
}
