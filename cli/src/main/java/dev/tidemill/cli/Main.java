package dev.tidemill.cli;

import dev.tidemill.describe.Nearest;
import dev.tidemill.pipeline.spec.InvalidPipelineException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The {@code tidemill} command. Rows go to standard output, all that people read while it runs to standard error. */
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
            ProbeCommand.class,
            VersionCommand.class,
            CompletionCommand.class,
            HelpCommand.class
        },
        versionProvider = VersionCommand.class,
        mixinStandardHelpOptions = true,
        subcommandsRepeatable = false)
public final class Main implements Runnable {
    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    private Main() {}

    /** Runs one command and ends the process with its status. */
    public static void main(String[] arguments) {
        int status = commandLine().execute(arguments);
        System.out.flush();
        System.exit(status);
    }

    static CommandLine commandLine() {
        return new CommandLine(new Main())
                .setParameterExceptionHandler(Main::onWrongUsage)
                .setExecutionExceptionHandler(Main::onException)
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
        if (!(e instanceof UnmatchedArgumentException unmatched) || unmatched.getUnmatched().isEmpty()) {
            return e.getMessage();
        }
        String word = unmatched.getUnmatched().getFirst();
        CommandLine command = e.getCommandLine();
        if (word.startsWith("-")) {
            return "unknown option " + word + meant(word, command.getCommandSpec().optionsMap().keySet());
        }
        if (command.getSubcommands().isEmpty()) {
            return "unexpected argument " + word + ": " + command.getCommandSpec().qualifiedName() + " takes no more";
        }
        return "unknown command " + word + meant(word, command.getSubcommands().keySet());
    }

    private static String meant(String word, java.util.Collection<String> known) {
        Optional<String> nearest = Nearest.to(word, known);
        return nearest.map(name -> "; did you mean " + name + "?").orElse("");
    }

    private static int onException(Exception e, CommandLine command, CommandLine.ParseResult parsed) {
        PrintWriter err = command.getErr();
        return switch (e) {
            case InvalidPipelineException invalid -> {
                invalid.problems().forEach(err::println);
                yield ExitCode.WRONG_INPUT;
            }
            case RefusedException refused -> {
                err.println("tidemill: " + refused.getMessage());
                yield refused.exitCode();
            }
            default -> {
                err.println("tidemill: an error in Tidemill itself, please report it:");
                e.printStackTrace(err);
                yield ExitCode.FAILED;
            }
        };
    }

    /** Every command's name, for tests of the help. */
    static List<String> commandNames() {
        return new ArrayList<>(commandLine().getSubcommands().keySet());
    }
}
