package dev.tidemill.runtime;

import dev.tidemill.data.Batch;
import dev.tidemill.operators.SideOutput;
import java.util.ArrayDeque;

/**
 * Takes the rows that leave the main road of a step: counts them, and sends them to their chains when there are any. Its owner settles it before
 * it takes the next event, which bounds what waits here.
 */
final class Side implements SideOutput {
    private final StepMetrics metrics;
    private final Stage errorChain;
    private final Stage lateChain;
    private final boolean failOnError;
    private final ArrayDeque<Batch> errorBatches = new ArrayDeque<>();
    private final ArrayDeque<Batch> lateBatches = new ArrayDeque<>();

    /** @param errorChain where error rows go, or null; {@code lateChain} the same for late rows */
    Side(StepMetrics metrics, Stage errorChain, Stage lateChain, boolean failOnError) {
        this.metrics = metrics;
        this.errorChain = errorChain;
        this.lateChain = lateChain;
        this.failOnError = failOnError;
    }

    @Override
    public void errors(Batch rows, String[] reasons) {
        int count = rows.rows();
        if (count == 0) {
            return;
        }
        metrics.errors(count);
        if (failOnError) {
            throw new StepFailedException(
                    metrics.stepId(),
                    reasons[0],
                    ErrorRows.errors(metrics.stepId(), rows, reasons));
        }
        if (errorChain != null) {
            errorBatches.add(ErrorRows.errors(metrics.stepId(), rows, reasons));
        }
    }

    @Override
    public void late(Batch rows, long[] lateByMs) {
        metrics.late(rows.rows());
        if (lateChain != null && rows.rows() > 0) {
            lateBatches.add(ErrorRows.late(rows, lateByMs));
        }
    }

    @Override
    public void late(long count) {
        metrics.late(count);
    }

    @Override
    public void filtered(long count) {
        metrics.filtered(count);
    }

    @Override
    public void dropped(long count) {
        metrics.dropped(count);
    }

    boolean settle() throws Exception {
        return settle(errorChain, errorBatches) & settle(lateChain, lateBatches);
    }

    private static boolean settle(Stage chain, ArrayDeque<Batch> batches) throws Exception {
        if (chain == null) {
            return true;
        }
        boolean settled = chain.settle();
        while (settled && !batches.isEmpty()) {
            chain.batch(batches.poll());
            settled = chain.settle();
        }
        return settled;
    }

    void idle() throws Exception {
        if (errorChain != null) {
            errorChain.idle();
        }
        if (lateChain != null) {
            lateChain.idle();
        }
    }

    void barrier(Element.Barrier barrier) throws Exception {
        if (errorChain != null) {
            errorChain.barrier(barrier);
        }
        if (lateChain != null) {
            lateChain.barrier(barrier);
        }
    }

    void end(boolean drained) throws Exception {
        if (errorChain != null) {
            errorChain.end(drained);
        }
        if (lateChain != null) {
            lateChain.end(drained);
        }
    }

    void tick(long nowMillis) throws Exception {
        if (errorChain != null) {
            errorChain.tick(nowMillis);
        }
        if (lateChain != null) {
            lateChain.tick(nowMillis);
        }
    }

    void close(Closing closing) {
        if (errorChain != null) {
            closing.close(errorChain::close);
        }
        if (lateChain != null) {
            closing.close(lateChain::close);
        }
    }
}
