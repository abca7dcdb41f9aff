package dev.tidemill.epochs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Small JSON documents that tell whether they are whole: one line of JSON, one line with its SHA-256. A strong hash, since a document is small and the sums of
 * large objects hang on it.
 */
final class Documents {
    static final int FORMAT = 1;

    private static final JsonMapper JSON = new JsonMapper();
    private static final HexFormat HEX = HexFormat.of();
    private static final String SUM = "sha256 ";
    private static final int TRAILER = 1 + SUM.length() + 64 + 1;

    private Documents() {}

    /** An empty document of the present format. */
    static ObjectNode create() {
        return JSON.createObjectNode().put("format", FORMAT);
    }

    static byte[] seal(ObjectNode document) {
        byte[] json = JSON.writeValueAsBytes(document);
        byte[] trailer = trailer(json, json.length);
        byte[] all = Arrays.copyOf(json, json.length + trailer.length);
        System.arraycopy(trailer, 0, all, json.length, trailer.length);
        return all;
    }

    /**
     * @throws DamagedException when the bytes are not a whole document
     * @throws StoreException when a newer version of this program wrote it
     */
    static JsonNode open(byte[] bytes, String what) throws StoreException {
        int length = bytes.length - TRAILER;
        if (length < 2
                || !Arrays.equals(
                        trailer(bytes, length), Arrays.copyOfRange(bytes, length, bytes.length))) {
            throw new DamagedException(
                    what + " is torn or damaged (" + bytes.length + " bytes, checksum wrong)");
        }
        JsonNode document = parse(Arrays.copyOf(bytes, length), what);
        int format = document.path("format").asInt(0);
        if (format > FORMAT) {
            throw new StoreException(
                    what
                            + " has format "
                            + format
                            + ", this version reads up to "
                            + FORMAT
                            + ": run it with the newer version that wrote it");
        }
        return document;
    }

    private static JsonNode parse(byte[] json, String what) throws DamagedException {
        try {
            return JSON.readTree(json);
        } catch (JacksonException failure) {
            throw new DamagedException(what + " is not JSON: " + failure.getOriginalMessage());
        }
    }

    /** Reads a document's fields; a field that is missing or of another kind means damage. */
    static <T> T decode(byte[] bytes, String what, Decoder<T> decoder) throws StoreException {
        JsonNode document = open(bytes, what);
        try {
            return decoder.decode(document);
        } catch (JacksonException | IllegalArgumentException | NullPointerException failure) {
            throw new DamagedException(
                    what + " has not the fields of its format: " + failure.getMessage());
        }
    }

    @FunctionalInterface
    interface Decoder<T> {
        T decode(JsonNode document);
    }

    /** The document's bytes, or damage when there are none. */
    static byte[] read(ObjectStore store, String name) throws IOException {
        return store.get(name).orElseThrow(() -> BlockSums.missing(store, name));
    }

    static String sha256(byte[] bytes) {
        return HEX.formatHex(digest(bytes, bytes.length));
    }

    private static byte[] trailer(byte[] bytes, int length) {
        return ("\n" + SUM + HEX.formatHex(digest(bytes, length)) + "\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] digest(byte[] bytes, int length) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(bytes, 0, length);
            return digest.digest();
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    static ObjectNode ref(ObjectNode into, ObjectRef ref) {
        return into.put("name", ref.name()).put("length", ref.length()).put("crc32c", ref.sums());
    }

    static ObjectRef ref(JsonNode from) {
        return new ObjectRef(
                from.required("name").stringValue(),
                from.required("length").longValue(),
                from.required("crc32c").stringValue());
    }
}
