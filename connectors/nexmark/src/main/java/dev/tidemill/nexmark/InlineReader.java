package dev.tidemill.nexmark;

import dev.tidemill.data.Batch;
import dev.tidemill.data.Schema;
import dev.tidemill.spi.Clock;
import dev.tidemill.spi.SourceContext;
import dev.tidemill.spi.SourceOutput;
import dev.tidemill.spi.SourceReader;
import java.util.OptionalLong;

/** Makes one task's events, paced by deadlines: an event that is not due yet is not waited for, the task is idle. */
final class InlineReader implements SourceReader {
    private static final long NANOS_PER_MS = 1_000_000;

    /** A paced task makes at least this share of a second's events at once, so that slow clocks do not make batches of one. */
    private static final int STEPS_PER_SECOND = 100;

    private final NexmarkOptions options;
    private final int task;
    private final int tasks;
    private final Clock clock;
    private final int batchRows;
    private final EventGenerator generator;
    private final long total;
    private final OptionalLong nanosPerEvent;

    private boolean announced;
    private long startNanos;
    private long made;
    private long lastEventNanos;
    private boolean finished;

    InlineReader(
            NexmarkOptions options, Schema schema, int task, int tasks, SourceContext context) {
        this.options = options;
        this.task = task;
        this.tasks = tasks;
        clock = context.clock();
        batchRows = context.batchRows();
        generator = new EventGenerator(options.seed(), options.stepMs(), schema);
        total = options.eventsOf(task, tasks);
        nanosPerEvent = options.nanosPerEvent(tasks);
    }

    @Override
    public Status poll(SourceOutput out) {
        if (!announced) {
            announce(out);
        }
        if (finished) {
            return Status.FINISHED;
        }
        if (made == total) {
            return end(out);
        }
        int rows = due();
        if (rows == 0) {
            out.splitCaughtUp(0);
            return Status.IDLE;
        }
        emit(out, generator.generate(task + made * tasks, tasks, rows));
        made += rows;
        lastEventNanos = made == total ? clock.nanos() : 0;
        return Status.PROGRESS;
    }

    private void announce(SourceOutput out) {
        announced = true;
        startNanos = clock.nanos() + options.delayMs() * NANOS_PER_MS;
        lastEventNanos = startNanos;
        out.splitAdded(
                0,
                "nexmark seed="
                        + options.seed()
                        + " stepMs="
                        + options.stepMs()
                        + " events="
                        + options.events()
                        + " task="
                        + task
                        + "/"
                        + tasks);
    }

    /** How many events may be made now. */
    private int due() {
        long room = Math.min(total - made, batchRows);
        boolean paced = nanosPerEvent.isPresent();
        if (!paced && (made > 0 || options.delayMs() == 0)) {
            return (int) room;
        }
        long elapsed = clock.nanos() - startNanos;
        if (elapsed < 0) {
            return 0;
        }
        if (!paced) {
            return (int) room;
        }
        long due = elapsed / nanosPerEvent.getAsLong() + 1 - made;
        long least = Math.max(1, 1_000_000_000L / nanosPerEvent.getAsLong() / STEPS_PER_SECOND);
        return due < Math.min(least, room) ? 0 : (int) Math.min(due, room);
    }

    private Status end(SourceOutput out) {
        if (options.tail()
                && clock.nanos() - lastEventNanos < options.tailDelayMs() * NANOS_PER_MS) {
            out.splitCaughtUp(0);
            return Status.IDLE;
        }
        if (options.tail()) {
            emit(out, generator.sentinels(options.events(), task, total));
        }
        out.splitFinished(0);
        finished = true;
        return Status.PROGRESS;
    }

    private static void emit(SourceOutput out, Batch batch) {
        out.batch(batch.withSplit(0));
    }

    @Override
    public void close() {}
}
