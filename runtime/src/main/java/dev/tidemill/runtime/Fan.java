package dev.tidemill.runtime;

import dev.tidemill.data.Batch;
import java.io.IOException;
import java.util.List;

/** Several stages behind one point, each of which gets everything. */
final class Fan implements Stage {
    private final Stage[] stages;

    private Fan(List<Stage> stages) {
        this.stages = stages.toArray(Stage[]::new);
    }

    /** One stage stands for itself. */
    static Stage of(List<Stage> stages) {
        return stages.size() == 1 ? stages.getFirst() : new Fan(stages);
    }

    @Override
    public void batch(Batch batch) throws Exception {
        for (Stage stage : stages) {
            stage.batch(batch);
        }
    }

    @Override
    public void watermark(long time) throws Exception {
        for (Stage stage : stages) {
            stage.watermark(time);
        }
    }

    @Override
    public void idle() throws Exception {
        for (Stage stage : stages) {
            stage.idle();
        }
    }

    @Override
    public void barrier(Element.Barrier barrier) throws Exception {
        for (Stage stage : stages) {
            stage.barrier(barrier);
        }
    }

    @Override
    public void splitNamed(int split, String identity) throws Exception {
        for (Stage stage : stages) {
            stage.splitNamed(split, identity);
        }
    }

    @Override
    public void end(boolean drained) throws Exception {
        for (Stage stage : stages) {
            stage.end(drained);
        }
    }

    @Override
    public void tick(long nowMillis) throws Exception {
        for (Stage stage : stages) {
            stage.tick(nowMillis);
        }
    }

    @Override
    public void split(int split, SplitNews news) throws Exception {
        for (Stage stage : stages) {
            stage.split(split, news);
        }
    }

    @Override
    public boolean settle() throws Exception {
        boolean settled = true;
        for (Stage stage : stages) {
            settled &= stage.settle();
        }
        return settled;
    }

    @Override
    public long tickMillis() {
        long least = Long.MAX_VALUE;
        for (Stage stage : stages) {
            least = Math.min(least, stage.tickMillis());
        }
        return least;
    }

    @Override
    public void close() throws IOException {
        Closing closing = new Closing();
        for (Stage stage : stages) {
            closing.close(stage::close);
        }
        closing.rethrow();
    }
}
