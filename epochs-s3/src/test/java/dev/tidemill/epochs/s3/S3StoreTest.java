package dev.tidemill.epochs.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemill.epochs.ObjectStore;
import dev.tidemill.epochs.ObjectStoreContract;
import dev.tidemill.epochs.StoreException;
import dev.tidemill.epochs.StoreLocation;
import dev.tidemill.epochs.s3.FakeS3.Fault;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class S3StoreTest {
    private static final String SECRET = "not-to-be-shown";

    private FakeS3 server;
    private Map<String, String> settings;

    @BeforeEach
    void start() throws IOException {
        server = new FakeS3();
        settings =
                new HashMap<>(
                        Map.of(
                                "S3_ENDPOINT",
                                server.endpoint(),
                                "S3_ACCESS_KEY_ID",
                                "me",
                                "S3_SECRET_ACCESS_KEY",
                                SECRET,
                                "S3_ALLOW_HTTP",
                                "1"));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private ObjectStore open(int attempts) throws IOException {
        return new S3StoreProvider(attempts).open("s3://bucket/some/prefix", settings::get);
    }

    @Test
    void keepsToTheContract() throws Exception {
        try (ObjectStore store = open(3)) {
            ObjectStoreContract.check(store);
        }
        assertThat(server.unfinishedUploads()).isZero();
    }

    @Test
    void itIsFoundByItsScheme() throws Exception {
        try (ObjectStore store = StoreLocation.open("s3://bucket/a/", settings::get)) {
            assertThat(store.location()).isEqualTo("s3://bucket/a");
        }
        try (ObjectStore store = StoreLocation.open("s3://bucket", settings::get)) {
            assertThat(store.location()).isEqualTo("s3://bucket");
            assertThat(store.list("")).isEmpty();
        }
        assertThatThrownBy(() -> StoreLocation.open("az://x/y", settings::get))
                .hasMessageContaining("az:// is not in this version")
                .hasMessageContaining("s3://");
    }

    @Test
    void keepsToTheContractWhileEveryThirdRequestFails() throws Exception {
        AtomicInteger count = new AtomicInteger();
        Fault[] all = {Fault.SLOW_DOWN, Fault.INTERNAL, Fault.LOST_ANSWER, Fault.HALF_BODY};
        server.faults =
                (method, key) -> {
                    int n = count.incrementAndGet();
                    Fault fault = n % 3 == 0 ? all[n / 3 % all.length] : Fault.NONE;
                    // A body cut on the wire of an answer that is no object is not retried.
                    return fault == Fault.HALF_BODY && !(method.equals("GET") && !key.isEmpty())
                            ? Fault.SLOW_DOWN
                            : fault;
                };
        try (ObjectStore store = open(8)) {
            ObjectStoreContract.check(store);
        }
        assertThat(count.get()).isGreaterThan(60);
    }

    @Test
    void aCreationWhoseAnswerWasLostIsStillOurs() throws Exception {
        try (ObjectStore store = open(3)) {
            loseTheFirstAnswer("PUT");
            assertThat(store.putIfAbsent("a", new byte[] {1})).isTrue();
            loseTheFirstAnswer("PUT");
            assertThat(store.putIfAbsent("a", new byte[] {1})).isFalse();
            loseTheFirstAnswer("POST");
            byte[] large = new byte[9 << 20];
            assertThat(store.putIfAbsent("large", large)).isTrue();
            assertThat(store.length("large")).hasValue(large.length);
        }
    }

    private void loseTheFirstAnswer(String lost) {
        AtomicInteger left = new AtomicInteger(2);
        server.faults =
                (method, key) ->
                        method.equals(lost) && left.getAndDecrement() > 0
                                ? Fault.LOST_ANSWER
                                : Fault.NONE;
    }

    @Test
    void aConflictIsTriedAgain() throws Exception {
        try (ObjectStore store = open(3)) {
            AtomicInteger left = new AtomicInteger(3);
            server.faults =
                    (method, key) -> left.getAndDecrement() > 0 ? Fault.CONFLICT : Fault.NONE;
            assertThat(store.putIfAbsent("a", new byte[] {1})).isTrue();
        }
    }

    @Test
    void readingGoesOnWhereTheConnectionBroke() throws Exception {
        byte[] bytes = new byte[3 << 20];
        new Random(7).nextBytes(bytes);
        try (ObjectStore store = open(3)) {
            store.putIfAbsent("a", bytes);
            AtomicInteger left = new AtomicInteger(4);
            server.faults =
                    (method, key) -> left.getAndDecrement() > 0 ? Fault.HALF_BODY : Fault.NONE;
            try (InputStream in = store.read("a", 3)) {
                assertThat(
                                Arrays.equals(
                                        in.readAllBytes(),
                                        Arrays.copyOfRange(bytes, 3, bytes.length)))
                        .isTrue();
            }
        }
    }

    @Test
    void aServerThatStaysDownIsNamed() throws Exception {
        try (ObjectStore store = open(3)) {
            server.faults = (method, key) -> Fault.SLOW_DOWN;
            assertThatThrownBy(() -> store.putIfAbsent("a", new byte[1]))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("s3://bucket/some/prefix answered 503 SlowDown")
                    .hasMessageContaining("down or overloaded");
        }
        server.close();
        assertThatThrownBy(() -> open(2))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("cannot be reached")
                .hasMessageContaining("S3_ENDPOINT");
    }

    @Test
    void wrongKeysAreNamedAndNotShown() {
        server.isDenied = true;
        assertThatThrownBy(() -> open(2))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("403")
                .hasMessageContaining("S3_SECRET_ACCESS_KEY")
                .satisfies(failure -> assertThat(stack(failure)).doesNotContain(SECRET));
    }

    private static String stack(Throwable failure) {
        java.io.StringWriter out = new java.io.StringWriter();
        failure.printStackTrace(new java.io.PrintWriter(out));
        return out.toString();
    }

    @Test
    void aServerThatIgnoresTheConditionIsRefused() {
        server.ignoresConditions = true;
        assertThatThrownBy(() -> open(2))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("ignores If-None-Match");
    }

    @Test
    void settingsAreChecked() {
        refuse("S3_ALLOW_HTTP", "0", "S3_ALLOW_HTTP=1");
        refuse("S3_ENDPOINT", "https://me:" + SECRET + "@host", "S3_ENDPOINT is not a URL");
        refuse("S3_ENDPOINT", "host:9000", "S3_ENDPOINT is not a URL");
        refuse("S3_ACCESS_KEY_ID", "", "S3_ACCESS_KEY_ID is not: set both");
        assertThatThrownBy(() -> new S3StoreProvider().open("s3://", settings::get))
                .hasMessageContaining("expected s3://bucket");
        assertThatThrownBy(() -> new S3StoreProvider().open("s3://bucket/../x", settings::get))
                .hasMessageContaining("dotted part");
        assertThatThrownBy(
                        () ->
                                new S3StoreProvider()
                                        .open("s3://me:" + SECRET + "@b/x", settings::get))
                .isInstanceOf(StoreException.class)
                .hasMessageNotContaining(SECRET);
    }

    private void refuse(String name, String value, String text) {
        String before = settings.put(name, value);
        assertThatThrownBy(() -> open(2))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(text)
                .hasMessageNotContaining(SECRET);
        settings.put(name, before);
    }

    @Test
    void theAwsNamesAreUsedWhenTheOwnOnesAreNotSet() throws Exception {
        settings.put("AWS_ACCESS_KEY_ID", settings.remove("S3_ACCESS_KEY_ID"));
        settings.put("AWS_SECRET_ACCESS_KEY", settings.remove("S3_SECRET_ACCESS_KEY"));
        settings.put("AWS_SESSION_TOKEN", "token");
        settings.put("AWS_REGION", "eu-west-1");
        open(2).close();
    }
}
