package dev.tidemill.spi;

import dev.tidemill.data.Schema;

/** An external input, opened once for a pipeline however many stages read it. Thread-safe. */
public interface Source {
    /**
     * The columns that rows will have, as far as they are known before the first row: declared, or inferred from a sample. Only the wanted
     * columns of the {@link SourceRequest}, engine columns included. With an inferred schema ({@link #schemaIsFinal} false) batches may bring
     * wider types and, when all columns are wanted, more columns ({@link Schema#widen}).
     */
    Schema schema();

    /** Whether {@link #schema} is declared: then no batch differs from it. */
    boolean schemaIsFinal();

    /** Whether the input ends by itself. */
    boolean bounded();

    /**
     * The number of tasks to read with when the user does not say.
     *
     * @param workers the number of worker threads
     */
    int defaultTasks(int workers);

    /** The greatest number of tasks that makes sense, such as 1 for a socket. */
    default int maxTasks() {
        return Integer.MAX_VALUE;
    }

    /** Whether {@link SourceReader#poll} may block: then it gets a thread of its own. */
    boolean mayBlock();

    /** Opens the share of task {@code task} of {@code tasks}. */
    SourceReader open(int task, int tasks, SourceContext context) throws Exception;
}
