package dev.tidemill.devkafka;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;
import org.slf4j.LoggerFactory;

/**
 * A real Kafka broker with its controller in this JVM, alone in its cluster. For tests and development: everything has one copy, topics are made
 * only on request, there is no authentication, and only this machine can reach it. What it stores outlives it in its directory.
 */
public final class KafkaBroker implements AutoCloseable {
    private static final int NODE = 1;
    private static final long START_NANOS = 30_000_000_000L;
    private static final List<String> CHATTY = List.of("kafka", "org.apache.kafka");

    private final KafkaRaftServer server;
    private final int port;

    private KafkaBroker(KafkaRaftServer server, int port) {
        this.server = server;
        this.port = port;
    }

    /**
     * Starts a broker and returns when it serves.
     *
     * @param port      the port on localhost, or 0 for a free one
     * @param directory where topics are kept; created when missing, used again when an earlier broker left it
     * @throws IOException when the port is taken or the directory cannot be used
     */
    public static KafkaBroker start(int port, Path directory) throws IOException {
        return start(port, directory, Map.of());
    }

    /** @param properties broker properties that add to or replace the ones chosen here */
    public static KafkaBroker start(int port, Path directory, Map<String, String> properties)
            throws IOException {
        quiet();
        int brokerPort = port == 0 ? freePort() : requireFree(port);
        Path log = Files.createDirectories(directory).resolve("log");
        if (!Files.exists(log.resolve("meta.properties"))) {
            format(log);
        }
        Map<String, String> config = new HashMap<>(properties(brokerPort, freePort(), log));
        config.putAll(properties);
        KafkaRaftServer server = new KafkaRaftServer(new KafkaConfig(config, false), Time.SYSTEM);
        server.startup();
        return new KafkaBroker(server, brokerPort);
    }

    /** Its address, to be given as {@code bootstrap.servers}. */
    public String address() {
        return "localhost:" + port;
    }

    /** Its port on localhost. */
    public int port() {
        return port;
    }

    /**
     * Makes a topic and returns when its partitions serve: before that, an idempotent producer can lose the order of its first messages and fail.
     *
     * @throws IllegalStateException when it cannot be made, as when it exists
     */
    public void createTopic(String name, int partitions) throws InterruptedException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", address()))) {
            admin.createTopics(List.of(new NewTopic(name, partitions, (short) 1))).all().get();
            awaitPartitions(admin, name, partitions);
        } catch (ExecutionException e) {
            throw new IllegalStateException(
                    "cannot make the topic " + name + ": " + e.getCause().getMessage(),
                    e.getCause());
        }
    }

    /** Adds partitions to a topic, up to {@code total}, and returns when they serve. */
    public void addPartitions(String name, int total) throws InterruptedException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", address()))) {
            admin.createPartitions(Map.of(name, NewPartitions.increaseTo(total))).all().get();
            awaitPartitions(admin, name, total);
        } catch (ExecutionException e) {
            throw new IllegalStateException(
                    "cannot add partitions to " + name + ": " + e.getCause().getMessage(),
                    e.getCause());
        }
    }

    private static void awaitPartitions(Admin admin, String topic, int partitions)
            throws ExecutionException, InterruptedException {
        Map<TopicPartition, OffsetSpec> all = new HashMap<>();
        for (int p = 0; p < partitions; p++) {
            all.put(new TopicPartition(topic, p), OffsetSpec.latest());
        }
        long deadline = System.nanoTime() + START_NANOS;
        for (; ; ) {
            try {
                admin.listOffsets(all).all().get();
                return;
            } catch (ExecutionException e) {
                // The broker hears of the topic a moment after its controller.
                if (!(e.getCause() instanceof UnknownTopicOrPartitionException)
                        || System.nanoTime() - deadline > 0) {
                    throw e;
                }
            }
            Thread.sleep(10);
        }
    }

    /** Stops it; what it stored stays. */
    @Override
    public void close() {
        server.shutdown();
        server.awaitShutdown();
    }

    private static void format(Path log) throws IOException {
        try {
            new Formatter()
                    .setPrintStream(new PrintStream(OutputStream.nullOutputStream()))
                    .setNodeId(NODE)
                    .setClusterId(Uuid.randomUuid().toString())
                    .setDirectories(List.of(log.toString()))
                    .setMetadataLogDirectory(log.toString())
                    .setControllerListenerName("CONTROLLER")
                    .setReleaseVersion(MetadataVersion.LATEST_PRODUCTION)
                    .run();
        } catch (Exception e) {
            throw new IOException("cannot prepare " + log + " for a broker: " + e.getMessage(), e);
        }
    }

    private static Map<String, String> properties(int port, int controllerPort, Path log) {
        return Map.ofEntries(
                Map.entry("process.roles", "broker,controller"),
                Map.entry("node.id", String.valueOf(NODE)),
                Map.entry("controller.quorum.voters", NODE + "@localhost:" + controllerPort),
                Map.entry(
                        "listeners",
                        "PLAINTEXT://localhost:"
                                + port
                                + ",CONTROLLER://localhost:"
                                + controllerPort),
                Map.entry("advertised.listeners", "PLAINTEXT://localhost:" + port),
                Map.entry(
                        "listener.security.protocol.map",
                        "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT"),
                Map.entry("controller.listener.names", "CONTROLLER"),
                Map.entry("log.dirs", log.toString()),
                Map.entry("auto.create.topics.enable", "false"),
                Map.entry("num.partitions", "1"),
                Map.entry("default.replication.factor", "1"),
                Map.entry("min.insync.replicas", "1"),
                Map.entry("offsets.topic.num.partitions", "1"),
                Map.entry("offsets.topic.replication.factor", "1"),
                Map.entry("transaction.state.log.num.partitions", "1"),
                Map.entry("transaction.state.log.replication.factor", "1"),
                Map.entry("transaction.state.log.min.isr", "1"),
                Map.entry("share.coordinator.state.topic.num.partitions", "1"),
                Map.entry("share.coordinator.state.topic.replication.factor", "1"),
                Map.entry("share.coordinator.state.topic.min.isr", "1"),
                Map.entry("group.initial.rebalance.delay.ms", "0"),
                Map.entry("num.network.threads", "2"),
                Map.entry("num.io.threads", "3"),
                // The default takes an eighth of a test's heap.
                Map.entry("log.cleaner.dedupe.buffer.size", "4194304"),
                Map.entry("controlled.shutdown.enable", "false"));
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static int requireFree(int port) throws IOException {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress("localhost", port));
            return port;
        } catch (IOException e) {
            throw new IOException("port " + port + " cannot be used: " + e.getMessage(), e);
        }
    }

    private static void quiet() {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            CHATTY.forEach(name -> context.getLogger(name).setLevel(Level.ERROR));
            // It calls the ordinary making of a partition an error.
            context.getLogger("state.change.logger").setLevel(Level.OFF);
        }
    }

    /**
     * Runs a broker until the process is asked to stop.
     *
     * @param args the port and the directory
     */
    public static void main(String[] args) throws InterruptedException {
        if (args.length != 2 || !args[0].matches("\\d{1,5}")) {
            System.err.println("usage: kafka [port [directory]]");
            System.exit(2);
        }
        try {
            KafkaBroker broker = start(Integer.parseInt(args[0]), Path.of(args[1]));
            Runtime.getRuntime().addShutdownHook(new Thread(broker::close, "stop"));
            System.out.println("listening on " + broker.address());
        } catch (IOException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
        Thread.currentThread().join();
    }
}
