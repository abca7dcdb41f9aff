package dev.tidemill.runtime;

import dev.tidemill.data.Batch;

/** What travels on an edge, in band. */
sealed interface Element {
    record Rows(Batch batch) implements Element {}

    /** No more rows with event time below {@code time}. */
    record Watermark(long time) implements Element {}

    /** The sender does not hold time back until its next rows. */
    enum Idle implements Element {
        INSTANCE
    }

    /** All before belongs to the epoch, all behind to later ones. */
    record Barrier(long epoch, boolean full) implements Element {}

    /** Nothing comes any more: {@code drained} when the input was read to its end, false at an ordered stop. */
    record End(boolean drained) implements Element {}
}
