package dev.tidemill.pipeline;

import dev.tidemill.pipeline.plan.Plan;
import dev.tidemill.pipeline.plan.Planner;
import dev.tidemill.pipeline.recovery.Recovery;
import dev.tidemill.pipeline.recovery.StoredEpoch;
import dev.tidemill.pipeline.spec.InvalidPipelineException;
import dev.tidemill.pipeline.spec.PipelineSpec;
import dev.tidemill.runtime.Durability;
import dev.tidemill.runtime.Job;
import dev.tidemill.spi.Clock;
import dev.tidemill.spi.Notices;
import dev.tidemill.spi.Sink;
import java.io.Closeable;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Starts the jobs of a pipeline, one after another, each behind the newest epoch. Used by one thread at a time. */
final class Launch implements Closeable {
    private final PipelineSpec spec;
    private final Notices notices;

    /** For the next start; null when that must plan anew. */
    private Plan plan;

    private List<String> outputs = List.of();
    private Optional<Recovery> recovery = Optional.empty();

    Launch(PipelineSpec spec, Notices notices) {
        this.spec = spec;
        this.notices = notices;
    }

    /**
     * Plans, and becomes the owner of the stored epochs, where there are.
     *
     * @param onLost is told when another process has become the owner
     */
    void open(StartOptions options, Consumer<IOException> onLost)
            throws InvalidPipelineException, IOException, InterruptedException {
        plan = Planner.plan(spec, Clock.SYSTEM, notices);
        outputs = plan.outputs();
        recovery = Recovery.open(spec, options, System::getenv, Clock.SYSTEM, notices, onLost);
        if (recovery.isPresent() && recovery.get().isDurable()) {
            tellDelivery();
        }
    }

    private void tellDelivery() {
        List<String> repeating =
                plan.dataflow().sinks().entrySet().stream()
                        .filter(each -> each.getValue().delivery() == Sink.Delivery.AT_LEAST_ONCE)
                        .map(each -> each.getKey())
                        .toList();
        if (!repeating.isEmpty()) {
            notices.info(
                    "at least once: after a failure rows since the last epoch come again to "
                            + String.join(", ", repeating));
        }
        if (spec.settings().requireLong("checkpointMs") == 0) {
            notices.info("checkpointMs = 0: epochs are made only at a stop and at the end");
        }
    }

    /** Names of the datasets that are written; none before the pipeline is planned. */
    List<String> outputs() {
        return outputs;
    }

    /** A job that runs; empty when the pipeline has finished before, and all its outputs show all their rows. */
    Optional<Job> start() throws Exception {
        Plan current = plan == null ? Planner.plan(spec, Clock.SYSTEM, notices) : plan;
        plan = null; // Inputs and outputs are opened once: another start plans anew.
        return start(current);
    }

    private Optional<Job> start(Plan current) throws Exception {
        if (recovery.isEmpty()) {
            return Optional.of(Job.start(current.dataflow(), current.options()));
        }
        Durability durability = recovery.get().next();
        if (recovery.get().newest().isEnd()) {
            current.dataflow().commit(durability.restored().handles());
            return Optional.empty();
        }
        Job job = Job.start(current.dataflow(), current.options().withDurability(durability));
        recovery.get().started();
        return Optional.of(job);
    }

    /** Whether a job that failed may be started again. */
    boolean canStartAgain() {
        return recovery.isPresent();
    }

    /** The epoch that stands; {@link StoredEpoch#NONE} when there is none. */
    StoredEpoch newest() {
        return recovery.map(Recovery::newest).orElse(StoredEpoch.NONE);
    }

    /** When the pipeline finished, for people. */
    String finished() {
        return "finished on "
                + Instant.ofEpochMilli(newest().createdAt())
                + ": its inputs were read to their end, so there is nothing to do; --reset-state runs it anew";
    }

    @Override
    public void close() throws IOException {
        if (recovery.isPresent()) {
            recovery.get().close();
        }
    }
}
