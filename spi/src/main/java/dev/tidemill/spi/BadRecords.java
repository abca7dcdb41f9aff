package dev.tidemill.spi;

import dev.tidemill.data.DataType;
import dev.tidemill.data.Field;
import dev.tidemill.data.Schema;

/** The rows of a dataset that takes records which could not be decoded. */
public final class BadRecords {
    private BadRecords() {}

    /**
     * {@code dataset} it came from, {@code partition} (the split's identity), {@code offset} (message offset or byte position of the record),
     * {@code reason}, {@code record}: the original bytes.
     */
    public static final Schema SCHEMA =
            Schema.of(
                    new Field("dataset", DataType.UTF8),
                    new Field("partition", DataType.UTF8),
                    new Field("offset", DataType.INT64),
                    new Field("reason", DataType.UTF8),
                    new Field("record", DataType.BYTES));
}
