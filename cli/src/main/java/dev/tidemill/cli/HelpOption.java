package dev.tidemill.cli;

import picocli.CommandLine.Option;

/** What every command answers. */
final class HelpOption {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Shows this help.")
    private boolean asked;
}
