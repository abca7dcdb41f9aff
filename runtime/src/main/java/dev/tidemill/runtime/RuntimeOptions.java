package dev.tidemill.runtime;

import dev.tidemill.spi.Clock;
import dev.tidemill.spi.Notices;

/**
 * How a dataflow is run.
 *
 * @param workers   threads for tasks that do not block, at least 1
 * @param batchRows the most rows in a batch from a source
 * @param edgeRows  the most rows that wait on one edge
 * @param edgeBytes the most bytes that wait on one edge
 * @param durability how epochs are kept
 */
public record RuntimeOptions(
        int workers,
        int batchRows,
        long edgeRows,
        long edgeBytes,
        Clock clock,
        Notices notices,
        Durability durability) {
    public static final int DEFAULT_BATCH_ROWS = 4096;
    private static final long DEFAULT_EDGE_BYTES = 16L << 20;

    public RuntimeOptions {
        if (workers < 1 || batchRows < 1 || edgeRows < 1 || edgeBytes < 1) {
            throw new IllegalArgumentException("each bound is at least 1");
        }
    }

    public static RuntimeOptions defaults() {
        return new RuntimeOptions(
                Runtime.getRuntime().availableProcessors(),
                DEFAULT_BATCH_ROWS,
                4L * DEFAULT_BATCH_ROWS,
                DEFAULT_EDGE_BYTES,
                Clock.SYSTEM,
                Notices.STDERR,
                Durability.NONE);
    }

    public RuntimeOptions withWorkers(int count) {
        return new RuntimeOptions(
                count, batchRows, edgeRows, edgeBytes, clock, notices, durability);
    }

    /** @param edgeBatches how many full batches may wait on an edge */
    public RuntimeOptions withBatchRows(int rows, int edgeBatches) {
        return new RuntimeOptions(
                workers,
                rows,
                Math.max(1L, (long) rows * edgeBatches),
                edgeBytes,
                clock,
                notices,
                durability);
    }

    public RuntimeOptions withClock(Clock newClock) {
        return new RuntimeOptions(
                workers, batchRows, edgeRows, edgeBytes, newClock, notices, durability);
    }

    public RuntimeOptions withNotices(Notices newNotices) {
        return new RuntimeOptions(
                workers, batchRows, edgeRows, edgeBytes, clock, newNotices, durability);
    }

    public RuntimeOptions withDurability(Durability newDurability) {
        return new RuntimeOptions(
                workers, batchRows, edgeRows, edgeBytes, clock, notices, newDurability);
    }
}
