package dev.tidemill.pipeline;

import dev.tidemill.pipeline.BuildRecord.StepCounts;
import dev.tidemill.pipeline.BuildRecord.Totals;
import dev.tidemill.pipeline.recovery.StoredEpoch;
import dev.tidemill.pipeline.spec.InvalidPipelineException;
import dev.tidemill.pipeline.spec.PipelineSpec;
import dev.tidemill.runtime.Job;
import dev.tidemill.runtime.RunMetrics;
import dev.tidemill.spi.Notices;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A run of a pipeline, and the thread that speaks with its host. */
final class JobRun implements RunningPipeline {
    private static final RunMetrics NOTHING =
            new RunMetrics(Map.of(), Map.of(), Map.of(), Map.of());

    private final String id;
    private final Duration heartbeat;
    private final ControlPlane controlPlane;
    private final Notices notices;
    private final Instant startedAt = Instant.now();
    private final Launch launch;
    private final RestartPolicy restarts;
    private final CompletableFuture<BuildRecord> end = new CompletableFuture<>();
    private final CountDownLatch stopAsked = new CountDownLatch(1);

    /** What runs, or ran last; null before the first start and of a pipeline that had finished before. */
    private volatile Job job;

    private volatile boolean aborted;
    private volatile int restarted;

    private JobRun(PipelineSpec spec, ControlPlane controlPlane, Notices notices) {
        this.id = spec.name();
        this.heartbeat = Duration.ofSeconds(spec.settings().requireLong("heartbeatSeconds"));
        this.controlPlane = controlPlane;
        this.notices = notices;
        this.launch = new Launch(spec, notices);
        this.restarts = new RestartPolicy(spec.settings());
    }

    static RunningPipeline start(
            PipelineSpec spec, StartOptions options, ControlPlane controlPlane, Notices notices)
            throws InvalidPipelineException {
        JobRun run = new JobRun(spec, controlPlane, notices);
        try {
            run.launch.open(options, run::lost);
            Optional<Job> first = run.launch.start();
            if (first.isEmpty()) {
                notices.info(run.launch.finished());
                run.finish(run.recordOf(RunStatus.SUCCEEDED, null, run.launch.finished()));
                return run;
            }
            run.began(first.get());
            Thread thread = new Thread(run::accompany, "tm-control");
            thread.setDaemon(true);
            thread.start();
        } catch (InvalidPipelineException e) {
            run.closeLaunch();
            throw e;
        } catch (Exception e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            run.finish(run.recordOf(RunStatus.FAILED, message(e), null));
        }
        return run;
    }

    /** Another process owns the pipeline now. */
    private void lost(IOException cause) {
        Job current = job;
        if (current != null) {
            current.fail(cause);
        }
    }

    /** A stop or an abort may have come while it was being started. */
    private void began(Job started) {
        job = started;
        if (stopAsked.getCount() == 0) {
            started.stop();
        }
        if (aborted) {
            started.abort();
        }
    }

    /** Puts records until the job ends, and starts it again where that may help. */
    private void accompany() {
        put(record());
        try {
            Job.Outcome outcome = awaitJob();
            while (outcome instanceof Job.Outcome.Failed failed && !aborted) {
                Optional<Duration> pause = pauseAfter(failed);
                if (pause.isEmpty()) {
                    break;
                }
                outcome = startAgain(failed, pause.get());
            }
            finish(last(outcome));
        } catch (InterruptedException e) {
            // Nobody interrupts this thread; if it happens the job is not left alone.
            job.abort();
            finish(recordOf(RunStatus.FAILED, "interrupted", null));
        }
    }

    /** Stopping does not wait for a beat: the job ends by itself then. */
    private Job.Outcome awaitJob() throws InterruptedException {
        Optional<Job.Outcome> outcome = job.await(beat());
        while (outcome.isEmpty()) {
            beatOnce();
            outcome = job.await(beat());
        }
        return outcome.get();
    }

