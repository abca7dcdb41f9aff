package dev.tidemill.cli;

import dev.tidemill.pipeline.Pipeline;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "explain",
        description =
                "Shows how a pipeline would run: tasks, fused steps, routes, parallelism, the columns that are read.",
        footer = {"", "Example: tidemill explain examples/hot-auctions.toml"})
final class ExplainCommand implements Callable<Integer> {
    @Mixin private HelpOption help;

    @Mixin private PipelineFile file;

    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        Terminal terminal = Terminal.plain(spec.commandLine().getErr());
        Pipeline pipeline = file.load();
        pipeline.warnings().forEach(warning -> terminal.warn(warning.toString()));
        PrintWriter out = spec.commandLine().getOut();
        out.println(pipeline.explain(terminal).stripTrailing());
        out.flush();
        return ExitCode.FINE;
    }
}
