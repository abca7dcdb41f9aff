package dev.tidemill.formats;

/** Is told of records that could not be used. */
public interface BadDataSink {
    /** A record that gives no row: drop it, counted; with dead letters also keep the bytes, which are only valid during the call. */
    void badRecord(long offset, String reason, byte[] data, int from, int to);

    /** A record that gave a row in which {@code column}'s value did not fit and is null. */
    void misfit(long offset, String column, String reason, byte[] data, int from, int to);
}
