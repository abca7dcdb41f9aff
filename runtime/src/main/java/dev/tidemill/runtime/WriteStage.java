package dev.tidemill.runtime;

import dev.tidemill.data.Batch;
import dev.tidemill.spi.ClosedPipeException;
import dev.tidemill.spi.SinkWriter;
import java.io.IOException;

/** The end of the road: a writer of a sink. */
final class WriteStage implements Stage {
    private static final long TICK_MILLIS = 100;

    /** Busy writers flush so seldom, since a flush may wait for the outside; quiet ones at the next tick. */
    private static final long BUSY_FLUSH_MILLIS = 1000;

    private final SinkWriter writer;
    private final StepMetrics metrics;
    private final Runnable onClosedPipe;
    private final Handover handover;
    private boolean unread;
    private boolean unflushed;
    private boolean writtenSinceTick;
    private long lastFlushMillis = Long.MIN_VALUE;
    private boolean closed;

    /** @param onClosedPipe asks for an ordered stop, since nobody reads any more */
    WriteStage(SinkWriter writer, StepMetrics metrics, Handover handover, Runnable onClosedPipe) {
        this.handover = handover;
        this.writer = writer;
        this.metrics = metrics;
        this.onClosedPipe = onClosedPipe;
    }

    @Override
    public void batch(Batch batch) throws Exception {
        if (batch.rows() == 0 || unread) {
            return;
        }
        if (!toWriter(() -> writer.write(batch))) {
            return;
        }
        metrics.out(batch.rows());
        unflushed = true;
        writtenSinceTick = true;
    }

    @Override
    public void watermark(long time) {
        metrics.watermark(time);
    }

    @Override
    public void idle() throws Exception {
        flush();
    }

    @Override
    public void barrier(Element.Barrier barrier) throws Exception {
        prepare(false);
    }

    /** What a writer has got is its part of the last epoch, stopped or drained. */
    @Override
    public void end(boolean drained) throws Exception {
        prepare(true);
    }

    private void prepare(boolean last) throws Exception {
        if (!unread) {
            toWriter(() -> handover.prepared(metrics.stepId(), writer.prepare(last)));
        }
        unflushed = false;
    }

    @Override
    public void tick(long nowMillis) throws Exception {
        if (!writtenSinceTick || nowMillis - BUSY_FLUSH_MILLIS >= lastFlushMillis) {
            flush();
            lastFlushMillis = nowMillis;
        }
        writtenSinceTick = false;
    }

    private void flush() throws Exception {
        if (unflushed && !unread) {
            toWriter(writer::flush);
            unflushed = false;
        }
    }

    private interface Call {
        void run() throws Exception;
    }

    private boolean toWriter(Call call) throws Exception {
        try {
            call.run();
            return true;
        } catch (ClosedPipeException e) {
            unread = true;
            onClosedPipe.run();
            return false;
        }
    }

    @Override
    public void split(int split, SplitNews news) {}

    @Override
    public boolean settle() {
        return true;
    }

    @Override
    public long tickMillis() {
        return TICK_MILLIS;
    }

    @Override
    public void close() throws IOException {
        if (!closed) {
            closed = true;
            writer.close();
        }
    }
}
