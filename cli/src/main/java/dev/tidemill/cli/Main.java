package dev.tidemill.cli;

import java.io.PrintWriter;
import java.util.Optional;

/** The {@code tidemill} command. Rows go to standard output, all that people read while it runs to standard error. */
public final class Main {
    private Main() {}

    /** Carries out one command and ends the process with its status. */
    public static void main(String[] arguments) {
        int status = execute(arguments);
        System.out.flush();
        System.exit(status);
    }

    /** Carries out one command and gives its status. */
    static int execute(String[] arguments) {
        Optional<RunOptions> plain = PlainArguments.ofRun(arguments);
        if (plain.isEmpty()) {
            return TidemillCommand.commandLine().execute(arguments);
        }
        PrintWriter err = new PrintWriter(System.err, true);
        try {
            return new Run(plain.get(), err).call();
        } catch (Exception e) {
            return Failures.report(e, err);
        }
    }
}
