package dev.tidemill.runtime;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs the tasks of a dataflow in the caller's thread, one step at a time and in the caller's order: for tests that choose every interleaving from a seed. Not
 * thread-safe. The tasks are the same as those that {@link Job} runs.
 */
public final class StepwiseRun implements AutoCloseable {
    private final TaskGraph graph;
    private final List<Task> tasks;
    private final boolean[] done;
    private int open;
    private final EpochCycle cycle;
    private boolean stopped;

    /** Opens sources and sinks. */
    public StepwiseRun(Dataflow dataflow, RuntimeOptions options) throws Exception {
        graph = TaskGraph.open(dataflow, options, this::stop);
        tasks = graph.tasks();
        done = new boolean[tasks.size()];
        open = done.length;
        cycle = new EpochCycle(graph, options.durability());
    }

    public int taskCount() {
        return done.length;
    }

    /** Whether all tasks have come to their end. */
    public boolean isDone() {
        return open == 0;
    }

    /** Steps a task once; nothing when it is done. @return whether it got on */
    public boolean step(int task) throws Exception {
        if (done[task]) {
            return false;
        }
        Task.Progress progress = tasks.get(task).step();
        if (progress == Task.Progress.DONE) {
            done[task] = true;
            open--;
        }
        return progress != Task.Progress.NONE;
    }

    /** Asks for an ordered stop. */
    public void stop() {
        stopped = true;
        if (tasks != null) {
            tasks.forEach(Task::stop);
        }
    }

    /** Begins an epoch; false when one is in flight, or all tasks have come to their end. */
    public boolean beginEpoch() {
        return cycle.begin();
    }

    /** The next epoch of which all parts are there. */
    public Optional<Epochs.Completed> completedEpoch() throws InterruptedException {
        return cycle.poll(0);
    }

    /** Makes an epoch stand. */
    public void store(Epochs.Completed epoch) throws Exception {
        cycle.store(epoch, !stopped);
    }

    /** Lets sinks publish and sources record what belongs to an epoch that stands. */
    public void commit(Epochs.Completed epoch) throws Exception {
        cycle.commit(epoch);
    }

    public RunMetrics metrics() {
        return graph.metrics(Map.of());
    }

    @Override
    public void close() throws IOException {
        Closing closing = new Closing();
        for (Task task : tasks) {
            closing.close(task::close);
        }
        closing.rethrow();
    }
}
