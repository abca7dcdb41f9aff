package dev.tidemill.epochs.s3;

import dev.tidemill.epochs.ObjectNames;
import dev.tidemill.epochs.ObjectStore;
import dev.tidemill.epochs.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * Objects of a bucket, below a prefix. Creation is a conditional write ({@code If-None-Match: *}); large objects go in parts as they are written. Server errors,
 * throttling and lost connections are tried again for about a minute; each creation carries a mark of its own, so that one whose answer was lost is recognised.
 */
final class S3Store implements ObjectStore {
    private static final String MARK = "tidemill-write";
    private static final Duration ABANDONED = Duration.ofDays(1);
    private static final int CONFLICTS = 10;

    private final S3Client client;
    private final String bucket;
    private final String prefix;
    private final S3Errors errors;

    /** @param prefix empty, or ends with a slash */
    S3Store(S3Client client, String bucket, String prefix, String secret) {
        this.client = client;
        this.bucket = bucket;
        this.prefix = prefix;
        this.errors = new S3Errors(location(), secret);
    }

    /** Makes a missing bucket, and sees that the server keeps to the condition of conditional writes: owners rely on it. */
    void prepare() throws IOException {
        makeBucket();
        String probe = "probe-" + UUID.randomUUID();
        boolean first = putIfAbsent(probe, new byte[] {1});
        boolean second = putIfAbsent(probe, new byte[] {2});
        delete(probe);
        if (!first || second) {
            throw new StoreException(
                    "the server of "
                            + location()
                            + " ignores If-None-Match: * on PUT, which keeps two owners apart: use a server with conditional writes");
        }
        abortAbandonedUploads();
    }

    private void makeBucket() throws IOException {
        try {
            client.headBucket(request -> request.bucket(bucket));
        } catch (S3Exception failure) {
            if (failure.statusCode() != 404) {
                throw errors.explain(failure);
            }
            createBucket();
        } catch (SdkException failure) {
            throw errors.explain(failure);
        }
    }

    private void createBucket() throws IOException {
        try {
            client.createBucket(request -> request.bucket(bucket));
        } catch (S3Exception failure) {
            if (failure.statusCode() != 409) { // Else another process just made it.
                throw errors.explain(failure);
            }
        } catch (SdkException failure) {
            throw errors.explain(failure);
        }
    }

    /** Parts of objects whose writers died take room and are in no list of objects. */
    private void abortAbandonedUploads() {
        Instant limit = Instant.now().minus(ABANDONED);
        try {
            List<MultipartUpload> uploads =
                    client.listMultipartUploads(request -> request.bucket(bucket).prefix(prefix))
                            .uploads();
            for (MultipartUpload each : uploads) {
                if (each.initiated().isBefore(limit)) {
                    client.abortMultipartUpload(
                            request ->
                                    request.bucket(bucket)
                                            .key(each.key())
                                            .uploadId(each.uploadId()));
                }
            }
        } catch (SdkException refused) {
            // Not every server or every right allows it; a rule of the bucket may do it instead.
        }
    }

    @Override
    public String location() {
        return "s3://"
                + bucket
                + (prefix.isEmpty() ? "" : "/" + prefix.substring(0, prefix.length() - 1));
    }

    private String key(String name) {
        return prefix + ObjectNames.check(name);
    }

    @Override
    public boolean putIfAbsent(String name, Body body) throws IOException {
        String key = key(name);
        String mark = UUID.randomUUID().toString();
        S3Upload upload = new S3Upload(client, bucket, key, Map.of(MARK, mark));
        try {
            body.writeTo(upload);
            return finish(upload, key, mark);
        } catch (SdkException failure) {
            throw errors.explain(failure);
        } finally {
            upload.abandon();
        }
    }

    private boolean finish(S3Upload upload, String key, String mark) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                upload.finish();
                return true;
            } catch (S3Exception failure) {
                if (failure.statusCode() == 412) {
                    return carries(key, mark);
                }
                // 404: an upload whose completion went through and whose answer was lost.
                if (failure.statusCode() == 404 && carries(key, mark)) {
                    return true;
                }
                // 409: another write of the same name is under way.
                if (failure.statusCode() != 409 || attempt == CONFLICTS) {
                    throw failure;
                }
            }
            pause(attempt);
        }
    }

    private boolean carries(String key, String mark) {
        return head(key).map(found -> mark.equals(found.metadata().get(MARK))).orElse(false);
    }

    private static void pause(int attempt) throws IOException {
        try {
            Thread.sleep(ThreadLocalRandom.current().nextLong(50L << Math.min(attempt, 6)) + 1);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new java.io.InterruptedIOException("interrupted");
        }
    }

    @Override
    public void put(String name, byte[] bytes) throws IOException {
        String key = key(name);
        answer(
                () ->
                        client.putObject(
                                request ->
                                        request.bucket(bucket)
                                                .key(key)
                                                .contentMD5(S3Upload.md5(bytes, bytes.length)),
                                RequestBody.fromBytes(bytes)));
    }

    @Override
    public Optional<byte[]> get(String name) throws IOException {
        String key = key(name);
        return found(
                () ->
                        client.getObjectAsBytes(request -> request.bucket(bucket).key(key))
                                .asByteArray());
    }

    @Override
    public OptionalLong length(String name) throws IOException {
        String key = key(name);
        Optional<HeadObjectResponse> head = answer(() -> head(key));
        return head.isPresent()
                ? OptionalLong.of(head.get().contentLength())
                : OptionalLong.empty();
    }

    private Optional<HeadObjectResponse> head(String key) {
        try {
            return Optional.of(client.headObject(request -> request.bucket(bucket).key(key)));
        } catch (S3Exception failure) {
            if (failure.statusCode() == 404) {
                return Optional.empty();
            }
            throw failure;
        }
    }

    @Override
    public InputStream read(String name, long offset) throws IOException {
        String key = key(name);
        InputStream first = from(name, key, offset);
        return new ResumingInput(first, offset, at -> from(name, key, at));
    }

    private InputStream from(String name, String key, long offset) throws IOException {
        GetObjectRequest.Builder request = GetObjectRequest.builder().bucket(bucket).key(key);
        if (offset > 0) {
            request.range("bytes=" + offset + "-");
        }
        try {
            return found(() -> (InputStream) client.getObject(request.build()))
                    .orElseThrow(() -> new NoSuchFileException(name));
        } catch (S3Errors.BeyondEnd end) {
            return InputStream.nullInputStream();
        }
    }

    @Override
    public void delete(String name) throws IOException {
        String key = key(name);
        answer(() -> client.deleteObject(request -> request.bucket(bucket).key(key)));
    }

    @Override
    public List<String> list(String namePrefix) throws IOException {
        return answer(
                () ->
                        client
                                .listObjectsV2Paginator(
                                        request ->
                                                request.bucket(bucket).prefix(prefix + namePrefix))
                                .contents()
                                .stream()
                                .map(S3Object::key)
                                .filter(key -> !key.endsWith("/")) // Consoles make such "folders".
                                .map(key -> key.substring(prefix.length()))
                                .sorted()
                                .toList());
    }

    private <T> T answer(Supplier<T> call) throws IOException {
        try {
            return call.get();
        } catch (SdkException failure) {
            throw errors.explain(failure);
        }
    }

    private <T> Optional<T> found(Supplier<T> call) throws IOException {
        try {
            return Optional.of(call.get());
        } catch (S3Exception failure) {
            if (failure.statusCode() == 404 && !S3Errors.isBucketMissing(failure)) {
                return Optional.empty();
            }
            throw errors.explain(failure);
        } catch (SdkException failure) {
            throw errors.explain(failure);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
