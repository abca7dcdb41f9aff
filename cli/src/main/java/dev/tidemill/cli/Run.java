package dev.tidemill.cli;

import dev.tidemill.cli.serve.ServeAddress;
import dev.tidemill.cli.serve.StatusServer;
import dev.tidemill.pipeline.BuildRecord;
import dev.tidemill.pipeline.ControlPlane;
import dev.tidemill.pipeline.FileControlPlane;
import dev.tidemill.pipeline.Pipeline;
import dev.tidemill.pipeline.RunStatus;
import dev.tidemill.pipeline.RunningPipeline;
import dev.tidemill.pipeline.StartOptions;
import dev.tidemill.pipeline.spec.InvalidPipelineException;
import dev.tidemill.pipeline.spec.PipelineSpec;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** One run of a pipeline, from its file to its summary. */
final class Run {
    private static final Duration REDRAW = Duration.ofMillis(500);
    private static final Duration PATIENCE_WITH_START = Duration.ofSeconds(1);
    private static final Duration NEVER = Duration.ofDays(365_000);

    private final RunOptions options;
    private final PrintWriter err;
    private volatile boolean stopAsked;
    private final AtomicReference<RunningPipeline> run = new AtomicReference<>();

    /** @param err is for people; must flush at each line */
    Run(RunOptions options, PrintWriter err) {
        this.options = options;
        this.err = err;
    }

    /** Runs until the inputs end or a signal stops it, and returns the status to end with. */
    int call() throws Exception {
        Signals.onStopRequest(this::stop, () -> Runtime.getRuntime().halt(ExitCode.FORCED));
        checkReport();
        Pipeline pipeline = PipelineFiles.load(options.file(), options.overrides());
        Terminal terminal = terminal(pipeline.spec());
        pipeline.warnings().forEach(warning -> terminal.warn(warning.toString()));
        String serve =
                options.serve() == null
                        ? pipeline.spec().settings().string("serve").orElse("")
                        : options.serve();
        if (serve.isEmpty()) {
            return run(pipeline, terminal);
        }
        ServeAddress address = serveAddress(serve);
        try (StatusServer server = StatusServer.start(address, () -> record(pipeline.spec()))) {
            terminal.info("serving http://" + server.authority() + "/status");
            return run(pipeline, terminal);
        } catch (IOException e) {
            throw new RefusedException(
                    ExitCode.FAILED, "cannot serve on " + serve + ": " + e.getMessage());
        }
    }

    private int run(Pipeline pipeline, Terminal terminal)
            throws InvalidPipelineException, InterruptedException {
        ControlPlane controlPlane =
                options.report() == null
                        ? ControlPlane.NONE
                        : new FileControlPlane(options.report());
        StartOptions start =
                new StartOptions(
                        DefaultStore.of(pipeline.spec()),
                        options.resetState(),
                        options.dropState());
        RunningPipeline running = pipeline.start(controlPlane, terminal, start);
        run.set(running);
        if (stopAsked) {
            running.stop();
        }
        BuildRecord end = await(running, terminal, interval(pipeline.spec(), terminal));
        terminal.endStatus();
        if (end.error() != null) {
            terminal.info("tidemill: failed: " + end.error());
        }
        terminal.info(Progress.summary(end, Progress.wallOfProcess(), Progress.cpuOfProcess()));
        boolean reported = options.report() == null || report(end);
        return end.status() == RunStatus.FAILED || !reported ? ExitCode.FAILED : ExitCode.FINE;
    }

    /** Whether the last record is where it was asked for. A pipeline does not fail for its host's sake, so this is asked here. */
    private boolean report(BuildRecord end) {
        try {
            new FileControlPlane(options.report()).putRecord(end.id(), end);
            return true;
        } catch (UncheckedIOException e) {
            err.println("tidemill: " + e.getMessage());
            return false;
        }
    }

    private static BuildRecord await(RunningPipeline running, Terminal terminal, Duration interval)
            throws InterruptedException {
        Progress progress = new Progress(System.nanoTime());
        Optional<BuildRecord> end = running.await(interval);
        while (end.isEmpty()) {
            terminal.status(progress.line(running.record(), System.nanoTime()));
            end = running.await(interval);
        }
        return end.get();
    }

    /** Runs on a thread of the JVM at the first signal. */
    private void stop() {
        stopAsked = true;
        RunningPipeline running = run.get();
        if (running == null) {
            Thread.ofPlatform().daemon().start(this::leaveUnlessStarted);
            return;
        }
        running.stop();
    }

    /** A start can take long, as when a broker does not answer. Nothing was read by then, so there is nothing to bring in order. */
    private void leaveUnlessStarted() {
        try {
            Thread.sleep(PATIENCE_WITH_START);
        } catch (InterruptedException e) {
            return;
        }
        if (run.get() == null) {
            err.println("stopped before it had started");
            System.exit(ExitCode.FINE);
        }
    }

    private BuildRecord record(PipelineSpec pipeline) {
        RunningPipeline running = run.get();
        return running == null ? BuildRecord.starting(pipeline.name()) : running.record();
    }

    private void checkReport() throws RefusedException {
        Path report = options.report();
        if (report == null) {
            return;
        }
        Path folder = report.toAbsolutePath().getParent();
        if (Files.isDirectory(report)
                || folder == null
                || !Files.isDirectory(folder)
                || !Files.isWritable(folder)) {
            throw RefusedException.wrongInput(
                    "--report "
                            + report
                            + ": not a file that can be written in an existing folder");
        }
    }

    private ServeAddress serveAddress(String serve) throws RefusedException {
        try {
            return ServeAddress.parse(serve, token());
        } catch (IllegalArgumentException e) {
            throw RefusedException.wrongInput("--serve " + serve + ": " + e.getMessage());
        }
    }

    private String token() throws RefusedException {
        Path tokenFile = options.tokenFile();
        if (tokenFile == null) {
            return System.getenv("TIDEMILL_SERVE_TOKEN");
        }
        try {
            return Files.readString(tokenFile).strip();
        } catch (IOException e) {
            throw RefusedException.wrongInput(
                    "--serve-token-file " + tokenFile + ": cannot be read");
        }
    }

    private static Duration interval(PipelineSpec pipeline, Terminal terminal) {
        long seconds = pipeline.settings().integer("heartbeatSeconds").orElse(5L);
        if (seconds == 0) {
            return NEVER;
        }
        return terminal.isLive() ? REDRAW : Duration.ofSeconds(seconds);
    }

    /** The launcher says which of the streams are terminals. A status that is drawn over would tear rows on the same terminal. */
    private Terminal terminal(PipelineSpec pipeline) {
        String terminals = System.getenv().getOrDefault("TIDEMILL_TTY", "");
        boolean rowsOnTerminal = terminals.contains("out") && printsRows(pipeline);
        if (!terminals.contains("err") || rowsOnTerminal) {
            return Terminal.plain(err);
        }
        return Terminal.live(err, columns());
    }

    private static boolean printsRows(PipelineSpec pipeline) {
        return pipeline.datasets().values().stream()
                .anyMatch(
                        dataset ->
                                dataset.sink() != null
                                        && dataset.sink().connector().equals("stdout"));
    }

    private static int columns() {
        try {
            return Integer.parseInt(System.getenv().getOrDefault("TIDEMILL_COLUMNS", "80"));
        } catch (NumberFormatException e) {
            return 80;
        }
    }
}
