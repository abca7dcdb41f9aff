package dev.tidemill.bench;

import dev.tidemill.bench.nexmark.NexmarkCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code tidemill bench} command: benchmarks that check the answer before they print a number. */
@Command(
        name = "tidemill bench",
        description = "Measures Tidemill, and other engines on the same input.",
        synopsisSubcommandLabel = "BENCHMARK",
        subcommands = NexmarkCommand.class)
public final class Main {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Shows this help.")
    private boolean help;

    private Main() {}

    /** Carries out one command and ends the process with its status: 0, 1 when it failed, 2 for wrong usage. */
    public static void main(String[] arguments) {
        CommandLine commandLine = new CommandLine(new Main());
        commandLine.setExecutionExceptionHandler(
                (failure, command, _) -> {
                    command.getErr().println("bench: " + failure.getMessage());
                    if (!(failure instanceof BenchException)) {
                        failure.printStackTrace(command.getErr());
                    }
                    return 1;
                });
        System.exit(commandLine.execute(arguments));
    }
}
