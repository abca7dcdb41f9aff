package dev.tidemill.file;

import dev.tidemill.formats.BadDataSink;

/** Bad data of a sample: it is met again, and counted, when the rows are read. Remembers the first reason. */
final class Ignored implements BadDataSink {
    private String firstReason;

    /** Why the first bad record is bad, or null when none is. */
    String firstReason() {
        return firstReason;
    }

    @Override
    public void badRecord(long offset, String reason, byte[] data, int from, int to) {
        firstReason = firstReason == null ? reason : firstReason;
    }

    @Override
    public void misfit(long offset, String column, String reason, byte[] data, int from, int to) {}
}
