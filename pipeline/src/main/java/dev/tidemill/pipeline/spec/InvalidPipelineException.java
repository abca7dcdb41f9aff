package dev.tidemill.pipeline.spec;

import java.util.List;
import java.util.stream.Collectors;

/** A pipeline that cannot run: all that is wrong with it, in the order of the file. Nothing was opened. */
public final class InvalidPipelineException extends Exception {
    private static final long serialVersionUID = 1;
    private final transient List<Problem> problems;

    public InvalidPipelineException(List<Problem> problems) {
        super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    /** Not empty. */
    public List<Problem> problems() {
        return problems;
    }
}
