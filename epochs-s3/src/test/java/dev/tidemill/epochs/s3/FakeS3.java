package dev.tidemill.epochs.s3;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * As much of a server of the S3 protocol as the store uses, with faults on demand. It checks no signatures: a real server is for that.
 */
final class FakeS3 implements AutoCloseable {
    /** What to do to a request instead of answering it. */
    enum Fault {
        NONE,
        /** 503 before anything is done. */
        SLOW_DOWN,
        /** 500 before anything is done. */
        INTERNAL,
        /** 409, as while another conditional write is under way. */
        CONFLICT,
        /** It is done, and the answer is lost. */
        LOST_ANSWER,
        /** An answer's body breaks off in the middle. */
        HALF_BODY
    }

    @FunctionalInterface
    interface Faults {
        Fault of(String method, String key);
    }

    private record Stored(byte[] bytes, String mark) {}

    private static final String MARK = "x-amz-meta-tidemill-write";
    private static final Pattern PART = Pattern.compile("<PartNumber>(\\d+)</PartNumber>");

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final SortedMap<String, Stored> objects = new TreeMap<>();
    private final Map<String, SortedMap<Integer, byte[]>> uploads = new HashMap<>();
    private final Map<String, String> uploadMarks = new HashMap<>();
    private boolean bucketExists;
    volatile boolean ignoresConditions;
    volatile boolean isDenied;
    volatile Faults faults = (method, key) -> Fault.NONE;

    FakeS3() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    String endpoint() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    synchronized int unfinishedUploads() {
        return uploads.size();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private record Answer(int status, Map<String, String> headers, byte[] body) {
        static Answer of(int status) {
            return new Answer(status, Map.of(), new byte[0]);
        }

        static Answer xml(int status, String xml) {
            return new Answer(
                    status,
                    Map.of("Content-Type", "application/xml"),
                    ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + xml)
                            .getBytes(StandardCharsets.UTF_8));
        }

        static Answer error(int status, String code) {
            return xml(status, "<Error><Code>" + code + "</Code><Message>no</Message></Error>");
        }
    }

    private void handle(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        String[] path = exchange.getRequestURI().getPath().substring(1).split("/", 2);
        String key = path.length > 1 ? path[1] : "";
        Fault fault = faults.of(exchange.getRequestMethod(), key);
        Answer answer =
                switch (fault) {
                    case SLOW_DOWN -> Answer.error(503, "SlowDown");
                    case INTERNAL -> Answer.error(500, "InternalError");
                    case CONFLICT -> Answer.error(409, "ConditionalRequestConflict");
                    case NONE, LOST_ANSWER, HALF_BODY -> answer(exchange, key, body);
                };
        if (fault == Fault.LOST_ANSWER) {
            exchange.close();
            return;
        }
        send(exchange, answer, fault == Fault.HALF_BODY);
    }

    private static void send(HttpExchange exchange, Answer answer, boolean half)
            throws IOException {
        answer.headers().forEach(exchange.getResponseHeaders()::set);
        boolean head = exchange.getRequestMethod().equals("HEAD");
        if (head) {
            exchange.getResponseHeaders().set("Content-Length", "" + answer.body().length);
        }
        exchange.sendResponseHeaders(
                answer.status(), head || answer.body().length == 0 ? -1 : answer.body().length);
        if (!head && answer.body().length > 0) {
            int count = half ? answer.body().length / 2 : answer.body().length;
            exchange.getResponseBody().write(answer.body(), 0, count);
        }
        exchange.close();
    }

    private synchronized Answer answer(HttpExchange exchange, String key, byte[] body) {
        if (isDenied) {
            return Answer.error(403, "InvalidAccessKeyId");
        }
        Map<String, String> query = query(exchange.getRequestURI().getRawQuery());
        String method = exchange.getRequestMethod();
        if (key.isEmpty()) {
            return bucket(method, query);
        }
        String md5 = exchange.getRequestHeaders().getFirst("Content-MD5");
        if (md5 != null && !md5.equals(Base64.getEncoder().encodeToString(md5(body)))) {
            return Answer.error(400, "BadDigest");
        }
        return switch (method) {
            case "PUT" ->
                    query.containsKey("partNumber") ? part(query, body) : put(exchange, key, body);
            case "POST" ->
                    query.containsKey("uploads")
                            ? begin(exchange, key)
                            : complete(exchange, key, query, body);
            case "GET", "HEAD" -> get(exchange, key);
            case "DELETE" -> delete(key, query);
            default -> Answer.error(501, "NotImplemented");
        };
    }

    private Answer bucket(String method, Map<String, String> query) {
        if (method.equals("PUT")) {
            bucketExists = true;
            return Answer.of(200);
        }
        if (!bucketExists) {
            return Answer.error(404, "NoSuchBucket");
        }
        if (query.containsKey("uploads")) {
            return Answer.xml(200, "<ListMultipartUploadsResult/>");
        }
        if (method.equals("HEAD")) {
            return Answer.of(200);
        }
        return list(query);
    }

