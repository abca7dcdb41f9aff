package dev.tidemill.runtime;

import dev.tidemill.data.Batch;
import dev.tidemill.operators.Operator;
import dev.tidemill.operators.Outbox;
import java.io.IOException;

/**
 * A step with state: the head of a task, or fused into one. After each call the operator is drained into the stages behind it; what follows from the
 * call (a watermark, the end) goes on only when it is drained.
 */
final class OperatorStage extends PassStage implements Outbox {
    /** What is handed on once the operator is drained. */
    private enum After {
        NOTHING,
        WATERMARK,
        IDLE,
        BARRIER,
        END
    }

    private final Operator operator;
    private final Side side;
    private final StepMetrics metrics;
    private boolean draining;
    private After after = After.NOTHING;
    private long outWatermark = Long.MIN_VALUE;
    private boolean drained;
    private Exception failure;
    private final Handover handover;
    private Element.Barrier barrier;

    /** @param handover takes the operator's state at barriers and at an ordered stop */
    OperatorStage(
            Operator operator, Side side, StepMetrics metrics, Handover handover, Stage next) {
        super(next);
        this.handover = handover;
        this.operator = operator;
        this.side = side;
        this.metrics = metrics;
    }

    @Override
    public void batch(Batch batch) {
        batch(0, batch);
    }

    void batch(int input, Batch batch) {
        metrics.in(batch.rows());
        if (batch.rows() == 0) {
            return;
        }
        operator.process(input, batch, side);
        draining = true;
    }

    @Override
    public void watermark(long time) {
        metrics.watermark(time);
        operator.advance(time);
        draining = true;
        after = After.WATERMARK;
        outWatermark = Math.max(outWatermark, operator.outputWatermark(time));
    }

    @Override
    public void idle() throws Exception {
        operator.flush();
        draining = true;
        after = After.IDLE;
        side.idle();
    }

    @Override
    public void barrier(Element.Barrier newBarrier) {
        operator.flush();
        draining = true;
        after = After.BARRIER;
        barrier = newBarrier;
    }

    /** One of several inputs has ended. */
    void endOfInput(int input) {
        operator.endOfInput(input);
        draining = true;
    }

    @Override
    public void end(boolean isDrained) {
        drained = isDrained;
        if (isDrained) {
            operator.finish();
        } else {
            operator.flush();
        }
        draining = true;
        after = After.END;
    }

    @Override
    public void tick(long nowMillis) throws Exception {
        side.tick(nowMillis);
        if (operator.tickMillis() > 0) {
            operator.tick(nowMillis);
            draining = true;
        }
        // Stages behind want their ticks too; they are settled now, and what the operator emits
        // comes after.
        super.tick(nowMillis);
    }

    /** Splits are the source's; behind an operator they have no meaning. */
    @Override
    public void split(int split, SplitNews news) {}

    @Override
    public boolean settle() throws Exception {
        if (!(side.settle() & next.settle())) {
            return false;
        }
        while (draining) {
            boolean done = operator.drain(this, side);
            if (failure != null) {
                throw failure;
            }
            draining = !done;
            if (!(side.settle() & next.settle())) {
                return false;
            }
        }
        return handOn();
    }

    private boolean handOn() throws Exception {
        After what = after;
        after = After.NOTHING;
        switch (what) {
            case NOTHING -> {
                return true;
            }
            case WATERMARK -> watermarkOn();
            case IDLE -> next.idle();
            case BARRIER -> {
                handOver(barrier.full());
                side.barrier(barrier);
                next.barrier(barrier);
            }
            case END -> {
                handOver(false);
                side.end(drained);
                next.end(drained);
            }
        }
        return side.settle() & next.settle();
    }

    private void handOver(boolean full) {
        handover.state(metrics.stepId(), operator, full);
    }

    private long handedOn = Long.MIN_VALUE;

    private void watermarkOn() throws Exception {
        if (outWatermark > handedOn) {
            handedOn = outWatermark;
            next.watermark(outWatermark);
        }
    }

    @Override
    public boolean offer(Batch batch) {
        try {
            if (!next.settle()) {
                return false;
            }
            metrics.out(batch.rows());
            next.batch(batch);
            return true;
        } catch (Exception e) {
            failure = e;
            return false;
        }
    }

    @Override
    public long tickMillis() {
        long own = operator.tickMillis() > 0 ? operator.tickMillis() : Long.MAX_VALUE;
        return Math.min(own, super.tickMillis());
    }

    @Override
    public void close() throws IOException {
        Closing closing = new Closing();
        side.close(closing);
        closing.close(super::close);
        closing.rethrow();
    }
}
