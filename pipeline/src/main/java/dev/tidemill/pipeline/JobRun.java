package dev.tidemill.pipeline;

import dev.tidemill.pipeline.BuildRecord.StepCounts;
import dev.tidemill.pipeline.BuildRecord.Totals;
import dev.tidemill.pipeline.plan.Plan;
import dev.tidemill.pipeline.plan.Planner;
import dev.tidemill.pipeline.spec.InvalidPipelineException;
import dev.tidemill.pipeline.spec.PipelineSpec;
import dev.tidemill.runtime.Job;
import dev.tidemill.runtime.RunMetrics;
import dev.tidemill.spi.Clock;
import dev.tidemill.spi.Notices;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A run of a pipeline, and the thread that speaks with its host. */
final class JobRun implements RunningPipeline {
    private static final RunMetrics NOTHING =
            new RunMetrics(Map.of(), Map.of(), Map.of(), Map.of());

    private final String id;
    private final String pipeline;
    private final Duration heartbeat;
    private final List<String> outputs;
    private final ControlPlane controlPlane;
    private final Notices notices;
    private final Instant startedAt = Instant.now();
    private final Job job;
    private final CompletableFuture<BuildRecord> end = new CompletableFuture<>();

    private JobRun(
            PipelineSpec spec,
            List<String> outputs,
            Job job,
            ControlPlane controlPlane,
            Notices notices) {
        this.id = spec.name();
        this.pipeline = spec.name();
        this.heartbeat = Duration.ofSeconds(spec.settings().requireLong("heartbeatSeconds"));
        this.outputs = outputs;
        this.job = job;
        this.controlPlane = controlPlane;
        this.notices = notices;
    }

    static RunningPipeline start(PipelineSpec spec, ControlPlane controlPlane, Notices notices)
            throws InvalidPipelineException {
        List<String> outputs = List.of();
        try {
            Plan plan = Planner.plan(spec, Clock.SYSTEM, notices);
            outputs = plan.outputs();
            Job job = Job.start(plan.dataflow(), plan.options());
            JobRun run = new JobRun(spec, outputs, job, controlPlane, notices);
            Thread thread = new Thread(run::accompany, "tm-control");
            thread.setDaemon(true);
            thread.start();
            return run;
        } catch (InvalidPipelineException e) {
            throw e;
        } catch (Exception e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            JobRun failed = new JobRun(spec, outputs, null, controlPlane, notices);
            failed.finish(failed.recordOf(RunStatus.FAILED, message(e)));
            return failed;
        }
    }

    /** Puts records until the job ends. Stopping does not wait for a beat: the job ends by itself then. */
    private void accompany() {
        put(record());
        try {
            Optional<Job.Outcome> outcome = job.await(beat());
            while (outcome.isEmpty()) {
                beatOnce();
                outcome = job.await(beat());
            }
            finish(last(outcome.get()));
        } catch (InterruptedException e) {
            // Nobody interrupts this thread; if it happens the job is not left alone.
            job.abort();
            finish(recordOf(RunStatus.FAILED, "interrupted"));
        }
    }

    private Duration beat() {
        return heartbeat.isZero() ? Duration.ofDays(1) : heartbeat;
    }

    private void beatOnce() {
        try {
            switch (controlPlane.heartbeat(id)) {
                case CONTINUE -> put(record());
                case CONTINUE_UNREACHABLE -> {}
                case STOP -> job.stop();
            }
        } catch (RuntimeException e) {
            notices.warn("the host does not answer: " + message(e));
        }
    }

    private BuildRecord last(Job.Outcome outcome) {
        return switch (outcome) {
            case Job.Outcome.Drained _ -> recordOf(RunStatus.SUCCEEDED, null);
            case Job.Outcome.Stopped _ -> recordOf(RunStatus.STOPPED, null);
            case Job.Outcome.Failed(String task, Throwable cause) ->
                    recordOf(
                            RunStatus.FAILED,
                            (task == null ? "" : "task " + task + ": ") + message(cause));
        };
    }

    private static String message(Throwable cause) {
        boolean own =
                cause instanceof IOException
                        || cause.getMessage() != null && !(cause instanceof NullPointerException);
        return own && cause.getMessage() != null ? cause.getMessage() : cause.toString();
    }

    private void finish(BuildRecord record) {
        put(record);
        end.complete(record);
    }

    private void put(BuildRecord record) {
        try {
            controlPlane.putRecord(id, record);
        } catch (RuntimeException e) {
            notices.warn("the record of the run was not taken: " + message(e));
        }
    }

    private BuildRecord recordOf(RunStatus status, String error) {
        RunMetrics metrics = job == null ? NOTHING : job.metrics();
        Instant now = Instant.now();
        return new BuildRecord(
                id,
                pipeline,
                status,
                startedAt,
                now,
                status.isFinal() ? now : null,
                error,
                null,
                outputs,
                totals(metrics, now),
                job == null ? Map.of() : job.cpuMillis(),
                millis(metrics.busyNanos()),
                steps(metrics));
    }

    private Totals totals(RunMetrics metrics, Instant now) {
        long watermark =
                metrics.steps().values().stream()
                        .mapToLong(RunMetrics.Step::watermark)
                        .filter(time -> time != Long.MIN_VALUE)
                        .min()
                        .orElse(Long.MIN_VALUE);
        long delay = watermark == Long.MIN_VALUE ? -1 : Math.max(0, now.toEpochMilli() - watermark);
        return new Totals(
                metrics.consumed(),
                metrics.emitted(),
                metrics.filtered(),
                metrics.dropped() + metrics.errors(),
                metrics.late(),
                metrics.errors(),
                metrics.misfits(),
                -1,
                delay,
                metrics.firstRowAt() == Long.MAX_VALUE
                        ? -1
                        : Math.max(0, metrics.firstRowAt() - startedAt.toEpochMilli()));
    }

    private static Map<String, Long> millis(Map<String, Long> nanos) {
        Map<String, Long> out = new LinkedHashMap<>();
        nanos.forEach((role, value) -> out.put(role, value / 1_000_000));
        return out;
    }

    private static Map<String, StepCounts> steps(RunMetrics metrics) {
        Map<String, StepCounts> out = new LinkedHashMap<>();
        metrics.steps()
                .forEach(
                        (step, counts) ->
                                out.put(
                                        step,
                                        new StepCounts(
                                                counts.in(),
                                                counts.out(),
                                                counts.filtered(),
                                                counts.dropped(),
                                                counts.late(),
                                                counts.errors())));
        return out;
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public BuildRecord record() {
        return end.isDone() ? end.join() : recordOf(RunStatus.RUNNING, null);
    }

    @Override
    public void stop() {
        if (job != null) {
            job.stop();
        }
    }

    @Override
    public void abort() {
        if (job != null) {
            job.abort();
        }
    }

    @Override
    public BuildRecord await() throws InterruptedException {
        try {
            return end.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Optional<BuildRecord> await(Duration limit) throws InterruptedException {
        try {
            return Optional.of(end.get(limit.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }
}