    /** Pages of three, so that paging is used. */
    private Answer list(Map<String, String> query) {
        String prefix = query.getOrDefault("prefix", "");
        String after = query.getOrDefault("continuation-token", "");
        List<String> keys =
                objects.keySet().stream()
                        .filter(key -> key.startsWith(prefix) && key.compareTo(after) > 0)
                        .toList();
        List<String> page = keys.subList(0, Math.min(3, keys.size()));
        StringBuilder xml = new StringBuilder("<ListBucketResult>");
        page.forEach(key -> xml.append("<Contents><Key>").append(key).append("</Key></Contents>"));
        boolean more = page.size() < keys.size();
        xml.append("<IsTruncated>").append(more).append("</IsTruncated>");
        if (more) {
            xml.append("<NextContinuationToken>")
                    .append(page.getLast())
                    .append("</NextContinuationToken>");
        }
        return Answer.xml(200, xml.append("</ListBucketResult>").toString());
    }

    private boolean isTaken(HttpExchange exchange, String key) {
        return !ignoresConditions
                && "*".equals(exchange.getRequestHeaders().getFirst("If-None-Match"))
                && objects.containsKey(key);
    }

    private Answer put(HttpExchange exchange, String key, byte[] body) {
        if (isTaken(exchange, key)) {
            return Answer.error(412, "PreconditionFailed");
        }
        objects.put(key, new Stored(body, exchange.getRequestHeaders().getFirst(MARK)));
        return tagged(body);
    }

    private Answer begin(HttpExchange exchange, String key) {
        String id = "u" + uploads.size() + "-" + System.nanoTime();
        uploads.put(id, new TreeMap<>());
        uploadMarks.put(id, exchange.getRequestHeaders().getFirst(MARK));
        return Answer.xml(
                200,
                "<InitiateMultipartUploadResult><Key>"
                        + key
                        + "</Key><UploadId>"
                        + id
                        + "</UploadId></InitiateMultipartUploadResult>");
    }

    private Answer part(Map<String, String> query, byte[] body) {
        SortedMap<Integer, byte[]> parts = uploads.get(query.get("uploadId"));
        if (parts == null) {
            return Answer.error(404, "NoSuchUpload");
        }
        parts.put(Integer.valueOf(query.get("partNumber")), body);
        return tagged(body);
    }

    private Answer complete(
            HttpExchange exchange, String key, Map<String, String> query, byte[] body) {
        String id = query.get("uploadId");
        SortedMap<Integer, byte[]> parts = uploads.get(id);
        if (parts == null) {
            return Answer.error(404, "NoSuchUpload");
        }
        if (isTaken(exchange, key)) {
            return Answer.error(412, "PreconditionFailed");
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        Matcher number = PART.matcher(new String(body, StandardCharsets.UTF_8));
        while (number.find()) {
            all.writeBytes(parts.get(Integer.valueOf(number.group(1))));
        }
        objects.put(key, new Stored(all.toByteArray(), uploadMarks.get(id)));
        uploads.remove(id);
        return Answer.xml(
                200,
                "<CompleteMultipartUploadResult><Key>"
                        + key
                        + "</Key></CompleteMultipartUploadResult>");
    }

    private Answer get(HttpExchange exchange, String key) {
        Stored stored = objects.get(key);
        if (stored == null) {
            return Answer.error(404, "NoSuchKey");
        }
        Map<String, String> headers =
                stored.mark() == null ? Map.of() : Map.of(MARK, stored.mark());
        String range = exchange.getRequestHeaders().getFirst("Range");
        if (range == null) {
            return new Answer(200, headers, stored.bytes());
        }
        int from = Integer.parseInt(range.replaceAll("bytes=(\\d+)-", "$1"));
        if (from >= stored.bytes().length) {
            return Answer.error(416, "InvalidRange");
        }
        return new Answer(
                206, headers, Arrays.copyOfRange(stored.bytes(), from, stored.bytes().length));
    }

    private Answer delete(String key, Map<String, String> query) {
        if (query.containsKey("uploadId")) {
            uploads.remove(query.get("uploadId"));
        } else {
            objects.remove(key);
        }
        return Answer.of(204);
    }

    private static Answer tagged(byte[] body) {
        String tag = "\"" + HexFormat.of().formatHex(md5(body)) + "\"";
        return new Answer(200, Map.of("ETag", tag), new byte[0]);
    }

    private static byte[] md5(byte[] bytes) {
        try {
            return MessageDigest.getInstance("MD5").digest(bytes);
        } catch (java.security.NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static Map<String, String> query(String raw) {
        Map<String, String> query = new HashMap<>();
        for (String pair : raw == null ? new String[0] : raw.split("&")) {
            String[] parts = pair.split("=", 2);
            query.put(
                    parts[0],
                    parts.length < 2
                            ? ""
                            : java.net.URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
        }
        return query;
    }
}
