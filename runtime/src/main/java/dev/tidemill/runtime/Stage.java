package dev.tidemill.runtime;

import dev.tidemill.data.Batch;
import java.io.IOException;

/**
 * A node of the tree of what happens within a task, used by one thread.
 *
 * <p>Events flow from the head to the leaves. The caller gives one event, then calls {@link #settle} until it returns true, and only then gives the
 * next: so a node holds at most what one event made, and back-pressure is nothing but "not settled yet".
 */
interface Stage {
    void batch(Batch batch) throws Exception;

    /** No more rows with event time below {@code time}; greater than the one before. */
    void watermark(long time) throws Exception;

    /** The stream does not hold time back until its next batch. */
    void idle() throws Exception;

    /** All given so far belongs to the epoch: its state and what it has written are handed over, and the barrier goes on behind them. */
    void barrier(Element.Barrier barrier) throws Exception;

    /** The last event. @param drained true at the end of input, false at an ordered stop */
    void end(boolean drained) throws Exception;

    /** Processing time, in ms, monotone. */
    void tick(long nowMillis) throws Exception;

    /** News of a split of the task's source. */
    void split(int split, SplitNews news) throws Exception;

    /** A split of the task's source is known by a name that outlives the process; before any other news of it. */
    default void splitNamed(int split, String identity) throws Exception {}

    /** Moves on what is held; true when this node and all behind it hold nothing. */
    boolean settle() throws Exception;

    /** How often {@link #tick} is wanted, in ms; {@link Long#MAX_VALUE} for never. */
    long tickMillis();

    /** Releases what the node and those behind it have opened; may be called after a failure in the middle of anything. */
    void close() throws IOException;

    enum SplitNews {
        ADDED,
        CAUGHT_UP,
        FINISHED
    }
}
