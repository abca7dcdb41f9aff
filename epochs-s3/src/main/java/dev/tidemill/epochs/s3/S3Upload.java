package dev.tidemill.epochs.s3;

import java.io.OutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;

/** An object on its way to a bucket: one request when it is small, parts when it is not. Nothing is visible before {@link #finish}. One thread. */
final class S3Upload extends OutputStream {
    private static final int PART = 8 << 20;
    private static final int LARGE_PART = 64 << 20;

    /** There may be 10 000 parts: an object that has so many goes on with larger ones. */
    private static final int SMALL_PARTS = 1_000;

    private final S3Client client;
    private final String bucket;
    private final String key;
    private final Map<String, String> metadata;
    private final List<CompletedPart> parts = new ArrayList<>();
    private byte[] buffer = new byte[1 << 16];
    private int filled;
    private String upload;
    private boolean done;

    S3Upload(S3Client client, String bucket, String key, Map<String, String> metadata) {
        this.client = client;
        this.bucket = bucket;
        this.key = key;
        this.metadata = metadata;
    }

    @Override
    public void write(int each) {
        write(new byte[] {(byte) each}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int count) {
        int from = offset;
        int left = count;
        while (left > 0) {
            int limit = parts.size() < SMALL_PARTS ? PART : LARGE_PART;
            if (filled == limit) {
                sendPart();
                continue;
            }
            if (filled == buffer.length) {
                buffer = java.util.Arrays.copyOf(buffer, Math.min(limit, 2 * buffer.length));
            }
            int piece = Math.min(left, Math.min(limit, buffer.length) - filled);
            System.arraycopy(bytes, from, buffer, filled, piece);
            filled += piece;
            from += piece;
            left -= piece;
        }
    }

    private void sendPart() {
        if (upload == null) {
            upload =
                    client.createMultipartUpload(
                                    request -> request.bucket(bucket).key(key).metadata(metadata))
                            .uploadId();
        }
        int number = parts.size() + 1;
        String tag =
                client.uploadPart(
                                request ->
                                        request.bucket(bucket)
                                                .key(key)
                                                .uploadId(upload)
                                                .partNumber(number)
                                                .contentMD5(md5(buffer, filled)),
                                body())
                        .eTag();
        parts.add(CompletedPart.builder().partNumber(number).eTag(tag).build());
        filled = 0;
    }

    private RequestBody body() {
        return RequestBody.fromByteBuffer(java.nio.ByteBuffer.wrap(buffer, 0, filled));
    }

    /** Creates the object, unless its name is taken: then the server's answer 412 is thrown. May be called again after a failure. */
    void finish() {
        if (upload == null) {
            client.putObject(
                    request ->
                            request.bucket(bucket)
                                    .key(key)
                                    .metadata(metadata)
                                    .ifNoneMatch("*")
                                    .contentMD5(md5(buffer, filled)),
                    body());
        } else {
            if (filled > 0) {
                sendPart();
            }
            client.completeMultipartUpload(
                    request ->
                            request.bucket(bucket)
                                    .key(key)
                                    .uploadId(upload)
                                    .ifNoneMatch("*")
                                    .multipartUpload(all -> all.parts(parts)));
        }
        done = true;
    }

    /** Gives the parts up, unless the object was created. */
    void abandon() {
        if (done || upload == null) {
            return;
        }
        try {
            client.abortMultipartUpload(
                    request -> request.bucket(bucket).key(key).uploadId(upload));
        } catch (SdkException failure) {
            // A later opening of the store finds them.
        }
    }

    static String md5(byte[] bytes, int length) {
        try {
            MessageDigest digest = MessageDigest.getInstance("MD5");
            digest.update(bytes, 0, length);
            return Base64.getEncoder().encodeToString(digest.digest());
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
