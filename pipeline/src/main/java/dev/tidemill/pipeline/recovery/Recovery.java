package dev.tidemill.pipeline.recovery;

import dev.tidemill.epochs.DamagedException;
import dev.tidemill.epochs.EpochStore;
import dev.tidemill.epochs.FencedException;
import dev.tidemill.epochs.Manifest;
import dev.tidemill.epochs.MemoryStore;
import dev.tidemill.epochs.ObjectStore;
import dev.tidemill.epochs.StoreLocation;
import dev.tidemill.pipeline.StartOptions;
import dev.tidemill.pipeline.spec.PipelineSpec;
import dev.tidemill.runtime.Durability;
import dev.tidemill.runtime.Restored;
import dev.tidemill.spi.Clock;
import dev.tidemill.spi.Notices;
import dev.tidemill.spi.OptionValues;
import java.io.Closeable;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * The stored epochs of a pipeline, owned by this process from {@link #open} to {@link #close}: keeps the sign of life, removes what no epoch needs, and finds where
 * each start of a job goes on. Thread-safe.
 */
public final class Recovery implements Closeable {
    /** The reset that the setting asks for: done once, and again after a start without the setting. */
    private static final String RESET_SETTING = "setting";

    private final ObjectStore objects;
    private final EpochStore store;
    private final PipelineSpec spec;
    private final StartOptions startOptions;
    private final Clock clock;
    private final Notices notices;
    private final Consumer<IOException> onLost;
    private final ScheduledExecutorService beats =
            Executors.newScheduledThreadPool(
                    2,
                    task -> {
                        Thread thread = new Thread(task, "tm-store");
                        thread.setDaemon(true);
                        return thread;
                    });
    private volatile StoredEpochs epochs;
    private volatile boolean cannotBeat;

    private Recovery(
            ObjectStore objects,
            EpochStore store,
            EpochStore.Options options,
            PipelineSpec spec,
            StartOptions startOptions,
            Clock clock,
            Notices notices,
            Consumer<IOException> onLost) {
        this.objects = objects;
        this.store = store;
        this.spec = spec;
        this.startOptions = startOptions;
        this.clock = clock;
        this.notices = notices;
        this.onLost = onLost;
        long beat = options.beatMillis();
        beats.scheduleWithFixedDelay(this::beat, beat, beat, TimeUnit.MILLISECONDS);
        beats.scheduleWithFixedDelay(this::clean, beat, beat, TimeUnit.MILLISECONDS);
    }

    /**
     * Becomes the owner of the pipeline's epochs; empty when its settings name no store.
     *
     * @param variables gives what object stores need by its name, as the environment does
     * @param onLost    is told when another process has taken over: what runs must stop
     * @throws IOException when the store cannot be used, or a process that lives is the owner
     */
    public static Optional<Recovery> open(
            PipelineSpec spec,
            StartOptions startOptions,
            UnaryOperator<String> variables,
            Clock clock,
            Notices notices,
            Consumer<IOException> onLost)
            throws IOException, InterruptedException {
        String location = StateLocation.of(spec, startOptions.stateStore());
        if (location.isEmpty()) {
            return Optional.empty();
        }
        ObjectStore objects = StoreLocation.open(location, variables);
        try {
            return Optional.of(over(objects, spec, startOptions, clock, notices, onLost));
        } catch (IOException | InterruptedException | RuntimeException e) {
            objects.close();
            throw e;
        }
    }

    /**
     * Becomes the owner of the pipeline's epochs in a store that is open.
     *
     * @param objects is closed by {@link #close}
     */
    public static Recovery over(
            ObjectStore objects,
            PipelineSpec spec,
            StartOptions startOptions,
            Clock clock,
            Notices notices,
            Consumer<IOException> onLost)
            throws IOException, InterruptedException {
        OptionValues settings = spec.settings();
        EpochStore.Options options =
                EpochStore.Options.defaults(notices::warn)
                        .withKeep((int) settings.requireLong("checkpointsKeep"))
                        .withReset(resetToken(startOptions, settings));
        EpochStore store = EpochStore.open(objects, spec.name(), options);
        if (isDurable(objects)) {
            notices.info(
                    "state in "
                            + objects.location()
                            + (store.wasReset() ? ", reset: starting anew" : ""));
        }
        return new Recovery(objects, store, options, spec, startOptions, clock, notices, onLost);
    }

    private static String resetToken(StartOptions startOptions, OptionValues settings) {
        if (startOptions.resetState()) {
            return UUID.randomUUID().toString();
        }
        return settings.requireBool("resetState") ? RESET_SETTING : "";
    }

    private static boolean isDurable(ObjectStore objects) {
        return !(objects instanceof MemoryStore);
    }

    /** Whether the epochs outlive this process. */
    public boolean isDurable() {
        return isDurable(objects);
    }

    private void beat() {
        try {
            store.renew();
            cannotBeat = false;
        } catch (FencedException taken) {
            onLost.accept(taken);
        } catch (IOException | RuntimeException e) {
            if (!cannotBeat) {
                cannotBeat = true;
                notices.warn(
                        "cannot show in the state store that this process lives: "
                                + e.getMessage());
            }
        }
    }

    private void clean() {
        try {
            store.clean();
        } catch (FencedException taken) {
            onLost.accept(taken);
        } catch (IOException | RuntimeException e) {
            // What is left is removed by a later cleaning, and an owner that cannot write is told
            // by its next epoch.
        }
    }

    /**
     * Where the next start of a job goes on: behind the newest epoch that is whole, or at the beginning.
     *
     * @throws IOException when there is an epoch and the pipeline has changed so that it does not fit, or none is whole
     */
    public Durability next() throws IOException {
        PlanFingerprint plan = PlanFingerprint.of(spec);
        StoredEpochs.Subject subject =
                new StoredEpochs.Subject(
                        spec.name(),
                        plan.toText(),
                        (int) spec.settings().requireLong("vnodes"),
                        isDurable());
        Optional<StoredEpochs> restored = restored(plan, subject);
        epochs = restored.orElseGet(() -> StoredEpochs.anew(store, subject, clock, notices));
        OptionValues settings = spec.settings();
        return new Durability(
                settings.requireLong("checkpointMs"),
                settings.requireLong("checkpointMinPauseMs"),
                0,
                1,
                epochs,
                restored.isPresent() ? epochs : Restored.NOTHING);
    }

    private Optional<StoredEpochs> restored(PlanFingerprint plan, StoredEpochs.Subject subject)
            throws IOException {
        Optional<EpochStore.Latest> latest = store.latest();
        while (latest.isPresent()) {
            Manifest manifest =
                    new Fit(plan, startOptions.dropState(), notices).of(latest.get().manifest());
            try {
                return Optional.of(StoredEpochs.behind(manifest, store, subject, clock, notices));
            } catch (DamagedException damaged) {
                store.condemn(manifest.epoch(), damaged.getMessage());
                latest = store.latest();
            }
        }
        return Optional.empty();
    }

    /** A job has started from {@link #next}: what was read for it is not kept any longer. */
    public void started() {
        StoredEpoch from = epochs.newest();
        epochs.forgetImages();
        if (from.number() > 0) {
            notices.info(
                    "going on behind epoch "
                            + from.number()
                            + " of "
                            + Instant.ofEpochMilli(from.createdAt())
                            + ", "
                            + from.bytes()
                            + " bytes of state");
        }
    }

    /** The epoch that stands; {@link StoredEpoch#NONE} before the first. */
    public StoredEpoch newest() {
        StoredEpochs current = epochs;
        return current == null ? StoredEpoch.NONE : current.newest();
    }

    /** Gives the ownership up, so that the next start need not wait. */
    @Override
    public void close() throws IOException {
        beats.shutdownNow();
        try {
            store.close();
        } finally {
            objects.close();
        }
    }
}
