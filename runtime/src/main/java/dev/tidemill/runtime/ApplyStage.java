package dev.tidemill.runtime;

import dev.tidemill.data.Batch;
import dev.tidemill.operators.Transform;
import java.io.IOException;

/** A stateless step. */
final class ApplyStage extends PassStage {
    private final Transform transform;
    private final Side side;
    private final StepMetrics metrics;

    ApplyStage(Transform transform, Side side, StepMetrics metrics, Stage next) {
        super(next);
        this.transform = transform;
        this.side = side;
        this.metrics = metrics;
    }

    @Override
    public void batch(Batch batch) throws Exception {
        metrics.in(batch.rows());
        Batch out = transform.apply(batch, side);
        metrics.out(out.rows());
        next.batch(out);
    }

    @Override
    public void idle() throws Exception {
        side.idle();
        super.idle();
    }

    @Override
    public void barrier(Element.Barrier barrier) throws Exception {
        side.barrier(barrier);
        super.barrier(barrier);
    }

    @Override
    public void end(boolean drained) throws Exception {
        side.end(drained);
        super.end(drained);
    }

    @Override
    public void tick(long nowMillis) throws Exception {
        side.tick(nowMillis);
        super.tick(nowMillis);
    }

    @Override
    public boolean settle() throws Exception {
        return side.settle() & super.settle();
    }

    @Override
    public void close() throws IOException {
        Closing closing = new Closing();
        side.close(closing);
        closing.close(super::close);
        closing.rethrow();
    }
}
