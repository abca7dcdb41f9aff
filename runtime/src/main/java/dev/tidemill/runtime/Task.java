package dev.tidemill.runtime;

import java.io.IOException;
import java.util.Map;

/** One task: a step-wise state machine run by one thread at a time. */
interface Task {
    enum Progress {
        /** Work was done: step again. */
        MADE,
        /** Nothing to do, or no room: step again when woken, at the next tick, or a little later. */
        NONE,
        /** The task has come to its end in order. */
        DONE
    }

    /** Unique in the dataflow, such as {@code count[1]}. */
    String name();

    Role role();

    enum Role {
        SOURCES,
        OPERATORS,
        SINKS
    }

    /** Whether a step may block, so that the task wants a thread of its own. */
    boolean mayBlock();

    /** A bounded piece of work. */
    Progress step() throws Exception;

    /** Asks for an ordered stop; callable from any thread. Only sources act on it, the others follow in band. */
    void stop();

    /** Asks a source for a barrier; callable from any thread. */
    default void begin(long epoch, boolean full) {}

    /** Tells a source that an epoch with these positions, by dataset and split, stands; callable from any thread. */
    default void committed(Map<String, Map<String, String>> positionsOfDataset) {}

    /** What wakes the thread that runs this task. */
    void runsOn(Wakeup wakeup);

    /** The last epoch stands; called before {@link #close} where that is so, by the thread that ran the task. */
    default void delivered() throws Exception {}

    /** Releases everything; called once, by the thread that ran the task, after its last step. */
    void close() throws IOException;
}
