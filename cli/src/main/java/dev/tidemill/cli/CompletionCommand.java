package dev.tidemill.cli;

import java.io.PrintWriter;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "completion",
        description = "Prints a completion script for bash and zsh.",
        footer = {"", "Example: source <(tidemill completion)"})
final class CompletionCommand implements Runnable {
    @Mixin private HelpOption help;

    @Spec private CommandSpec spec;

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        out.print(AutoComplete.bash("tidemill", TidemillCommand.commandLine()));
        out.flush();
    }
}
