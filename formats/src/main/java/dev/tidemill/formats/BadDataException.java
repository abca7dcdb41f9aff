package dev.tidemill.formats;

/** A record is bad and the policy is to fail: says where it is and why. */
public final class BadDataException extends Exception {
    private static final long serialVersionUID = 1;

    public BadDataException(String message) {
        super(message);
    }
}
