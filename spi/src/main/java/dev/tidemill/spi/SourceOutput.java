package dev.tidemill.spi;

import dev.tidemill.data.Batch;

/**
 * What a reader tells of its share. Splits are numbered from 0 within the task, each number used once. Event time of a task is the minimum
 * over its splits: a split holds it back from its announcement on until it has rows of its own, is finished, or is caught up and silent for the
 * idle timeout.
 */
public interface SourceOutput {
    /**
     * A split that this task reads now or will read later.
     *
     * @param identity names the external thing, such as {@code topic-3} or a path with a byte range, the same after a restart
     */
    void splitAdded(int split, String identity);

    /** Rows of one split: {@link Batch#split()} is set. */
    void batch(Batch batch);

    /** All there is at present of the split has been emitted; it may be called again and again. */
    void splitCaughtUp(int split);

    /** The split is read to its end for good. */
    void splitFinished(int split);

    /**
     * Records that could not be decoded and go nowhere else: counted as dropped under the dataset's name. With dead letters wanted, the
     * rows come here too, in the schema of {@link BadRecords#SCHEMA}.
     */
    void badRecords(long count, Batch deadLetters);

    /** Rows, not records, in which a value did not fit its column and was set to null by policy; for metrics. */
    void misfits(long count);
}
