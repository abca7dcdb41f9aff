package dev.tidemill.runtime;

/** Where epochs are kept. Called by one thread, in the order of epochs. */
public interface EpochLog {
    /** Keeps nothing. */
    EpochLog FORGETFUL =
            new EpochLog() {
                @Override
                public void store(long epoch, Epochs.Completed completed, boolean drained) {}

                @Override
                public boolean isDurable() {
                    return false;
                }
            };

    /**
     * Makes an epoch stand: when this returns it is what a restart goes on from. Sinks and sources commit after it.
     *
     * @param drained whether it is the last epoch of a run that read all its input
     */
    void store(long epoch, Epochs.Completed completed, boolean drained) throws Exception;

    /** Whether epochs outlive the process, so that sources may record outside what they would not be asked for again. */
    default boolean isDurable() {
        return true;
    }

    /** Whether the next epoch has to bring whole states, because too much hangs on the ones before. */
    default boolean wantsFull() {
        return false;
    }
}
