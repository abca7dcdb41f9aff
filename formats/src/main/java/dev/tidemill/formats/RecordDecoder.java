package dev.tidemill.formats;

import dev.tidemill.data.Batch;
import dev.tidemill.data.Schema;

/**
 * Decodes the records of one split into batches. Keeps the rows of the batch that is being built. Not thread-safe. Records that are bad are
 * handled by
 * the policy the decoder was made with.
 */
public interface RecordDecoder {
    /**
     * Decodes one record (a message).
     *
     * @param offset the record's position in its split, for reports
     * @return the number of rows it added: 0 when it was bad and dropped; more than 1 only in formats with many rows a record
     */
    int record(byte[] data, int from, int to, long offset) throws BadDataException;

    /**
     * Decodes newline-terminated records until {@code maxRows} rows are pending or no whole line is left.
     *
     * @param last   whether the input ends at {@code to}, so that what follows the last newline is a record too
     * @param offset the position in the split of {@code data[from]}, for reports
     * @return the position in {@code data} behind the last record taken; {@code from} when there is no whole line
     */
    int lines(byte[] data, int from, int to, boolean last, long offset, int maxRows)
            throws BadDataException;

    /** The columns of the next batch, as far as they are known now. */
    Schema schema();

    /** The number of rows that {@link #take} would give. */
    int rows();

    /** The rows since the last call, as a batch; starts the next one. */
    Batch take();
}
