package dev.tidemill.runtime;

/**
 * Counts of one step in one task. Written by the task's thread once a batch, read by any: a reader sees each count whole, though not all of one moment.
 */
final class StepMetrics {
    private final String stepId;
    private volatile long in;
    private volatile long out;
    private volatile long firstOutAt = Long.MAX_VALUE;
    private volatile long filtered;
    private volatile long dropped;
    private volatile long late;
    private volatile long errors;
    private volatile long misfits;
    private volatile long watermark = Long.MIN_VALUE;
    private volatile long maxTime = Long.MIN_VALUE;

    StepMetrics(String stepId) {
        this.stepId = stepId;
    }

    String stepId() {
        return stepId;
    }

    // Only one thread writes, so reading, adding and writing back needs no more than a volatile
    // write.
    void in(long rows) {
        in += rows;
    }

    void out(long rows) {
        if (out == 0 && rows > 0) {
            firstOutAt = System.currentTimeMillis();
        }
        out += rows;
    }

    void filtered(long rows) {
        filtered += rows;
    }

    void dropped(long rows) {
        dropped += rows;
    }

    void late(long rows) {
        late += rows;
    }

    void errors(long rows) {
        errors += rows;
    }

    void misfits(long rows) {
        misfits += rows;
    }

    void watermark(long time) {
        watermark = time;
    }

    void maxTime(long time) {
        maxTime = time;
    }

    RunMetrics.Step snapshot() {
        return new RunMetrics.Step(
                in, out, filtered, dropped, late, errors, misfits, watermark, maxTime, firstOutAt);
    }
}
