package dev.tidemill.runtime;

import dev.tidemill.data.Batch;
import dev.tidemill.spi.SourceOutput;
import dev.tidemill.spi.SourceReader;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/** Reads one share of a source and pushes it through the stages behind. */
final class SourceTask implements Task, SourceOutput {
    private sealed interface Event {
        record Rows(Batch batch) implements Event {}

        record Named(int split, String identity) implements Event {}

        record News(int split, Stage.SplitNews news) implements Event {}
    }

    private final String name;
    private final SourceReader reader;
    private final boolean mayBlock;
    private final Stage root;
    private final Stage deadLetters;
    private final StepMetrics metrics;
    private final Ticker ticker;
    private final ArrayDeque<Event> events = new ArrayDeque<>();
    private final ArrayDeque<Batch> deadLetterBatches = new ArrayDeque<>();
    private volatile boolean stopRequested;
    private volatile Wakeup wakeup;
    private boolean finished;
    private boolean endGiven;
    private boolean idleGiven;
    private final Handover handover;

    /** Asked for, by any thread. */
    private final AtomicReference<Element.Barrier> wanted = new AtomicReference<>();

    /** On its way through the stages. */
    private Element.Barrier barrier;

    /** Positions of epochs that stand, for the reader to record outside; by any thread. */
    private final AtomicReference<Map<String, String>> committed = new AtomicReference<>();

    /** @param deadLetters where bad records go, or null */
    SourceTask(
            String name,
            SourceReader reader,
            boolean mayBlock,
            Stage root,
            Stage deadLetters,
            StepMetrics metrics,
            Handover handover,
            Ticker ticker) {
        this.handover = handover;
        this.name = name;
        this.reader = reader;
        this.mayBlock = mayBlock;
        this.root = root;
        this.deadLetters = deadLetters;
        this.metrics = metrics;
        this.ticker = ticker;
    }

    @Override
    public Progress step() throws Exception {
        if (!settle()) {
            return Progress.NONE;
        }
        if (endGiven) {
            return done();
        }
        if (ticker.isDue()) {
            root.tick(ticker.now());
            tickDeadLetters();
            if (!settle()) {
                return Progress.MADE;
            }
        }
        if (!events.isEmpty()) {
            handOn(events.poll());
            settle();
            return Progress.MADE;
        }
        recordCommitted();
        if (finished || stopRequested) {
            return end();
        }
        if (wanted.get() != null) {
            return begin(wanted.getAndSet(null));
        }
        return poll();
    }

    private Progress begin(Element.Barrier newBarrier) throws Exception {
        barrier = newBarrier;
        handover.positions(metrics.stepId(), reader.positions());
        root.barrier(barrier);
        if (deadLetters != null) {
            deadLetters.barrier(barrier);
        }
        settle();
        return Progress.MADE;
    }

    private void recordCommitted() throws Exception {
        Map<String, String> positions = committed.getAndSet(null);
        if (positions != null) {
            reader.committed(positions);
        }
    }

    private void tickDeadLetters() throws Exception {
        if (deadLetters != null) {
            deadLetters.tick(ticker.now());
        }
    }

    private Progress poll() throws Exception {
        SourceReader.Status status = reader.poll(this);
        if (!events.isEmpty()) {
            handOn(events.poll());
            settle();
        }
        switch (status) {
            case FINISHED -> finished = true;
            case IDLE -> {
                if (events.isEmpty() && !idleGiven && settle()) {
                    idleGiven = true;
                    root.idle();
                    settle();
                }
                return Progress.NONE;
            }
            case PROGRESS -> {}
        }
        return Progress.MADE;
    }

    private Progress end() throws Exception {
        endGiven = true;
        handover.positions(metrics.stepId(), reader.positions());
        root.end(finished);
        if (deadLetters != null) {
            deadLetters.end(finished);
        }
        return settle() ? done() : Progress.MADE;
    }

    private Progress done() {
        handover.ended();
        return Progress.DONE;
    }

    private void handOn(Event event) throws Exception {
        switch (event) {
            case Event.Rows(Batch batch) -> root.batch(batch);
            case Event.Named(int split, String identity) -> root.splitNamed(split, identity);
            case Event.News(int split, Stage.SplitNews news) -> root.split(split, news);
        }
    }

    private boolean settle() throws Exception {
        boolean settled = settleStages();
        if (settled && barrier != null) {
            handover.passed(barrier.epoch());
            barrier = null;
        }
        return settled;
    }

    private boolean settleStages() throws Exception {
        boolean settled = root.settle();
        if (deadLetters == null) {
            return settled;
        }
        boolean lettersSettled = deadLetters.settle();
        while (lettersSettled && !deadLetterBatches.isEmpty()) {
            deadLetters.batch(deadLetterBatches.poll());
            lettersSettled = deadLetters.settle();
        }
        return settled & lettersSettled;
    }

    @Override
    public void splitAdded(int split, String identity) {
        events.add(new Event.Named(split, identity));
        events.add(new Event.News(split, Stage.SplitNews.ADDED));
    }

    @Override
    public void batch(Batch batch) {
        idleGiven = false;
        metrics.in(batch.rows());
        metrics.out(batch.rows());
        events.add(new Event.Rows(batch));
    }

    @Override
    public void splitCaughtUp(int split) {
        events.add(new Event.News(split, Stage.SplitNews.CAUGHT_UP));
    }

    @Override
    public void splitFinished(int split) {
        events.add(new Event.News(split, Stage.SplitNews.FINISHED));
    }

    @Override
    public void badRecords(long count, Batch letters) {
        metrics.dropped(count);
        if (letters != null && deadLetters != null && letters.rows() > 0) {
            deadLetterBatches.add(letters);
        }
    }

    @Override
    public void misfits(long count) {
        metrics.misfits(count);
    }

    @Override
    public void stop() {
        stopRequested = true;
        wakeUp();
    }

    private void wakeUp() {
        reader.wakeup();
        Wakeup current = wakeup;
        if (current != null) {
            current.signal();
        }
    }

    @Override
    public void runsOn(Wakeup newWakeup) {
        wakeup = newWakeup;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Role role() {
        return Role.SOURCES;
    }

    @Override
    public boolean mayBlock() {
        return mayBlock;
    }

    @Override
    public void begin(long epoch, boolean full) {
        wanted.set(new Element.Barrier(epoch, full));
        wakeUp();
    }

    @Override
    public void committed(Map<String, Map<String, String>> positionsOfDataset) {
        Map<String, String> positions = positionsOfDataset.get(metrics.stepId());
        if (positions != null) {
            committed.set(Map.copyOf(positions));
            wakeUp();
        }
    }

    @Override
    public void delivered() throws Exception {
        recordCommitted();
    }

    @Override
    public void close() throws IOException {
        Closing closing = new Closing();
        closing.close(reader::close);
        closing.close(root::close);
        if (deadLetters != null) {
            closing.close(deadLetters::close);
        }
        closing.rethrow();
    }
}
