package dev.tidemill.epochs;

/** Another process owns the pipeline now: this one must stop, and what it wrote last does not count unless the other finds it. */
public final class FencedException extends StoreException {
    FencedException(String message) {
        super(message);
    }
}
