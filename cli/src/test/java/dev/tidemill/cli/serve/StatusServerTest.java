package dev.tidemill.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemill.pipeline.BuildRecord;
import dev.tidemill.pipeline.BuildRecord.StepCounts;
import dev.tidemill.pipeline.BuildRecord.Totals;
import dev.tidemill.pipeline.RunStatus;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StatusServerTest {
    private static final String TOKEN = "0123456789abcdef0123";
    private final AtomicReference<BuildRecord> record =
            new AtomicReference<>(BuildRecord.starting("q"));
    private final HttpClient client = HttpClient.newHttpClient();
    private StatusServer server;

    private void start(String token) throws IOException {
        server = StatusServer.start(ServeAddress.parse("0", token), record::get);
    }

    @AfterEach
    void stop() {
        client.close();
        if (server != null) {
            server.close();
        }
    }

    private HttpResponse<String> get(String path, String... headers) throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create("http://" + server.authority() + path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static BuildRecord running(RunStatus status) {
        Totals totals = new Totals(100, 50, 30, 5, 4, 2, 0, 9, 1500, 12);
        Instant at = Instant.parse("2026-12-01T05:36:50.100Z");
        return new BuildRecord(
                "b1",
                "q \"x\"\n\\",
                status,
                at,
                at,
                status.isFinal() ? at : null,
                null,
                null,
                List.of("out"),
                totals,
                null,
                0,
                Map.of("tm-worker", 160L),
                Map.of("sources", 40L),
                Map.of("1.1-filter", new StepCounts(100, 70, 30, 0, 0, 0)));
    }

    @Test
    void readinessFollowsTheRun() throws Exception {
        start(null);
        assertThat(get("/healthz").body()).isEqualTo("ok");
        assertThat(get("/ready").statusCode()).isEqualTo(503);
        assertThat(get("/ready").body()).isEqualTo("STARTING");
        record.set(running(RunStatus.RUNNING));
        assertThat(get("/readyz").statusCode()).isEqualTo(200);
        assertThat(get("/readyz").body()).isEqualTo("RUNNING");
        record.set(running(RunStatus.SUCCEEDED));
        assertThat(get("/ready").statusCode()).isEqualTo(503);
    }

    @Test
    void statusIsTheRecord() throws Exception {
        start(null);
        record.set(running(RunStatus.RUNNING));
        HttpResponse<String> answer = get("/status");
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
        assertThat(answer.body())
                .isEqualTo(
                        "{\"id\":\"b1\",\"pipeline\":\"q \\\"x\\\"\\n\\\\\",\"kind\":\"stream\",\"status\":\"RUNNING\","
                                + "\"startedAt\":\"2026-12-01T05:36:50.100Z\",\"heartbeatAt\":\"2026-12-01T05:36:50.100Z\","
                                + "\"outputs\":[{\"dataset\":\"out\"}],\"metrics\":{\"consumed\":100,\"emitted\":50,\"filtered\":30,"
                                + "\"dropped\":5,\"late\":4,\"errors\":2,\"misfits\":0,\"lag\":9,\"watermarkDelayMs\":1500,\"firstRowMs\":12,\"checkpoint\":null,\"restarts\":0,"
                                + "\"cpuMs\":{\"tm-worker\":160},\"steps\":{\"1.1-filter\":{\"in\":100,\"out\":70,\"filtered\":30,"
                                + "\"dropped\":0,\"late\":0,\"errors\":0}}}}");
    }

    @Test
    void metricsHaveBothFamiliesOfNames() throws Exception {
        start(null);
        record.set(running(RunStatus.SUCCEEDED));
        HttpResponse<String> answer = get("/metrics");
        assertThat(answer.headers().firstValue("Content-Type"))
                .contains("text/plain; version=0.0.4; charset=utf-8");
        String pipeline = "pipeline=\"q \\\"x\\\"\\n\\\\\"";
        assertThat(answer.body())
                .contains("\ntidemill_consumed_rows_total{" + pipeline + "} 100\n")
                .contains("\ntidemill_watermark_delay_seconds{" + pipeline + "} 1.5\n")
                .contains(
                        "\ntidemill_step_rows_total{"
                                + pipeline
                                + ",step=\"1.1-filter\",kind=\"filtered\"} 30\n")
                .contains("\nfv_streams_consumed_total 100\n")
                .contains("\nfv_streams_cpu_ms_total{family=\"tm-worker\"} 160\n")
                .contains("\nfv_streams_build_status{status=\"STOPPED\"} 1\n");
        assertThat(answer.body().lines())
                .allMatch(line -> line.matches("# (HELP|TYPE) .*|[a-z_]+(\\{.*})? -?[0-9.E]+"));
    }

    @Test
    void aTokenGuardsWhatShowsData() throws Exception {
        start(TOKEN);
        assertThat(get("/health").statusCode()).isEqualTo(200);
        assertThat(get("/status").statusCode()).isEqualTo(401);
        assertThat(get("/metrics", "Authorization", "Bearer wrong").statusCode()).isEqualTo(401);
        assertThat(get("/status", "Authorization", "Basic " + TOKEN).statusCode()).isEqualTo(401);
        assertThat(get("/status", "Authorization", "Bearer " + TOKEN).statusCode()).isEqualTo(200);
        assertThat(get("/metrics", "Authorization", "bearer " + TOKEN).statusCode()).isEqualTo(200);
    }

    @Test
    void refusesWhatItDoesNotServe() throws Exception {
        start(null);
        assertThat(get("/").statusCode()).isEqualTo(404);
        HttpRequest post =
                HttpRequest.newBuilder(URI.create("http://" + server.authority() + "/status"))
                        .POST(HttpRequest.BodyPublishers.ofString("x"))
                        .build();
        assertThat(client.send(post, HttpResponse.BodyHandlers.discarding()).statusCode())
                .isEqualTo(405);
        HttpRequest head =
                HttpRequest.newBuilder(URI.create("http://" + server.authority() + "/status"))
                        .HEAD()
                        .build();
        assertThat(client.send(head, HttpResponse.BodyHandlers.ofString()).body()).isEmpty();
    }

    @Test
    void aHeaderWithoutEndIsCutOff() throws Exception {
        start(null);
        try (Socket socket =
                new Socket("127.0.0.1", Integer.parseInt(server.authority().split(":")[1]))) {
            byte[] line =
                    ("X-Long: " + "x".repeat(1000) + "\r\n").getBytes(StandardCharsets.US_ASCII);
            socket.setSoTimeout(5000);
            socket.getOutputStream()
                    .write("GET /status HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII));
            for (int i = 0; i < 15; i++) {
                socket.getOutputStream().write(line);
            }
            socket.getOutputStream().write("y".repeat(4000).getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().write("\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            String answer =
                    new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertThat(answer).doesNotContain("\"pipeline\"");
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("reset");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "x", "127.0.0.1:", "127.0.0.1:x", "65536", "-1", "no host.invalid:80"})
    void wrongAddressesAreRefused(String address) {
        assertThatThrownBy(() -> ServeAddress.parse(address, null))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void beyondLoopbackThereMustBeAToken() {
        assertThatThrownBy(() -> ServeAddress.parse("0.0.0.0:8080", ""))
                .hasMessageContaining("needs a token");
        assertThatThrownBy(() -> ServeAddress.parse("0.0.0.0:8080", "short"))
                .hasMessageContaining("fewer than 16")
                .hasMessageNotContaining("short");
        assertThat(ServeAddress.parse("0.0.0.0:8080", TOKEN).token()).isEqualTo(TOKEN);
        assertThat(ServeAddress.parse("0.0.0.0:8080", TOKEN).toString()).doesNotContain(TOKEN);
        assertThat(ServeAddress.parse("8080", null).socket().getAddress().isLoopbackAddress())
                .isTrue();
        assertThat(ServeAddress.parse("[::1]:8080", null).socket().getAddress().isLoopbackAddress())
                .isTrue();
        assertThat(ServeAddress.parse("localhost:8080", null).socket().getPort()).isEqualTo(8080);
    }
}
