package dev.tidemill.cli.serve;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.tidemill.pipeline.BuildRecord;
import dev.tidemill.pipeline.RunStatus;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * Answers health, readiness, status and metrics of one run over HTTP. Reads no request bodies, and bounds how large a header, how slow a client and how many
 * connections may be.
 */
public final class StatusServer implements AutoCloseable {
    private static final String JSON = "application/json";
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final int BACKLOG = 16;

    private final HttpServer server;
    private final ExecutorService threads;
    private final byte[] token;
    private final Supplier<BuildRecord> record;

    private StatusServer(
            HttpServer server,
            ExecutorService threads,
            String token,
            Supplier<BuildRecord> record) {
        this.server = server;
        this.threads = threads;
        this.token = token == null ? null : token.getBytes(StandardCharsets.UTF_8);
        this.record = record;
    }

    /**
     * @param record gives the present record; called by several threads
     * @throws IOException when the address is taken
     */
    public static StatusServer start(ServeAddress address, Supplier<BuildRecord> record)
            throws IOException {
        limit("sun.net.httpserver.maxReqHeaders", 64);
        limit("sun.net.httpserver.maxReqHeaderSize", 16_384);
        limit("sun.net.httpserver.maxReqTime", 10);
        limit("sun.net.httpserver.maxRspTime", 10);
        limit("sun.net.httpserver.idleInterval", 30);
        limit("jdk.httpserver.maxConnections", 64);
        HttpServer server = HttpServer.create(address.socket(), BACKLOG);
        ExecutorService threads =
                Executors.newFixedThreadPool(
                        2, Thread.ofPlatform().daemon().name("tm-serve-", 1).factory());
        StatusServer started = new StatusServer(server, threads, address.token(), record);
        server.setExecutor(threads);
        server.createContext("/", started::answer);
        server.start();
        return started;
    }

    /** The JDK's server takes its limits from properties; what the user set stays. */
    private static void limit(String property, int value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, Integer.toString(value));
        }
    }

    /** Host and port as they stand in a URL. */
    public String authority() {
        InetSocketAddress bound = server.getAddress();
        String host = bound.getAddress().getHostAddress();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + bound.getPort();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String method = exchange.getRequestMethod();
            if (!method.equals("GET") && !method.equals("HEAD")) {
                exchange.getResponseHeaders().set("Allow", "GET, HEAD");
                send(exchange, 405, TEXT, "only GET and HEAD\n");
                return;
            }
            switch (exchange.getRequestURI().getPath()) {
                case "/health", "/healthz" -> send(exchange, 200, TEXT, "ok");
                case "/ready", "/readyz" -> ready(exchange);
                case "/status" -> guarded(exchange, JSON, () -> record.get().toJson());
                case "/metrics" ->
                        guarded(
                                exchange,
                                MetricsText.MEDIA_TYPE,
                                () -> MetricsText.of(record.get()));
                default ->
                        send(
                                exchange,
                                404,
                                TEXT,
                                "there are /health, /ready, /status and /metrics\n");
            }
        }
    }

    private void ready(HttpExchange exchange) throws IOException {
        RunStatus status = record.get().status();
        send(exchange, status == RunStatus.RUNNING ? 200 : 503, TEXT, status.name());
    }

    private void guarded(HttpExchange exchange, String mediaType, Supplier<String> body)
            throws IOException {
        if (!isAllowed(exchange.getRequestHeaders().getFirst("Authorization"))) {
            exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer");
            send(exchange, 401, TEXT, "a bearer token is needed\n");
            return;
        }
        send(exchange, 200, mediaType, body.get());
    }

    /** Compares in constant time, so that a token cannot be guessed piece by piece. */
    private boolean isAllowed(String authorization) {
        if (token == null) {
            return true;
        }
        if (authorization == null || !authorization.regionMatches(true, 0, "Bearer ", 0, 7)) {
            return false;
        }
        return MessageDigest.isEqual(
                token, authorization.substring(7).strip().getBytes(StandardCharsets.UTF_8));
    }

    private static void send(HttpExchange exchange, int status, String mediaType, String body)
            throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", mediaType);
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
        boolean head = exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(status, head || bytes.length == 0 ? -1 : bytes.length);
        if (!head) {
            exchange.getResponseBody().write(bytes);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
