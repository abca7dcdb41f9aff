package dev.tidemill.formats;

/** What happens to a record that cannot be decoded, or whose value does not fit its column. */
public enum OnBadData {
    /** Counted and gone; a misfit value becomes null, counted. */
    DROP,
    /** A row of nulls with the text in the column {@code _rescued_data}; a misfit keeps its row, with the record's text there. */
    RESCUE,
    /** The run fails, naming offset and reason. */
    FAIL,
    /** Counted, and the original bytes go to another dataset. A misfit sends its record there and gives no row. */
    DEAD_LETTER
}
