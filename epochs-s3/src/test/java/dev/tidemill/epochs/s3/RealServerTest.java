package dev.tidemill.epochs.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.tidemill.epochs.EpochStore;
import dev.tidemill.epochs.FencedException;
import dev.tidemill.epochs.Manifest;
import dev.tidemill.epochs.Manifest.Kind;
import dev.tidemill.epochs.Manifest.TaskState;
import dev.tidemill.epochs.ObjectRef;
import dev.tidemill.epochs.ObjectStore;
import dev.tidemill.epochs.ObjectStoreContract;
import dev.tidemill.epochs.Owner;
import dev.tidemill.epochs.StoreLocation;
import dev.tidemill.epochs.StoreReport;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against a server that others made, with real signatures and real conditional writes. {@code dev/s3server} builds it with Go; without Go this is left out. */
class RealServerTest {
    @TempDir static Path data;

    private static Process server;
    private static Map<String, String> settings;

    @BeforeAll
    static void start() throws Exception {
        Path program = program();
        int port = freePort();
        ProcessBuilder builder =
                new ProcessBuilder(
                        program.toString(),
                        "--quiet",
                        "--port",
                        "127.0.0.1:" + port,
                        "posix",
                        "--sidecar",
                        Files.createDirectory(data.resolve("meta")).toString(),
                        Files.createDirectory(data.resolve("buckets")).toString());
        builder.environment().put("ROOT_ACCESS_KEY", "access");
        builder.environment().put("ROOT_SECRET_KEY", "secret-of-the-test");
        builder.redirectErrorStream(true);
        builder.redirectOutput(data.resolve("log").toFile());
        server = builder.start();
        settings =
                Map.of(
                        "S3_ENDPOINT", "http://127.0.0.1:" + port,
                        "S3_ACCESS_KEY_ID", "access",
                        "S3_SECRET_ACCESS_KEY", "secret-of-the-test",
                        "S3_ALLOW_HTTP", "true");
        awaitAnswer(port);
    }

    @AfterAll
    static void stop() throws Exception {
        if (server != null) {
            server.destroyForcibly().waitFor();
        }
    }

    private static Path program() throws Exception {
        Path script = Path.of("..", "dev", "s3server").toAbsolutePath().normalize();
        Process build =
                new ProcessBuilder(script.toString())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        String program = new String(build.getInputStream().readAllBytes()).strip();
        if (build.waitFor() != 0) {
            abort("no S3 server: " + script + " could not build one");
        }
        return Path.of(program);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static void awaitAnswer(int port) throws Exception {
        for (int i = 0; i < 200; i++) {
            try {
                HttpURLConnection connection =
                        (HttpURLConnection)
                                URI.create("http://127.0.0.1:" + port + "/")
                                        .toURL()
                                        .openConnection();
                connection.getResponseCode();
                return;
            } catch (IOException notYet) {
                Thread.sleep(50);
            }
        }
        throw new IllegalStateException(
                "the server does not answer: " + Files.readString(data.resolve("log")));
    }

    private static ObjectStore open(String location) throws IOException {
        return StoreLocation.open(location, settings::get);
    }

    @Test
    void keepsToTheContract() throws Exception {
        try (ObjectStore store = open("s3://contract/prefix")) {
            ObjectStoreContract.check(store);
        }
    }

    @Test
    void aNameIsTakenByOneOfMany() throws Exception {
        try (ObjectStore store = open("s3://race");
                ExecutorService threads = Executors.newFixedThreadPool(8)) {
            for (int round = 0; round < 20; round++) {
                String name = "heads/" + round;
                List<Future<Boolean>> tries = new ArrayList<>();
                for (int i = 0; i < 8; i++) {
                    byte[] mine = {(byte) i};
                    tries.add(threads.submit(() -> store.putIfAbsent(name, mine)));
                }
                int winner = -1;
                for (int i = 0; i < 8; i++) {
                    if (tries.get(i).get()) {
                        assertThat(winner).isEqualTo(-1);
                        winner = i;
                    }
                }
                assertThat(store.get(name).orElseThrow()).containsExactly(winner);
            }
        }
    }

    @Test
    void epochsAreKeptAndAnOldOwnerIsFencedOff() throws Exception {
        try (ObjectStore store = open("s3://epochs/a/b")) {
            EpochStore.Options options =
                    EpochStore.Options.defaults(notice -> {})
                            .withLease(200)
                            .withOwner(new Owner("test", "", 1, 0));
            EpochStore first = EpochStore.open(store, "p", options);
            byte[] state = new byte[10 << 20];
            new java.util.Random(3).nextBytes(state);
            for (int i = 0; i < 4; i++) {
                commit(first, state);
                first.clean();
            }
            EpochStore second = EpochStore.open(store, "p", options);
            assertThatThrownBy(() -> commit(first, state)).isInstanceOf(FencedException.class);
            Manifest latest = second.latest().orElseThrow().manifest();
            try (InputStream in = second.read(latest.objects().findFirst().orElseThrow())) {
                assertThat(java.util.Arrays.equals(in.readAllBytes(), state)).isTrue();
            }
            commit(second, state);
            second.clean();
            second.close();
            StoreReport report = StoreReport.of(store, "p", StoreReport.Depth.VERIFY).orElseThrow();
            assertThat(report.isWhole()).isTrue();
            assertThat(report.epochs()).hasSize(2);
            assertThat(report.superfluous()).isZero();
        }
    }

    private static void commit(EpochStore store, byte[] state) throws IOException {
        long epoch = store.nextEpoch();
        ObjectRef ref = store.writeObject(epoch, "count", out -> out.write(state));
        store.commit(
                new Manifest(
                        "p",
                        epoch,
                        store.generation(),
                        0,
                        Kind.PERIODIC,
                        false,
                        "",
                        8,
                        Map.of(),
                        Map.of(),
                        Map.of("count", List.of(new TaskState(List.of(ref)))),
                        Map.of(),
                        Map.of()));
    }
}
