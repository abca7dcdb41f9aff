package dev.tidemill.formats.json;

/** A record is not what it should be. Without a stack trace, since hostile input makes many. */
final class JsonError extends Exception {
    private static final long serialVersionUID = 1;

    /** Marks input that ends too early: more bytes could make it whole. */
    static final JsonError END = new JsonError("the record ends too early");

    JsonError(String message) {
        super(message, null, false, false);
    }
}
