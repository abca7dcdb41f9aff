package dev.tidemill.formats;

import dev.tidemill.data.Batch;

/** Encodes the living rows of batches, without engine columns. Not thread-safe. */
public interface RowEncoder {
    /** Appends each living row as one record, with the record separator of the encoder (none for messages, a newline for files). */
    void encode(Batch batch, EncodedRows out);
}
