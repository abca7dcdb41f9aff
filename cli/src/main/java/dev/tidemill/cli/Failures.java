package dev.tidemill.cli;

import dev.tidemill.pipeline.spec.InvalidPipelineException;
import java.io.PrintWriter;

/** Tells people why a command was not carried out. Stateless. */
final class Failures {
    private Failures() {}

    /** Says what is wrong and returns the status to end with. */
    static int report(Exception e, PrintWriter err) {
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
}
