package dev.tidemill.nexmark;

import dev.tidemill.data.Batch;
import dev.tidemill.data.Schema;
import dev.tidemill.spi.Clock;
import dev.tidemill.spi.ConfigException;
import dev.tidemill.spi.SourceContext;
import dev.tidemill.spi.SourceOutput;
import dev.tidemill.spi.SourceReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Makes one task's events, paced by deadlines: an event that is not due yet is not waited for, the task is idle. A task has one share of the events, every
 * {@code n}th of them; after a restart with fewer tasks it has several of those that there were before.
 */
final class InlineReader implements SourceReader {
    private static final long NANOS_PER_MS = 1_000_000;

    /** A paced task makes at least this part of a second's events at once, so that slow clocks do not make batches of one. */
    private static final int STEPS_PER_SECOND = 100;

    private static final String SENTINELS_SENT = "end";

    private final NexmarkOptions options;
    private final Clock clock;
    private final int batchRows;
    private final EventGenerator generator;
    private final List<Share> shares = new ArrayList<>();
    private boolean announced;
    private int turn;

    /** The events {@code task + k * tasks}. */
    private final class Share {
        private final int number;
        private final int task;
        private final int tasks;
        private final long total;
        private final OptionalLong nanosPerEvent;

        /** How many were made before this run. */
        private final long before;

        private long made;
        private long startNanos;
        private long lastEventNanos;
        private boolean finished;

        Share(int number, int task, int tasks, String position) {
            this.number = number;
            this.task = task;
            this.tasks = tasks;
            total = options.eventsOf(task, tasks);
            nanosPerEvent = options.nanosPerEvent(tasks);
            finished = position.equals(SENTINELS_SENT);
            made = finished ? total : Long.parseLong(position);
            before = made;
        }

        String identity() {
            return prefix() + task + "/" + tasks;
        }

        String position() {
            return finished ? SENTINELS_SENT : Long.toString(made);
        }

        void announce(SourceOutput out) {
            startNanos = clock.nanos() + options.delayMs() * NANOS_PER_MS;
            lastEventNanos = startNanos;
            out.splitAdded(number, identity());
        }

        Status poll(SourceOutput out) {
            if (finished) {
                return Status.FINISHED;
            }
            if (made == total) {
                return end(out);
            }
            int rows = due();
            if (rows == 0) {
                out.splitCaughtUp(number);
                return Status.IDLE;
            }
            emit(out, generator.generate(task + made * tasks, tasks, rows));
            made += rows;
            lastEventNanos = made == total ? clock.nanos() : 0;
            return Status.PROGRESS;
        }

        /** How many events may be made now. */
        private int due() {
            long room = Math.min(total - made, batchRows);
            boolean paced = nanosPerEvent.isPresent();
            if (!paced && (made > before || options.delayMs() == 0)) {
                return (int) room;
            }
            long elapsed = clock.nanos() - startNanos;
            if (elapsed < 0) {
                return 0;
            }
            if (!paced) {
                return (int) room;
            }
            long due = elapsed / nanosPerEvent.getAsLong() + 1 - (made - before);
            long least = Math.max(1, 1_000_000_000L / nanosPerEvent.getAsLong() / STEPS_PER_SECOND);
            return due < Math.min(least, room) ? 0 : (int) Math.min(due, room);
        }

        private Status end(SourceOutput out) {
            if (options.tail()
                    && clock.nanos() - lastEventNanos < options.tailDelayMs() * NANOS_PER_MS) {
                out.splitCaughtUp(number);
                return Status.IDLE;
            }
            if (options.tail()) {
                emit(out, generator.sentinels(options.events(), task, total));
            }
            out.splitFinished(number);
            finished = true;
            return Status.PROGRESS;
        }

        private void emit(SourceOutput out, Batch batch) {
            out.batch(batch.withSplit(number));
        }
    }

    InlineReader(NexmarkOptions options, Schema schema, int task, int tasks, SourceContext context)
            throws ConfigException {
        this.options = options;
        clock = context.clock();
        batchRows = context.batchRows();
        generator = new EventGenerator(options.seed(), options.stepMs(), schema);
        if (context.restored().isEmpty()) {
            shares.add(new Share(0, task, tasks, "0"));
            return;
        }
        for (Map.Entry<String, String> former : context.restored().get().entrySet()) {
            restore(former.getKey(), former.getValue(), task, tasks);
        }
    }

    private void restore(String identity, String position, int task, int tasks)
            throws ConfigException {
        if (!identity.startsWith(prefix())) {
            throw new ConfigException(
                    "seed",
                    "the run goes on from events of another generator ("
                            + identity
                            + "); give it the same seed, stepMs and events, or reset the state");
        }
        String[] share = identity.substring(prefix().length()).split("/");
        int formerTask = Integer.parseInt(share[0]);
        if (formerTask % tasks == task) {
            shares.add(new Share(shares.size(), formerTask, Integer.parseInt(share[1]), position));
        }
    }

    /** What makes the events what they are. */
    private String prefix() {
        return "nexmark seed="
                + options.seed()
                + " stepMs="
                + options.stepMs()
                + " events="
                + options.events()
                + " share=";
    }

    @Override
    public Status poll(SourceOutput out) {
        if (!announced) {
            announced = true;
            shares.forEach(share -> share.announce(out));
            shares.stream()
                    .filter(share -> share.finished)
                    .forEach(share -> out.splitFinished(share.number));
        }
        boolean isOpen = false;
        for (int i = 0; i < shares.size(); i++) {
            Share share = shares.get(turn);
            turn = turn + 1 == shares.size() ? 0 : turn + 1;
            Status status = share.poll(out);
            if (status == Status.PROGRESS) {
                return status;
            }
            isOpen |= status == Status.IDLE;
        }
        return isOpen ? Status.IDLE : Status.FINISHED;
    }

    @Override
    public Map<String, String> positions() {
        Map<String, String> positions = new HashMap<>();
        shares.forEach(share -> positions.put(share.identity(), share.position()));
        return positions;
    }

    @Override
    public void close() {}
}
