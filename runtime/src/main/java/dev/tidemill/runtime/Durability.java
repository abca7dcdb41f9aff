package dev.tidemill.runtime;

/**
 * How a run keeps its epochs.
 *
 * @param intervalMs  time from the begin of an epoch to that of the next; 0 for no epochs while the run goes on
 * @param minPauseMs  quiet time after an epoch stands
 * @param timeoutMs   an epoch that does not come together in so long fails the run; 0 for no limit
 * @param firstEpoch  the number of the first epoch, above all that the store has seen
 * @param log         where epochs are kept
 * @param restored    the epoch to go on from
 */
public record Durability(
        long intervalMs,
        long minPauseMs,
        long timeoutMs,
        long firstEpoch,
        EpochLog log,
        Restored restored) {
    /** Epochs are kept nowhere: sinks publish at the end, and a restart begins anew. */
    public static final Durability NONE =
            new Durability(0, 0, 0, 1, EpochLog.FORGETFUL, Restored.NOTHING);
}
