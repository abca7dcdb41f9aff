package dev.tidemill.testkit;

import dev.tidemill.data.Batch;
import dev.tidemill.operators.Operator;
import dev.tidemill.operators.Outbox;
import dev.tidemill.operators.SideOutput;
import dev.tidemill.operators.StateInput;
import dev.tidemill.operators.StateOutput;
import dev.tidemill.operators.WindowedAggregateSpec;
import dev.tidemill.operators.window.PartialWindowAggregate;
import dev.tidemill.operators.window.WindowedAggregate;
import java.util.ArrayList;
import java.util.List;

/** Partial aggregates of several tasks and the final one behind them, as one operator: batches go to the tasks by turns. */
final class TwoStages implements Operator {
    private final List<PartialWindowAggregate> partials = new ArrayList<>();
    private final WindowedAggregate last;
    private final List<Batch> waiting = new ArrayList<>();
    private int turn;
    private Runnable then = () -> {};

    TwoStages(WindowedAggregateSpec spec, int tasks) {
        for (int i = 0; i < tasks; i++) {
            partials.add(new PartialWindowAggregate(spec));
        }
        last = new WindowedAggregate(spec);
    }

    @Override
    public void process(int input, Batch batch, SideOutput side) {
        PartialWindowAggregate partial = partials.get(turn++ % partials.size());
        partial.process(0, batch, side);
        collect(partial, side);
    }

    private void collect(PartialWindowAggregate partial, SideOutput side) {
        while (!partial.drain(this::take, side)) {}
    }

    private boolean take(Batch batch) {
        // Refuses now and then, as a full edge would.
        if ((waiting.size() + turn) % 3 == 1) {
            turn++;
            return false;
        }
        waiting.add(batch);
        return true;
    }

    @Override
    public void advance(long watermark) {
        for (PartialWindowAggregate partial : partials) {
            partial.advance(watermark);
            collect(partial, null);
        }
        then = () -> last.advance(watermark);
    }

    @Override
    public void tick(long nowMillis) {
        for (PartialWindowAggregate partial : partials) {
            partial.tick(nowMillis);
            collect(partial, null);
        }
        then = () -> last.tick(nowMillis);
    }

    @Override
    public long tickMillis() {
        return last.tickMillis();
    }

    @Override
    public void flush() {
        for (PartialWindowAggregate partial : partials) {
            partial.flush();
            collect(partial, null);
        }
    }

    @Override
    public void finish() {
        for (PartialWindowAggregate partial : partials) {
            partial.finish();
            collect(partial, null);
        }
        then = last::finish;
    }

    @Override
    public boolean drain(Outbox out, SideOutput side) {
        while (true) {
            if (!last.drain(out, side)) {
                return false;
            }
            if (!waiting.isEmpty()) {
                last.process(0, waiting.removeFirst(), side);
                continue;
            }
            if (then == null) {
                return true;
            }
            then.run();
            then = null;
        }
    }

    /** The first stage is empty after a flush. */
    @Override
    public void snapshot(boolean full, StateOutput out) {
        last.snapshot(full, out);
    }

    @Override
    public void restore(StateInput in) {
        last.restore(in);
    }

    @Override
    public long outputWatermark(long watermark) {
        return last.outputWatermark(partials.getFirst().outputWatermark(watermark));
    }
}
