package dev.tidemill.formats.json;

/** Checks text that claims to be JSON. Stateless and thread-safe. */
public final class JsonCheck {
    private JsonCheck() {}

    /** Whether {@code data[from .. to)} is exactly one JSON value, white space around it aside. */
    public static boolean isValue(byte[] data, int from, int to) {
        JsonScanner scanner = new JsonScanner(JsonOptions.DEFAULT_MAX_DEPTH);
        try {
            int end = scanner.skipValue(data, scanner.skipSpace(data, from, to), to, 0);
            return scanner.skipSpace(data, end, to) == to;
        } catch (JsonError e) {
            return false;
        }
    }
}
