package dev.tidemill.runtime;

import dev.tidemill.operators.Operator;
import dev.tidemill.operators.StateImage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Gathers what the stages of one task hand over at a barrier, and gives it to the epochs when the barrier is through. Used by the task's thread. */
final class Handover {
    private final String taskName;
    private final int task;
    private final int tasks;
    private final Epochs epochs;
    private List<EpochPart> parts = new ArrayList<>();
    private boolean hasEnded;

    /** Steps whose images so far are a base for what changed. */
    private final Set<String> based = new HashSet<>();

    Handover(String taskName, int task, int tasks, Epochs epochs) {
        this.taskName = taskName;
        this.task = task;
        this.tasks = tasks;
        this.epochs = epochs;
    }

    void positions(String dataset, Map<String, String> positions) {
        parts.add(new EpochPart.Positions(dataset, positions));
    }

    void times(String stepId, Map<String, Long> times) {
        parts.add(new EpochPart.Times(stepId, times));
    }

    /** Operators without state give an empty image, which is not kept. */
    void state(String stepId, Operator operator, boolean full) {
        StateImage image = new StateImage();
        boolean whole = based.add(stepId) || full;
        operator.snapshot(whole, image);
        if (!image.values().isEmpty() || !image.tables().isEmpty()) {
            parts.add(new EpochPart.State(stepId, task, tasks, whole, image));
        }
    }

    /** @param handle null when there is nothing to commit */
    void prepared(String dataset, String handle) {
        if (handle != null) {
            parts.add(new EpochPart.Prepared(dataset, task, handle));
        }
    }

    /** The barrier is through this task. */
    void passed(long epoch) {
        epochs.passed(taskName, epoch, parts);
        parts = new ArrayList<>();
    }

    /** The task has come to its end in order: what it handed over at its end belongs to every later epoch. */
    void ended() {
        if (!hasEnded) {
            hasEnded = true;
            epochs.ended(taskName, parts);
        }
    }
}
