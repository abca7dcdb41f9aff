package dev.tidemill.runtime;

import dev.tidemill.spi.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A dataflow that runs. Tasks that do not block share worker threads; each task that may block has a thread of its own. The first failure of a task stops all the
 * others at once and is kept. Thread-safe.
 */
public final class Job {
    /** How a job came to its end. */
    public sealed interface Outcome {
        /** All input was read and went through. */
        record Drained() implements Outcome {}

        /** Stopped in order. */
        record Stopped() implements Outcome {}

        /** @param task the task whose failure came first, or null when the job was aborted */
        record Failed(String task, Throwable cause) implements Outcome {}
    }

    private final TaskGraph graph;
    private final List<Worker> workers = new ArrayList<>();
    private final CountDownLatch running;

    private final EpochThread epochs;
    private final Thread epochThread;

    private final AtomicBoolean stopRequested = new AtomicBoolean();
    private final AtomicReference<Outcome.Failed> failure = new AtomicReference<>();
    private final AtomicLongArray busyNanos = new AtomicLongArray(Task.Role.values().length);

    private Job(Dataflow dataflow, RuntimeOptions options) throws Exception {
        graph = TaskGraph.open(dataflow, options, this::stop);
        Map<String, Wakeup> wakeups = assign(options);
        graph.connect(wakeups);
        running = new CountDownLatch(workers.size() + 1);
        epochs =
                new EpochThread(
                        graph,
                        options.durability(),
                        options.clock(),
                        stopRequested::get,
                        cause -> fail("epochs", cause));
        epochThread = new Thread(this::runEpochs, "tm-epochs");
        epochThread.setDaemon(true);
    }

    /** Opens all sources and sinks, then starts the threads. Nothing is left open when it fails. */
    public static Job start(Dataflow dataflow, RuntimeOptions options) throws Exception {
        Job job = new Job(dataflow, options);
        for (Worker worker : job.workers) {
            worker.thread.start();
        }
        job.epochThread.start();
        return job;
    }

    private void runEpochs() {
        try {
            epochs.run();
        } finally {
            running.countDown();
        }
    }

    private Map<String, Wakeup> assign(RuntimeOptions options) {
        List<Task> shared = new ArrayList<>();
        for (Task task : graph.tasks()) {
            if (task.mayBlock()) {
                String kind = task.role() == Task.Role.SOURCES ? "tm-source-" : "tm-sink-";
                workers.add(
                        new Worker(kind + workers.size(), List.of(task), options.clock(), true));
            } else {
                shared.add(task);
            }
        }
        int count = Math.min(options.workers(), shared.size());
        for (int i = 0; i < count; i++) {
            List<Task> own = new ArrayList<>();
            // Tasks of one number meet on one worker, those nearest to the sinks first, so that
            // rows leave before new ones come.
            for (Task task : shared.reversed()) {
                if (numberOf(task) % count == i) {
                    own.add(task);
                }
            }
            if (!own.isEmpty()) {
                workers.add(new Worker("tm-worker-" + i, own, options.clock(), false));
            }
        }
        Map<String, Wakeup> wakeups = new HashMap<>();
        for (Worker worker : workers) {
            for (Task task : worker.tasks) {
                task.runsOn(worker.wakeup);
                wakeups.put(task.name(), worker.wakeup);
            }
        }
        return wakeups;
    }

    private static int numberOf(Task task) {
        String name = task.name();
        return Integer.parseInt(name, name.lastIndexOf('[') + 1, name.length() - 1, 10);
    }

    /** Asks for an ordered stop and returns at once: sources stop, what they gave goes through, nothing fires, sinks publish. */
    public void stop() {
        // A closed pipe can be found while the graph is still being opened; there is nothing to
        // stop then.
        if (graph != null && stopRequested.compareAndSet(false, true)) {
            graph.tasks().forEach(Task::stop);
        }
    }

    /** Gives up at once; sinks do not publish. */
    public void abort() {
        fail(null, new InterruptedException("aborted"));
    }

    /** As {@link #abort}, for a cause that is not a task's. */
    public void fail(Throwable cause) {
        fail(null, cause);
    }

    private void fail(String task, Throwable cause) {
        if (failure.compareAndSet(null, new Outcome.Failed(task, cause))) {
            epochs.abort();
            if (Thread.currentThread() != epochThread) {
                // It may be waiting for a store that does not answer.
                epochThread.interrupt();
            }
            for (Worker worker : workers) {
                worker.tasks.forEach(Task::stop);
                worker.wakeup.signal();
                if (worker.blocks) {
                    worker.thread.interrupt();
                }
            }
        }
    }

    /** Waits until all threads have ended, so that no epoch comes to stand afterwards. */
    public Outcome await() throws InterruptedException {
        running.await();
        return outcome();
    }

