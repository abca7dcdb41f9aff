package dev.tidemill.operators;

import dev.tidemill.data.Batch;
import dev.tidemill.data.Schema;

/**
 * A stateless step: one batch in, one batch out, no state between them, so that steps fuse into the task before them. One instance
 * belongs to one task; not thread-safe. The schema may change between batches of a stream whose types are inferred.
 */
public interface Transform {
    /**
     * The rows that remain, possibly none. Never null.
     *
     * @param side takes what leaves the main road: rows whose expression failed
     */
    Batch apply(Batch batch, SideOutput side);

    /** The columns of what comes out for batches with these columns. */
    Schema outputSchema(Schema input);
}
