package dev.tidemill.formats;

import dev.tidemill.data.Batch;
import dev.tidemill.data.Column;
import dev.tidemill.data.ColumnBuilder;
import dev.tidemill.data.Field;
import dev.tidemill.spi.BadRecords;
import dev.tidemill.spi.SourceOutput;

/**
 * Collects what a decoder could not use, and hands it to a source's output: numbers, and with dead letters the records themselves. A source makes one
 * for each task, names the split before it decodes, and calls {@link #flush} after each piece, which bounds what is held here to the bad
 * records of one piece.
 * Not thread-safe.
 */
public final class BadDataCollector implements BadDataSink {
    private final String dataset;
    private final boolean deadLetters;
    private final ColumnBuilder[] columns = new ColumnBuilder[BadRecords.SCHEMA.size()];

    private String partition = "";
    private long bad;
    private long misfits;
    private int rows;

    /** @param deadLetters whether bad records go to another dataset, {@link OnBadData#DEAD_LETTER} */
    public BadDataCollector(String dataset, boolean deadLetters) {
        this.dataset = dataset;
        this.deadLetters = deadLetters;
        int i = 0;
        for (Field field : BadRecords.SCHEMA.fields()) {
            columns[i++] = ColumnBuilder.of(field.type());
        }
    }

    /** The identity of the split that is decoded from now on. */
    public void split(String identity) {
        partition = identity;
    }

    @Override
    public void badRecord(long offset, String reason, byte[] data, int from, int to) {
        bad++;
        if (!deadLetters) {
            return;
        }
        ((ColumnBuilder.Strings) columns[0]).appendString(dataset);
        ((ColumnBuilder.Strings) columns[1]).appendString(partition);
        ((ColumnBuilder.Longs) columns[2]).appendLong(offset);
        ((ColumnBuilder.Strings) columns[3]).appendString(reason);
        ((ColumnBuilder.Strings) columns[4]).appendBytes(data, from, to);
        rows++;
    }

    @Override
    public void misfit(long offset, String column, String reason, byte[] data, int from, int to) {
        misfits++;
    }

    /** Hands over what has come since the last call. */
    public void flush(SourceOutput out) {
        if (bad > 0) {
            out.badRecords(bad, rows > 0 ? takeRows() : null);
            bad = 0;
        }
        if (misfits > 0) {
            out.misfits(misfits);
            misfits = 0;
        }
    }

    private Batch takeRows() {
        Column[] built = new Column[columns.length];
        for (int i = 0; i < built.length; i++) {
            built[i] = columns[i].build();
        }
        Batch batch = Batch.of(BadRecords.SCHEMA, built, rows);
        rows = 0;
        return batch;
    }

    /** An error of {@link OnBadData#FAIL} that also says which dataset and split. */
    public BadDataException withPlace(BadDataException error) {
        BadDataException placed =
                new BadDataException(
                        "dataset " + dataset + ", " + partition + ": " + error.getMessage());
        placed.initCause(error);
        return placed;
    }
}
