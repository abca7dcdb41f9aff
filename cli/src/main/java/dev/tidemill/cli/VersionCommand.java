package dev.tidemill.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(name = "version", description = "Prints the version.")
final class VersionCommand implements Runnable, IVersionProvider {
    @Mixin private HelpOption help;

    @Spec private CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().getOut().println(line());
    }

    @Override
    public String[] getVersion() {
        return new String[] {line()};
    }

    private static String line() {
        String version = VersionCommand.class.getPackage().getImplementationVersion();
        return "tidemill "
                + (version == null ? "development" : version)
                + " on Java "
                + Runtime.version();
    }
}
