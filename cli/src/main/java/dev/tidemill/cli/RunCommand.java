package dev.tidemill.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "run",
        description =
                "Runs a pipeline until its inputs end, or until a signal stops it. A second signal does not wait for the ordered stop.",
        footer = {
            "",
            "Example: tidemill run examples/hot-auctions.toml --set consumers=2 --report record.json"
        })
final class RunCommand implements Callable<Integer> {
    @Mixin private HelpOption help;

    @Mixin private PipelineFile file;

    @Option(
            names = "--report",
            paramLabel = "FILE",
            description = "Keeps the record of the run in this file, as JSON.")
    private Path report;

    @Option(
            names = "--serve",
            paramLabel = "ADDR",
            description =
                    "Answers /health, /ready, /status and /metrics on a port or HOST:PORT; the loopback address unless a host is given.")
    private String serve;

    @Option(
            names = "--serve-token-file",
            paramLabel = "FILE",
            description =
                    "Holds the bearer token that /status and /metrics ask for; else TIDEMILL_SERVE_TOKEN. A must beyond the loopback address.")
    private Path tokenFile;

    @Option(
            names = "--reset-state",
            description =
                    "Forgets the stored positions and state, at each start with this option, and starts anew.")
    private boolean resetState;

    @Option(
            names = "--drop-state",
            paramLabel = "STEP",
            description =
                    "Forgets the stored state of the step with this id where it does not fit the pipeline any more; may be repeated.")
    private List<String> dropState = new ArrayList<>();

    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        RunOptions options =
                new RunOptions(
                        file.path(),
                        file.overrides(),
                        report,
                        serve,
                        tokenFile,
                        resetState,
                        Set.copyOf(dropState));
        return new Run(options, spec.commandLine().getErr()).call();
    }
}
