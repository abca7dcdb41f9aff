package dev.tidemill.epochs.s3;

import dev.tidemill.epochs.StoreException;
import java.io.IOException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** The client's failures in words for people, and without secrets. */
final class S3Errors {
    /** A range begins behind the object's end. */
    static final class BeyondEnd extends IOException {
        BeyondEnd() {
            super("behind the end");
        }
    }

    private final String location;
    private final String secret;

    /** @param secret never to be shown; empty when not known */
    S3Errors(String location, String secret) {
        this.location = location;
        this.secret = secret;
    }

    static boolean isBucketMissing(S3Exception failure) {
        return failure.awsErrorDetails() != null
                && "NoSuchBucket".equals(failure.awsErrorDetails().errorCode());
    }

    /** The exception to throw. It has no cause, since the client's own texts may quote requests. */
    IOException explain(SdkException failure) {
        if (failure instanceof S3Exception answer) {
            return answer.statusCode() == 416 ? new BeyondEnd() : explain(answer);
        }
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String text = failure.getMessage();
        if (root != failure) {
            text = root.getClass().getSimpleName() + ": " + root.getMessage();
        }
        return new StoreException(
                "the state store "
                        + location
                        + " cannot be reached: "
                        + clean(text)
                        + "; see that S3_ENDPOINT and the network are right");
    }

    private IOException explain(S3Exception answer) {
        String code = answer.awsErrorDetails() == null ? "" : answer.awsErrorDetails().errorCode();
        String what =
                "the state store "
                        + location
                        + " answered "
                        + answer.statusCode()
                        + (code == null || code.isEmpty() ? "" : " " + code);
        return new StoreException(clean(what + wayOut(answer.statusCode())));
    }

    private static String wayOut(int status) {
        return switch (status) {
            case 301, 307, 400 -> ": see that S3_REGION and S3_ENDPOINT are the bucket's";
            case 401, 403 ->
                    ": see that S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY (or the AWS_ ones) are right and may read, write, list and delete there";
            case 404 -> ": the bucket is gone";
            case 501 -> ": it lacks what the store needs (conditional writes)";
            case 500, 502, 503, 504, 429 ->
                    " again and again for a minute: it is down or overloaded";
            default -> "";
        };
    }

    private String clean(String text) {
        return secret.isEmpty() ? text : text.replace(secret, "***");
    }
}
