package dev.tidemill.cli;

import dev.tidemill.pipeline.Pipeline;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "check",
        description = "Checks a pipeline file without opening its inputs and outputs: exit 0 when nothing is wrong with it, else 2.",
        footer = {"", "Example: tidemill check examples/hot-auctions.toml"})
final class CheckCommand implements Callable<Integer> {
    @Mixin
    private HelpOption help;

    @Mixin
    private PipelineFile file;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        Pipeline pipeline = file.load();
        PrintWriter err = spec.commandLine().getErr();
        pipeline.warnings().forEach(warning -> err.println("warning: " + warning));
        err.println(file.path() + ": fine");
        return ExitCode.FINE;
    }
}
