package dev.tidemill.runtime;

import dev.tidemill.operators.StateImage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Keeps the newest epoch in this process: enough to go on after a failure, not after a crash. Thread-safe.
 */
public final class MemoryEpochs implements EpochLog, Restored {
    /** So many images of changes may follow a whole one. */
    private static final int LONGEST_CHAIN = 8;

    private final Map<String, Map<String, String>> positions = new HashMap<>();
    private final Map<String, Map<String, Long>> times = new HashMap<>();
    private final Map<String, TreeMap<Integer, FormerTask>> states = new HashMap<>();
    private final Map<String, List<String>> handles = new HashMap<>();
    private long newest;
    private boolean drained;

    @Override
    public synchronized void store(long epoch, Epochs.Completed completed, boolean isDrained) {
        newest = epoch;
        drained = isDrained;
        handles.clear();
        completed.parts().forEach(this::keep);
    }

    private void keep(EpochPart part) {
        switch (part) {
            case EpochPart.Positions(String dataset, Map<String, String> ofTask) ->
                    positions.computeIfAbsent(dataset, _ -> new HashMap<>()).putAll(ofTask);
            case EpochPart.Times(String stepId, Map<String, Long> ofTask) ->
                    times.computeIfAbsent(stepId, _ -> new HashMap<>()).putAll(ofTask);
            case EpochPart.State state -> keep(state);
            case EpochPart.Prepared(String dataset, int _, String handle) ->
                    handles.computeIfAbsent(dataset, _ -> new ArrayList<>()).add(handle);
        }
    }

    private void keep(EpochPart.State state) {
        TreeMap<Integer, FormerTask> tasks =
                states.computeIfAbsent(state.stepId(), _ -> new TreeMap<>());
        // Another number of tasks than before: they begin with whole images.
        tasks.values().removeIf(former -> former.tasks() != state.tasks());
        List<StateImage> images = new ArrayList<>();
        images.add(state.image());
        if (!state.full()) {
            images.addAll(tasks.get(state.task()).images());
        }
        tasks.put(state.task(), new FormerTask(state.task(), state.tasks(), images));
    }

    @Override
    public boolean isDurable() {
        return false;
    }

    @Override
    public synchronized boolean wantsFull() {
        return states.values().stream()
                .flatMap(tasks -> tasks.values().stream())
                .anyMatch(former -> former.images().size() > LONGEST_CHAIN);
    }

    /** The number of the newest epoch; 0 before the first. */
    public synchronized long newest() {
        return newest;
    }

    /** Whether the newest epoch is the end of all input. */
    public synchronized boolean isDrained() {
        return drained;
    }

    @Override
    public synchronized Map<String, List<String>> handles() {
        Map<String, List<String>> out = new HashMap<>();
        handles.forEach((dataset, list) -> out.put(dataset, List.copyOf(list)));
        return out;
    }

    @Override
    public synchronized Optional<Map<String, String>> positions(String dataset) {
        return Optional.ofNullable(positions.get(dataset)).map(Map::copyOf);
    }

    @Override
    public synchronized Map<String, Long> times(String stepId) {
        return Map.copyOf(times.getOrDefault(stepId, Map.of()));
    }

    @Override
    public synchronized List<FormerTask> state(String stepId) {
        TreeMap<Integer, FormerTask> tasks = states.get(stepId);
        return tasks == null ? List.of() : List.copyOf(tasks.values());
    }
}
