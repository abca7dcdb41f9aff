package dev.tidemill.epochs;

import java.io.IOException;

/** A store cannot be used as asked; the message says why and, where there is one, names the way out. */
public class StoreException extends IOException {
    public StoreException(String message) {
        super(message);
    }

    public StoreException(String message, Throwable cause) {
        super(message, cause);
    }
}
