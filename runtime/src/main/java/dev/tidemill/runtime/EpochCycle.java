package dev.tidemill.runtime;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The way of an epoch: barriers are sent, all parts come together, the log makes them stand, sinks publish, sources record their positions. Used by one
 * thread at a time.
 */
final class EpochCycle {
    private final TaskGraph graph;
    private final EpochLog log;
    private final Dataflow dataflow;
    private final Map<String, Map<String, String>> positions = new HashMap<>();
    private long next;

    EpochCycle(TaskGraph graph, Durability durability) {
        this.graph = graph;
        this.log = durability.log();
        this.dataflow = graph.dataflow();
        this.next = durability.firstEpoch();
    }

    /** Sends barriers; false when an epoch is in flight, or nothing runs any more. */
    boolean begin() {
        if (!graph.epochs().begin(next)) {
            return false;
        }
        boolean full = log.wantsFull();
        for (Task task : graph.tasks()) {
            task.begin(next, full);
        }
        next++;
        return true;
    }

    /** The next epoch that is together, after at most so long. */
    Optional<Epochs.Completed> poll(long millis) throws InterruptedException {
        return graph.epochs().poll(millis);
    }

    /**
     * Makes an epoch stand.
     *
     * @param drained whether all input was read, of the last epoch
     */
    void store(Epochs.Completed completed, boolean drained) throws Exception {
        boolean isLast = completed.kind() == Epochs.Kind.LAST;
        log.store(isLast ? next : completed.number(), completed, isLast && drained);
    }

    /** Lets sinks publish and sources record what belongs to an epoch that stands. */
    void commit(Epochs.Completed completed) throws Exception {
        Map<String, List<String>> handles = new LinkedHashMap<>();
        for (EpochPart part : completed.parts()) {
            switch (part) {
                case EpochPart.Prepared(String dataset, int _, String handle) ->
                        handles.computeIfAbsent(dataset, _ -> new ArrayList<>()).add(handle);
                case EpochPart.Positions(String dataset, Map<String, String> ofTask) ->
                        positions.computeIfAbsent(dataset, _ -> new HashMap<>()).putAll(ofTask);
                case EpochPart.Times _, EpochPart.State _ -> {}
            }
        }
        dataflow.commit(handles);
        if (completed.kind() == Epochs.Kind.LAST || log.isDurable()) {
            for (Task task : graph.tasks()) {
                task.committed(positions);
            }
        }
    }
}
