package dev.tidemill.runtime;

import java.io.IOException;

/** What most stages with a successor do with events that are not theirs: hand them on. */
abstract class PassStage implements Stage {
    final Stage next;

    PassStage(Stage next) {
        this.next = next;
    }

    @Override
    public void watermark(long time) throws Exception {
        next.watermark(time);
    }

    @Override
    public void idle() throws Exception {
        next.idle();
    }

    @Override
    public void barrier(Element.Barrier barrier) throws Exception {
        next.barrier(barrier);
    }

    @Override
    public void splitNamed(int split, String identity) throws Exception {
        next.splitNamed(split, identity);
    }

    @Override
    public void end(boolean drained) throws Exception {
        next.end(drained);
    }

    @Override
    public void tick(long nowMillis) throws Exception {
        next.tick(nowMillis);
    }

    @Override
    public void split(int split, SplitNews news) throws Exception {
        next.split(split, news);
    }

    @Override
    public boolean settle() throws Exception {
        return next.settle();
    }

    @Override
    public long tickMillis() {
        return next.tickMillis();
    }

    @Override
    public void close() throws IOException {
        next.close();
    }
}
