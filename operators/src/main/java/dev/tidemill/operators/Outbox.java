package dev.tidemill.operators;

import dev.tidemill.data.Batch;

/** Where an operator's results go. Bounded: a refusal is the only form of back-pressure. */
public interface Outbox {
    /** Takes the batch, or returns false when full: then the operator keeps it and returns false from {@link Operator#drain}. */
    boolean offer(Batch batch);
}
