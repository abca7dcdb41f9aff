package dev.tidemill.cli;

import dev.tidemill.describe.Nearest;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** All commands and options, as picocli reads them. */
@Command(
        name = "tidemill",
        description = "Stream pipelines that start with one command.",
        footer = {
            "",
            "Exit status: 0 finished or stopped, 1 failed while running, 2 wrong file or usage.",
            "",
            "Example: tidemill run examples/hot-auctions.toml"
        },
        subcommands = {
            RunCommand.class,
            CheckCommand.class,
            ExplainCommand.class,
            DescribeCommand.class,
            StateCommand.class,
            ProbeCommand.class,
            VersionCommand.class,
            CompletionCommand.class,
            HelpCommand.class
        },
        versionProvider = VersionCommand.class,
        mixinStandardHelpOptions = true,
        subcommandsRepeatable = false)
final class TidemillCommand implements Runnable {
    @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

    private TidemillCommand() {}

    static CommandLine commandLine() {
        return new CommandLine(new TidemillCommand())
                .setParameterExceptionHandler(TidemillCommand::onWrongUsage)
                .setExecutionExceptionHandler(
                        (e, command, _) -> Failures.report(e, command.getErr()))
                .setCaseInsensitiveEnumValuesAllowed(true);
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing");
    }

    private static int onWrongUsage(ParameterException e, String[] arguments) {
        CommandLine command = e.getCommandLine();
        PrintWriter err = command.getErr();
        err.println("tidemill: " + usageMessage(e));
        err.println("Try: " + command.getCommandSpec().qualifiedName() + " --help");
        return ExitCode.WRONG_INPUT;
    }

    private static String usageMessage(ParameterException e) {
        if (!(e instanceof UnmatchedArgumentException unmatched)
                || unmatched.getUnmatched().isEmpty()) {
            return e.getMessage();
        }
        String word = unmatched.getUnmatched().getFirst();
        CommandLine command = e.getCommandLine();
        if (word.startsWith("-")) {
            return "unknown option "
                    + word
                    + meant(word, command.getCommandSpec().optionsMap().keySet());
        }
        if (command.getSubcommands().isEmpty()) {
            return "unexpected argument "
                    + word
                    + ": "
                    + command.getCommandSpec().qualifiedName()
                    + " takes no more";
        }
        return "unknown command " + word + meant(word, command.getSubcommands().keySet());
    }

    private static String meant(String word, java.util.Collection<String> known) {
        Optional<String> nearest = Nearest.to(word, known);
        return nearest.map(name -> "; did you mean " + name + "?").orElse("");
    }

    /** Every command's name, for tests of the help. */
    static List<String> commandNames() {
        return new ArrayList<>(commandLine().getSubcommands().keySet());
    }
}
