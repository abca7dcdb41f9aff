package dev.tidemill.formats;

import dev.tidemill.data.Column;
import dev.tidemill.data.ColumnBuilder;
import dev.tidemill.data.DataType;

/** The policy for bad data as the line decoders apply it, with the column of rescued text when the policy and the plan want it. Not thread-safe. */
public final class RejectedData {
    private final OnBadData policy;
    private final BadDataSink sink;
    private final ColumnBuilder.Strings rescued;

    /** @param rescuedWanted whether the plan reads the column {@code _rescued_data} */
    public RejectedData(OnBadData policy, BadDataSink sink, boolean rescuedWanted) {
        this.policy = policy;
        this.sink = sink;
        rescued =
                policy == OnBadData.RESCUE && rescuedWanted
                        ? (ColumnBuilder.Strings) ColumnBuilder.of(DataType.UTF8)
                        : null;
    }

    /** Whether there is a column of rescued text. */
    public boolean hasColumn() {
        return rescued != null;
    }

    /** The rescued text of the rows so far; starts the next batch. */
    public Column column() {
        return rescued.build();
    }

    /** A record whose values all fit. */
    public void good() {
        if (rescued != null) {
            rescued.appendNull();
        }
    }

    /** A record that gives no values; true when it still gives a row, of nulls. */
    public boolean record(long offset, String reason, byte[] data, int from, int to)
            throws BadDataException {
        if (policy == OnBadData.FAIL) {
            throw failure(offset, reason);
        }
        if (policy != OnBadData.RESCUE) {
            sink.badRecord(offset, reason, data, from, to);
            return false;
        }
        rescue(data, from, to);
        sink.misfit(offset, null, reason, data, from, to);
        return true;
    }

    /** A record in which the value of a column does not fit; true when it keeps its row, with a null there. */
    public boolean misfit(long offset, String column, String reason, byte[] data, int from, int to)
            throws BadDataException {
        String full = "the value of " + column + " " + reason;
        if (policy == OnBadData.FAIL) {
            throw failure(offset, full);
        }
        if (policy == OnBadData.DEAD_LETTER) {
            sink.badRecord(offset, full, data, from, to);
            return false;
        }
        rescue(data, from, to);
        sink.misfit(offset, column, reason, data, from, to);
        return true;
    }

    private void rescue(byte[] data, int from, int to) {
        if (rescued != null) {
            byte[] text = Utf8.repaired(data, from, to);
            rescued.appendBytes(text, 0, text.length);
        }
    }

    private static BadDataException failure(long offset, String reason) {
        return new BadDataException("bad record at offset " + offset + ": " + reason);
    }
}
