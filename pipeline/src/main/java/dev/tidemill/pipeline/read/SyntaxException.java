package dev.tidemill.pipeline.read;

import dev.tidemill.pipeline.spec.Position;
import dev.tidemill.pipeline.spec.Problem;

/** A text that does not follow its syntax. */
final class SyntaxException extends Exception {
    private static final long serialVersionUID = 1;
    private final transient Position at;

    SyntaxException(Position at, String message) {
        super(message);
        this.at = at;
    }

    Problem problem() {
        return new Problem(at, getMessage());
    }
}
