package dev.tidemill.epochs;

/** Bytes are missing or are not those that were written. */
public final class DamagedException extends StoreException {
    DamagedException(String message) {
        super(message);
    }
}
