package dev.tidemill.cli;

import dev.tidemill.pipeline.Pipeline;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "check",
        description =
                "Checks a pipeline file, and its steps against the columns of its inputs where that needs no server:"
                        + " exit 0 when nothing is wrong, else 2. No row is read but the sample that types are inferred from.",
        footer = {"", "Example: tidemill check examples/hot-auctions.toml"})
final class CheckCommand implements Callable<Integer> {
    @Mixin private HelpOption help;

    @Mixin private PipelineFile file;

    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        Pipeline pipeline = file.load();
        PrintWriter err = spec.commandLine().getErr();
        pipeline.warnings().forEach(warning -> err.println("warning: " + warning));
        if (needsNoServer(pipeline)) {
            pipeline.plan(Terminal.plain(err));
        }
        err.println(file.path() + ": fine");
        return ExitCode.FINE;
    }

    /** A broker may be far away from where a file is checked. */
    private static boolean needsNoServer(Pipeline pipeline) {
        return pipeline.spec().datasets().values().stream()
                .flatMap(
                        dataset ->
                                Stream.of(
                                        Optional.ofNullable(dataset.source()),
                                        Optional.ofNullable(dataset.sink())))
                .flatMap(Optional::stream)
                .noneMatch(
                        endpoint ->
                                endpoint.connector().equals("kafka")
                                        || endpoint.connector().equals("nexmark")
                                                && endpoint.options().has("topic"));
    }
}
