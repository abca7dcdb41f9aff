package dev.tidemill.epochs.s3;

import dev.tidemill.epochs.ObjectStore;
import dev.tidemill.epochs.ObjectStoreProvider;
import dev.tidemill.epochs.StoreException;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import java.util.function.UnaryOperator;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.StandardRetryStrategy;
import software.amazon.awssdk.retries.api.BackoffStrategy;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/**
 * Opens {@code s3://bucket/prefix}. Settings: {@code S3_ENDPOINT}, {@code S3_REGION} (else {@code AWS_REGION}, {@code AWS_DEFAULT_REGION}, us-east-1), {@code
 * S3_ACCESS_KEY_ID} and {@code S3_SECRET_ACCESS_KEY} (else the {@code AWS_} ones with {@code AWS_SESSION_TOKEN}, else what the machine or the user's profile
 * gives), {@code S3_ALLOW_HTTP}.
 */
public final class S3StoreProvider implements ObjectStoreProvider {
    /** With the pauses below: about a minute. */
    private static final int ATTEMPTS = 20;

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(8);
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration SILENCE = Duration.ofSeconds(30);

    private final int attempts;

    /** For the service loader. */
    public S3StoreProvider() {
        this(ATTEMPTS);
    }

    S3StoreProvider(int attempts) {
        this.attempts = attempts;
    }

    @Override
    public String scheme() {
        return "s3";
    }

    @Override
    public ObjectStore open(String location, UnaryOperator<String> settings) throws IOException {
        String path = location.substring("s3://".length());
        if (path.contains("@")) {
            throw new StoreException(
                    "a state store s3:// has no user or password in it: set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY");
        }
        int slash = path.indexOf('/');
        String bucket = slash < 0 ? path : path.substring(0, slash);
        String below = slash < 0 ? "" : path.substring(slash + 1);
        if (!bucket.matches("[A-Za-z0-9][A-Za-z0-9._-]{1,254}")) {
            throw new StoreException(
                    "state store '" + location + "': expected s3://bucket or s3://bucket/prefix");
        }
        AwsCredentials given = credentials(settings);
        String secret = given == null ? "" : given.secretAccessKey();
        S3Store store =
                new S3Store(client(settings, given), bucket, prefix(below, location), secret);
        try {
            store.prepare();
            return store;
        } catch (IOException | RuntimeException failure) {
            store.close();
            throw failure;
        }
    }

    private static String prefix(String below, String location) throws StoreException {
        String prefix = below.endsWith("/") ? below.substring(0, below.length() - 1) : below;
        if (prefix.isEmpty()) {
            return "";
        }
        for (String segment : prefix.split("/", -1)) {
            if (segment.isEmpty() || segment.equals(".") || segment.equals("..")) {
                throw new StoreException(
                        "state store '" + location + "': the prefix has an empty or dotted part");
            }
        }
        return prefix + "/";
    }

    private S3Client client(UnaryOperator<String> settings, AwsCredentials given)
            throws StoreException {
        BackoffStrategy pauses = BackoffStrategy.exponentialDelay(FIRST_PAUSE, LONGEST_PAUSE);
        StandardRetryStrategy retries =
                AwsRetryStrategy.standardRetryStrategy().toBuilder()
                        .maxAttempts(attempts)
                        .backoffStrategy(pauses)
                        .throttlingBackoffStrategy(pauses)
                        .circuitBreakerEnabled(false)
                        .build();
        S3ClientBuilder builder =
                S3Client.builder()
                        .region(Region.of(region(settings)))
                        .credentialsProvider(provider(given))
                        .httpClientBuilder(
                                UrlConnectionHttpClient.builder()
                                        .connectionTimeout(CONNECT)
                                        .socketTimeout(SILENCE))
                        .overrideConfiguration(options -> options.retryStrategy(retries))
                        // Requests carry Content-MD5, which every server knows; objects have
                        // checksums of their own.
                        .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                        .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                        .serviceConfiguration(service -> service.chunkedEncodingEnabled(false));
        String endpoint = value(settings, "S3_ENDPOINT");
        if (endpoint != null) {
            builder.endpointOverride(endpoint(endpoint, settings)).forcePathStyle(true);
        }
        return builder.build();
    }

    private static URI endpoint(String text, UnaryOperator<String> settings) throws StoreException {
        URI endpoint;
        try {
            endpoint = URI.create(text);
        } catch (IllegalArgumentException malformed) {
            throw notAnEndpoint();
        }
        if (endpoint.getHost() == null || endpoint.getUserInfo() != null) {
            throw notAnEndpoint();
        }
        if ("https".equals(endpoint.getScheme())) {
            return endpoint;
        }
        if (!"http".equals(endpoint.getScheme())) {
            throw notAnEndpoint();
        }
        String allowed = value(settings, "S3_ALLOW_HTTP");
        if (allowed == null || !Set.of("1", "true").contains(allowed)) {
            throw new StoreException(
                    "S3_ENDPOINT is http:// without encryption: use https://, or set S3_ALLOW_HTTP=1");
        }
        return endpoint;
    }

    /** Does not quote the text, which may hold a password. */
    private static StoreException notAnEndpoint() {
        return new StoreException(
                "S3_ENDPOINT is not a URL such as https://host:port, without user and password");
    }

    private static String region(UnaryOperator<String> settings) {
        for (String name : new String[] {"S3_REGION", "AWS_REGION", "AWS_DEFAULT_REGION"}) {
            String region = value(settings, name);
            if (region != null) {
                return region;
            }
        }
        return "us-east-1";
    }

    /** Those given by settings, or null. */
    private static AwsCredentials credentials(UnaryOperator<String> settings)
            throws StoreException {
        AwsCredentials own = credentials(settings, "S3_", null);
        return own != null
                ? own
                : credentials(settings, "AWS_", value(settings, "AWS_SESSION_TOKEN"));
    }

    private static AwsCredentials credentials(
            UnaryOperator<String> settings, String prefix, String token) throws StoreException {
        String id = value(settings, prefix + "ACCESS_KEY_ID");
        String secret = value(settings, prefix + "SECRET_ACCESS_KEY");
        if (id == null && secret == null) {
            return null;
        }
        if (id == null || secret == null) {
            throw new StoreException(
                    prefix
                            + (id == null ? "SECRET_ACCESS_KEY" : "ACCESS_KEY_ID")
                            + " is set and "
                            + prefix
                            + (id == null ? "ACCESS_KEY_ID" : "SECRET_ACCESS_KEY")
                            + " is not: set both");
        }
        return token == null
                ? AwsBasicCredentials.create(id, secret)
                : AwsSessionCredentials.create(id, secret, token);
    }

    private static AwsCredentialsProvider provider(AwsCredentials given) {
        return given == null
                ? DefaultCredentialsProvider.builder().build()
                : StaticCredentialsProvider.create(given);
    }

    private static String value(UnaryOperator<String> settings, String name) {
        String value = settings.apply(name);
        return value == null || value.isBlank() ? null : value.strip();
    }
}