    /** Waits at most so long; empty when it still runs. */
    public Optional<Outcome> await(Duration limit) throws InterruptedException {
        return running.await(limit.toMillis(), TimeUnit.MILLISECONDS)
                ? Optional.of(outcome())
                : Optional.empty();
    }

    private Outcome outcome() {
        if (failure.get() != null) {
            return failure.get();
        }
        return stopRequested.get() ? new Outcome.Stopped() : new Outcome.Drained();
    }

    public RunMetrics metrics() {
        Map<String, Long> busy = new TreeMap<>();
        for (Task.Role role : Task.Role.values()) {
            busy.put(role.name().toLowerCase(Locale.ROOT), busyNanos.get(role.ordinal()));
        }
        return graph.metrics(busy);
    }

    /** CPU time by thread family in ms: the name of a thread without the digits at its end. Threads that have ended count. */
    public Map<String, Long> cpuMillis() {
        Map<String, Long> nanos = new TreeMap<>();
        for (Worker worker : workers) {
            String name = worker.thread.getName();
            nanos.merge(name.replaceAll("-?[0-9]+$", ""), worker.cpuNanos(), Long::sum);
        }
        nanos.replaceAll((_, value) -> value / 1_000_000);
        return nanos;
    }

    /** A thread and its tasks. */
    private final class Worker implements Runnable {
        private static final long SHORTEST_SLEEP_NANOS = 200_000;
        private static final long LONGEST_SLEEP_NANOS = 10_000_000;
        private static final long END_CHECK_MILLIS = 20;

        private final List<Task> tasks;

        /** Sources at their end: they stay open until their rows have gone through. */
        private final List<Task> ended = new ArrayList<>();

        private final Wakeup wakeup = new Wakeup();
        private final Clock clock;
        private final boolean blocks;
        private final Thread thread;

        /** Set when the thread ends: its CPU time cannot be asked for then. */
        private volatile long finalCpuNanos = -1;

        Worker(String name, List<Task> tasks, Clock clock, boolean blocks) {
            this.tasks = tasks;
            this.clock = clock;
            this.blocks = blocks;
            thread = new Thread(this, name);
            thread.setDaemon(true);
        }

        @Override
        public void run() {
            try {
                work();
            } finally {
                finalCpuNanos = Cpu.ofCurrentThread();
                running.countDown();
            }
        }

        long cpuNanos() {
            return finalCpuNanos >= 0 ? finalCpuNanos : Math.max(0, Cpu.of(thread));
        }

        private void work() {
            List<Task> live = new ArrayList<>(tasks);
            long sleep = SHORTEST_SLEEP_NANOS;
            while (!live.isEmpty() && failure.get() == null) {
                if (stepAll(live)) {
                    sleep = SHORTEST_SLEEP_NANOS;
                } else if (failure.get() == null && !live.isEmpty()) {
                    wakeup.await(sleep);
                    sleep = Math.min(2 * sleep, LONGEST_SLEEP_NANOS);
                }
            }
            awaitDelivery();
            ended.forEach(this::close);
            live.forEach(this::close);
        }

        /** Tells the sources of this worker, when the last epoch stands, that their rows are where they belong. */
        private void awaitDelivery() {
            try {
                while (failure.get() == null && !epochs.awaitLast(END_CHECK_MILLIS)) {
                    // Another task may fail meanwhile.
                }
            } catch (InterruptedException e) {
                // Only a failure interrupts.
                return;
            }
            for (Task task : ended) {
                if (failure.get() == null) {
                    delivered(task);
                }
            }
        }

        private void delivered(Task task) {
            try {
                task.delivered();
            } catch (Exception | Error e) {
                fail(task.name(), e);
            }
        }

        private boolean stepAll(List<Task> live) {
            boolean progressed = false;
            long before = clock.nanos();
            for (int i = 0; i < live.size() && failure.get() == null; i++) {
                Task task = live.get(i);
                Task.Progress progress = step(task);
                if (progress != Task.Progress.NONE) {
                    progressed = true;
                    long after = clock.nanos();
                    busyNanos.addAndGet(task.role().ordinal(), after - before);
                    before = after;
                }
                if (progress == Task.Progress.DONE) {
                    live.remove(i--);
                    end(task);
                }
            }
            return progressed;
        }

        private void end(Task task) {
            if (task.role() == Task.Role.SOURCES) {
                ended.add(task);
            } else {
                close(task);
            }
        }

        private Task.Progress step(Task task) {
            try {
                return task.step();
            } catch (Exception | Error e) {
                fail(task.name(), e);
                return Task.Progress.NONE;
            }
        }

        private void close(Task task) {
            try {
                task.close();
            } catch (Exception | Error e) {
                fail(task.name(), e);
            }
        }
    }
}
