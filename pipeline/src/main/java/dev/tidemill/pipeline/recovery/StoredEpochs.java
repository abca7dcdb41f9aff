package dev.tidemill.pipeline.recovery;

import dev.tidemill.epochs.DamagedException;
import dev.tidemill.epochs.EpochStore;
import dev.tidemill.epochs.Manifest;
import dev.tidemill.epochs.Manifest.TaskState;
import dev.tidemill.epochs.ObjectRef;
import dev.tidemill.operators.StateImage;
import dev.tidemill.runtime.EpochLog;
import dev.tidemill.runtime.EpochPart;
import dev.tidemill.runtime.Epochs;
import dev.tidemill.runtime.Restored;
import dev.tidemill.spi.Clock;
import dev.tidemill.spi.Notices;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The epochs of one start of a pipeline, kept in a store: where it goes on from, and what it adds. {@link #store} is called by one thread; the rest may be called
 * by any.
 */
final class StoredEpochs implements EpochLog, Restored {
    /** So many images of changes may follow a whole one. */
    private static final int LONGEST_CHAIN = 8;

    /** Changes may be as large as what they change, and at least so large: then a whole image costs no more than they do. */
    private static final long SMALL_BYTES = 1 << 16;

    /**
     * What the epochs are of.
     *
     * @param fingerprint of the plan, as the manifest keeps it
     * @param durable     whether the store outlives this process
     */
    record Subject(String pipeline, String fingerprint, int vnodes, boolean durable) {}

    private final EpochStore store;
    private final Subject subject;
    private final Clock clock;
    private final Retry retry;

    private final Map<String, Map<String, String>> positions = new TreeMap<>();
    private final Map<String, Map<String, Long>> times = new TreeMap<>();
    private final Map<String, List<String>> restoredHandles = new HashMap<>();

    /** The images of each task of each step, in the order to read them. */
    private final Map<String, List<List<ObjectRef>>> chains = new TreeMap<>();

    /** What is restored, until the run has taken it. */
    private final Map<String, List<FormerTask>> images = new HashMap<>();

    private volatile StoredEpoch newest = StoredEpoch.NONE;

    private StoredEpochs(EpochStore store, Subject subject, Clock clock, Notices notices) {
        this.store = store;
        this.subject = subject;
        this.clock = clock;
        this.retry = new Retry(clock, notices);
    }

    /** A run that begins anew. */
    static StoredEpochs anew(EpochStore store, Subject subject, Clock clock, Notices notices) {
        return new StoredEpochs(store, subject, clock, notices);
    }

    /**
     * A run that goes on behind an epoch; reads all of its state.
     *
     * @throws DamagedException when state is not what was written
     */
    static StoredEpochs behind(
            Manifest manifest, EpochStore store, Subject subject, Clock clock, Notices notices)
            throws IOException {
        StoredEpochs epochs = new StoredEpochs(store, subject, clock, notices);
        manifest.positions().forEach((name, of) -> epochs.positions.put(name, new TreeMap<>(of)));
        manifest.times().forEach((step, of) -> epochs.times.put(step, new TreeMap<>(of)));
        epochs.restoredHandles.putAll(manifest.handles());
        for (Map.Entry<String, List<TaskState>> step : manifest.state().entrySet()) {
            List<List<ObjectRef>> tasks = new ArrayList<>();
            step.getValue().forEach(task -> tasks.add(task.images()));
            epochs.chains.put(step.getKey(), tasks);
            epochs.images.put(step.getKey(), epochs.read(tasks));
        }
        epochs.newest = StoredEpoch.of(manifest, 0);
        return epochs;
    }

    private List<FormerTask> read(List<List<ObjectRef>> tasks) throws IOException {
        List<FormerTask> out = new ArrayList<>();
        for (int task = 0; task < tasks.size(); task++) {
            List<StateImage> newestFirst = new ArrayList<>();
            for (ObjectRef ref : tasks.get(task).reversed()) {
                newestFirst.add(read(ref));
            }
            out.add(new FormerTask(task, tasks.size(), newestFirst));
        }
        return out;
    }

    private StateImage read(ObjectRef ref) throws IOException {
        try (DataInputStream in =
                new DataInputStream(new BufferedInputStream(store.read(ref), 1 << 16))) {
            return StateImageCodec.read(in);
        }
    }

    @Override
    public void store(long epoch, Epochs.Completed completed, boolean drained) throws Exception {
        long begun = clock.nanos();
        Map<String, List<List<ObjectRef>>> next = copyOf(chains);
        Map<String, List<String>> handles = new TreeMap<>();
        long number = retry.until("reserve an epoch", store::nextEpoch);
        for (EpochPart part : completed.parts()) {
            switch (part) {
                case EpochPart.Positions(String dataset, Map<String, String> ofTask) ->
                        positions.computeIfAbsent(dataset, _ -> new TreeMap<>()).putAll(ofTask);
                case EpochPart.Times(String stepId, Map<String, Long> ofTask) ->
                        times.computeIfAbsent(stepId, _ -> new TreeMap<>()).putAll(ofTask);
                case EpochPart.Prepared(String dataset, int _, String handle) ->
                        handles.computeIfAbsent(dataset, _ -> new ArrayList<>()).add(handle);
                case EpochPart.State state -> write(number, state, next);
            }
        }
        Manifest manifest =
                new Manifest(
                        subject.pipeline(),
                        number,
                        store.generation(),
                        clock.millis(),
                        kind(completed, drained),
                        false,
                        subject.fingerprint(),
                        subject.vnodes(),
                        positions,
                        times,
                        states(next),
                        handles,
                        Map.of());
        retry.until(
                "store epoch " + number,
                () -> {
                    store.commit(manifest);
                    return null;
                });
        chains.clear();
        chains.putAll(next);
        newest = StoredEpoch.of(manifest, (clock.nanos() - begun) / 1_000_000);
    }

    private static Manifest.Kind kind(Epochs.Completed completed, boolean drained) {
        if (completed.kind() == Epochs.Kind.PERIODIC) {
            return Manifest.Kind.PERIODIC;
        }
        return drained ? Manifest.Kind.END : Manifest.Kind.STOP;
    }

    private void write(long epoch, EpochPart.State state, Map<String, List<List<ObjectRef>>> next)
            throws IOException, InterruptedException {
        ObjectRef ref =
                retry.until(
                        "store the state of step " + state.stepId(),
                        () ->
                                store.writeObject(
                                        epoch,
                                        state.stepId() + "-" + state.task(),
                                        out -> {
                                            DataOutputStream data = new DataOutputStream(out);
                                            StateImageCodec.write(state.image(), data);
                                            data.flush();
                                        }));
        List<List<ObjectRef>> tasks = next.get(state.stepId());
        if (tasks == null || tasks.size() != state.tasks()) {
            // Another number of tasks than before: they begin with whole images.
            tasks = new ArrayList<>();
            for (int task = 0; task < state.tasks(); task++) {
                tasks.add(new ArrayList<>());
            }
            next.put(state.stepId(), tasks);
        }
        List<ObjectRef> chain = tasks.get(state.task());
        if (state.full()) {
            chain.clear();
        }
        chain.add(ref);
    }

    private static Map<String, List<List<ObjectRef>>> copyOf(
            Map<String, List<List<ObjectRef>>> chains) {
        Map<String, List<List<ObjectRef>>> copy = new TreeMap<>();
        chains.forEach(
                (step, tasks) -> {
                    List<List<ObjectRef>> ofStep = new ArrayList<>();
                    tasks.forEach(chain -> ofStep.add(new ArrayList<>(chain)));
                    copy.put(step, ofStep);
                });
        return copy;
    }

    private static Map<String, List<TaskState>> states(Map<String, List<List<ObjectRef>>> chains) {
        Map<String, List<TaskState>> out = new TreeMap<>();
        chains.forEach((step, tasks) -> out.put(step, tasks.stream().map(TaskState::new).toList()));
        return out;
    }

    @Override
    public boolean isDurable() {
        return subject.durable();
    }

    @Override
    public boolean wantsFull() {
        return chains.values().stream().flatMap(List::stream).anyMatch(StoredEpochs::isLongOrLarge);
    }

    private static boolean isLongOrLarge(List<ObjectRef> chain) {
        if (chain.isEmpty()) {
            return false;
        }
        long changes = chain.stream().skip(1).mapToLong(ObjectRef::length).sum();
        return chain.size() > LONGEST_CHAIN
                || changes > Math.max(SMALL_BYTES, chain.getFirst().length());
    }

    /** The epoch that stands; {@link StoredEpoch#NONE} before the first. */
    StoredEpoch newest() {
        return newest;
    }

    /** The run has taken what was restored. */
    void forgetImages() {
        synchronized (images) {
            images.clear();
        }
    }

    @Override
    public Optional<Map<String, String>> positions(String dataset) {
        return Optional.ofNullable(positions.get(dataset)).map(Map::copyOf);
    }

    @Override
    public Map<String, Long> times(String stepId) {
        return Map.copyOf(times.getOrDefault(stepId, Map.of()));
    }

    @Override
    public Map<String, List<String>> handles() {
        return restoredHandles;
    }

    @Override
    public List<FormerTask> state(String stepId) {
        synchronized (images) {
            return images.getOrDefault(stepId, List.of());
        }
    }
}
