package dev.tidemill.cli;

import dev.tidemill.cli.serve.ServeAddress;
import dev.tidemill.cli.serve.StatusServer;
import dev.tidemill.pipeline.BuildRecord;
import dev.tidemill.pipeline.ControlPlane;
import dev.tidemill.pipeline.FileControlPlane;
import dev.tidemill.pipeline.Pipeline;
import dev.tidemill.pipeline.RunStatus;
import dev.tidemill.pipeline.RunningPipeline;
import dev.tidemill.pipeline.spec.InvalidPipelineException;
import dev.tidemill.pipeline.spec.PipelineSpec;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "run",
        description = "Runs a pipeline until its inputs end, or until a signal stops it. A second signal does not wait for the ordered stop.",
        footer = {"", "Example: tidemill run examples/hot-auctions.toml --set consumers=2 --report record.json"})
final class RunCommand implements Callable<Integer> {
    @Mixin
    private HelpOption help;

    private static final Duration REDRAW = Duration.ofMillis(500);
    private static final Duration NEVER = Duration.ofDays(365_000);

    @Mixin
    private PipelineFile file;

    @Option(names = "--report", paramLabel = "FILE", description = "Keeps the record of the run in this file, as JSON.")
    private Path report;

    @Option(
            names = "--serve",
            paramLabel = "ADDR",
            description = "Answers /health, /ready, /status and /metrics on a port or HOST:PORT; the loopback address unless a host is given.")
    private String serve;

    @Option(
            names = "--serve-token-file",
            paramLabel = "FILE",
            description = "Holds the bearer token that /status and /metrics ask for; else TIDEMILL_SERVE_TOKEN. A must beyond the loopback address.")
    private Path tokenFile;

    @Spec
    private CommandSpec spec;

    private final AtomicReference<RunningPipeline> run = new AtomicReference<>();

    @Override
    public Integer call() throws Exception {
        Signals.onStopRequest(this::stop, () -> Runtime.getRuntime().halt(ExitCode.FORCED));
        checkReport();
        Pipeline pipeline = file.load();
        Terminal terminal = terminal(pipeline.spec());
        pipeline.warnings().forEach(warning -> terminal.warn(warning.toString()));
        if (serve == null) {
            serve = pipeline.spec().settings().string("serve").orElse("");
        }
        if (serve.isEmpty()) {
            return run(pipeline, terminal);
        }
        ServeAddress address = serveAddress();
        try (StatusServer server = StatusServer.start(address, () -> record(pipeline.spec()))) {
            terminal.info("serving http://" + server.authority() + "/status");
            return run(pipeline, terminal);
        } catch (IOException e) {
            throw new RefusedException(ExitCode.FAILED, "cannot serve on " + serve + ": " + e.getMessage());
        }
    }

    private int run(Pipeline pipeline, Terminal terminal) throws InvalidPipelineException, InterruptedException {
        ControlPlane controlPlane = report == null ? ControlPlane.NONE : new FileControlPlane(report);
        RunningPipeline running = pipeline.start(controlPlane, terminal);
        run.set(running);
        BuildRecord end = await(running, terminal, interval(pipeline.spec(), terminal));
        terminal.endStatus();
        if (end.error() != null) {
            terminal.info("tidemill: failed: " + end.error());
        }
        terminal.info(Progress.summary(end, Progress.wallOfProcess(), Progress.cpuOfProcess()));
        return end.status() == RunStatus.FAILED ? ExitCode.FAILED : ExitCode.FINE;
    }

    private static BuildRecord await(RunningPipeline running, Terminal terminal, Duration interval) throws InterruptedException {
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
        RunningPipeline running = run.get();
        if (running == null) {
            // Nothing was read yet, so nothing is to be brought in order. Exit must not wait for this thread.
            Thread.ofPlatform().start(() -> System.exit(ExitCode.FINE));
            return;
        }
        running.stop();
    }

    private BuildRecord record(PipelineSpec pipeline) {
        RunningPipeline running = run.get();
        return running == null ? BuildRecord.starting(pipeline.name()) : running.record();
    }

    private void checkReport() throws RefusedException {
        if (report == null) {
            return;
        }
        Path folder = report.toAbsolutePath().getParent();
        if (Files.isDirectory(report) || folder == null || !Files.isDirectory(folder) || !Files.isWritable(folder)) {
            throw RefusedException.wrongInput("--report " + report + ": not a file that can be written in an existing folder");
        }
    }

    private ServeAddress serveAddress() throws RefusedException {
        try {
            return ServeAddress.parse(serve, token());
        } catch (IllegalArgumentException e) {
            throw RefusedException.wrongInput("--serve " + serve + ": " + e.getMessage());
        }
    }

    private String token() throws RefusedException {
        if (tokenFile == null) {
            return System.getenv("TIDEMILL_SERVE_TOKEN");
        }
        try {
            return Files.readString(tokenFile).strip();
        } catch (IOException e) {
            throw RefusedException.wrongInput("--serve-token-file " + tokenFile + ": cannot be read");
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
        PrintWriter err = spec.commandLine().getErr();
        String terminals = System.getenv().getOrDefault("TIDEMILL_TTY", "");
        boolean rowsOnTerminal = terminals.contains("out") && printsRows(pipeline);
        if (!terminals.contains("err") || rowsOnTerminal) {
            return Terminal.plain(err);
        }
        return Terminal.live(err, columns());
    }

    private static boolean printsRows(PipelineSpec pipeline) {
        return pipeline.datasets().values().stream()
                .anyMatch(dataset -> dataset.sink() != null && dataset.sink().connector().equals("stdout"));
    }

    private static int columns() {
        try {
            return Integer.parseInt(System.getenv().getOrDefault("TIDEMILL_COLUMNS", "80"));
        } catch (NumberFormatException e) {
            return 80;
        }
    }
}
