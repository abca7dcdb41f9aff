package dev.tidemill.pipeline.read;

import dev.tidemill.pipeline.spec.InvalidPipelineException;
import dev.tidemill.pipeline.spec.Position;
import dev.tidemill.pipeline.spec.Problem;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Collects what is wrong and what is worth a warning, each once. For one thread. */
public final class Problems {
    private final Set<Problem> errors = new LinkedHashSet<>();
    private final Set<Problem> warnings = new LinkedHashSet<>();
    private final Set<Position> settled = new HashSet<>();

    public void error(Position at, String message) {
        if (!settled.contains(at)) {
            errors.add(new Problem(at, message));
        }
    }

    /** Further errors of the value that starts here are only a consequence of what was said, and are left out. */
    void settle(Position at) {
        settled.add(at);
    }

    public void warning(Position at, String message) {
        warnings.add(new Problem(at, message));
    }

    public int errorCount() {
        return errors.size();
    }

    /** In the order of the file; what stands outside of it comes first. */
    public List<Problem> warnings() {
        return sorted(warnings);
    }

    /** @throws InvalidPipelineException with all errors in the order of the file, when there are any */
    public void throwIfAny() throws InvalidPipelineException {
        if (!errors.isEmpty()) {
            throw new InvalidPipelineException(sorted(errors));
        }
    }

    private static int inFileOrder(Problem a, Problem b) {
        int byLine = Integer.compare(a.at().line(), b.at().line());
        return byLine != 0 ? byLine : Integer.compare(a.at().column(), b.at().column());
    }

    private static List<Problem> sorted(Set<Problem> problems) {
        List<Problem> list = new ArrayList<>(problems);
        list.sort(Problems::inFileOrder);
        return list;
    }
}
