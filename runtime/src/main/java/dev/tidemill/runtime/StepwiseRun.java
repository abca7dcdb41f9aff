package dev.tidemill.runtime;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * Runs the tasks of a dataflow in the caller's thread, one step at a time and in the caller's order: for tests that choose every interleaving from a seed. Not
 * thread-safe. The tasks are the same as those that {@link Job} runs.
 */
public final class StepwiseRun implements AutoCloseable {
    private final TaskGraph graph;
    private final List<Task> tasks;
    private final boolean[] done;
    private int open;

    /** Opens sources and sinks. */
    public StepwiseRun(Dataflow dataflow, RuntimeOptions options) throws Exception {
        graph = TaskGraph.open(dataflow, options, this::stop);
        tasks = graph.tasks();
        done = new boolean[tasks.size()];
        open = done.length;
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
        if (tasks != null) {
            tasks.forEach(Task::stop);
        }
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