    private Optional<Duration> pauseAfter(Job.Outcome.Failed failed) {
        return launch.canStartAgain()
                ? restarts.next(failed.cause(), launch.newest().number())
                : Optional.empty();
    }

    private Job.Outcome startAgain(Job.Outcome.Failed failed, Duration pause)
            throws InterruptedException {
        notices.warn(
                error(failed)
                        + "; starting again behind epoch "
                        + launch.newest().number()
                        + " in "
                        + pause.toMillis()
                        + " ms (attempt "
                        + restarts.failures()
                        + " of "
                        + restarts.attempts()
                        + ")");
        if (stopAsked.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
            return aborted ? failed : new Job.Outcome.Stopped();
        }
        try {
            Optional<Job> again = launch.start();
            if (again.isEmpty()) {
                return new Job.Outcome.Drained();
            }
            restarted++;
            began(again.get());
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            return new Job.Outcome.Failed(null, e);
        }
        return awaitJob();
    }

    private Duration beat() {
        return heartbeat.isZero() ? Duration.ofDays(1) : heartbeat;
    }

    private void beatOnce() {
        try {
            switch (controlPlane.heartbeat(id)) {
                case CONTINUE -> put(record());
                case CONTINUE_UNREACHABLE -> {}
                case STOP -> stop();
            }
        } catch (RuntimeException e) {
            notices.warn("the host does not answer: " + message(e));
        }
    }

    private BuildRecord last(Job.Outcome outcome) {
        return switch (outcome) {
            case Job.Outcome.Drained _ -> recordOf(RunStatus.SUCCEEDED, null, null);
            case Job.Outcome.Stopped _ -> recordOf(RunStatus.STOPPED, null, null);
            case Job.Outcome.Failed failed -> recordOf(RunStatus.FAILED, error(failed), null);
        };
    }

    private static String error(Job.Outcome.Failed failed) {
        String task = failed.task() == null ? "" : "task " + failed.task() + ": ";
        return task + message(failed.cause());
    }

    private static String message(Throwable cause) {
        boolean own =
                cause instanceof IOException
                        || cause.getMessage() != null && !(cause instanceof NullPointerException);
        return own && cause.getMessage() != null ? cause.getMessage() : cause.toString();
    }

    private void finish(BuildRecord record) {
        closeLaunch();
        put(record);
        end.complete(record);
    }

    private void closeLaunch() {
        try {
            launch.close();
        } catch (IOException | RuntimeException e) {
            notices.warn("the state was not left in order: " + message(e));
        }
    }

    private void put(BuildRecord record) {
        try {
            controlPlane.putRecord(id, record);
        } catch (RuntimeException e) {
            notices.warn("the record of the run was not taken: " + message(e));
        }
    }

    private BuildRecord recordOf(RunStatus status, String error, String warning) {
        Job current = job;
        RunMetrics metrics = current == null ? NOTHING : current.metrics();
        Instant now = Instant.now();
        return new BuildRecord(
                id,
                id,
                status,
                startedAt,
                now,
                status.isFinal() ? now : null,
                error,
                warning,
                launch.outputs(),
                totals(metrics, now),
                checkpoint(),
                restarted,
                current == null ? Map.of() : current.cpuMillis(),
                millis(metrics.busyNanos()),
                steps(metrics));
    }

    private BuildRecord.Checkpoint checkpoint() {
        StoredEpoch newest = launch.newest();
        return newest.number() == 0
                ? null
                : new BuildRecord.Checkpoint(
                        newest.number(),
                        newest.objects(),
                        newest.bytes(),
                        newest.tookMs(),
                        newest.createdAt());
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
        return end.isDone() ? end.join() : recordOf(RunStatus.RUNNING, null, null);
    }

    @Override
    public void stop() {
        stopAsked.countDown();
        Job current = job;
        if (current != null) {
            current.stop();
        }
    }

    @Override
    public void abort() {
        aborted = true;
        stopAsked.countDown();
        Job current = job;
        if (current != null) {
            current.abort();
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
