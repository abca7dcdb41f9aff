package dev.tidemill.operators;

import java.util.Objects;

/**
 * One aggregate of a step.
 *
 * @param column the input column; null only for a {@code count} of rows
 * @param alias  the name of the result column
 */
public record AggregateSpec(AggregateKind kind, String column, String alias) {
    public AggregateSpec {
        Objects.requireNonNull(kind);
        Objects.requireNonNull(alias);
        if (column == null && kind != AggregateKind.COUNT) {
            throw new IllegalArgumentException(kind.label() + " needs a column");
        }
    }
}
