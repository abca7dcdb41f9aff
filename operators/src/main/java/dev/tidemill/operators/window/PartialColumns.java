package dev.tidemill.operators.window;

import dev.tidemill.data.Schema;
import dev.tidemill.operators.AggregateSpec;
import java.util.List;

/**
 * The columns of partial aggregates on their way over a shuffle: the start of the slice, the number of rows inside, the group columns by their names, and
 * the state of each aggregate in columns of its own.
 */
final class PartialColumns {
    static final String SLICE = Schema.ENGINE_PREFIX + "slice";
    static final String ROWS = Schema.ENGINE_PREFIX + "rows";

    private PartialColumns() {}

    /** @param part the number of the column within the aggregate's state */
    static String state(int aggregate, int part) {
        return Schema.ENGINE_PREFIX + "state_" + aggregate + "_" + part;
    }

    /** How many columns the state of an aggregate takes. */
    static int width(AggregateSpec aggregate) {
        return switch (aggregate.kind()) {
            case SUM -> 2;
            case AVG, VAR_POP, VAR_SAMP, STDDEV_POP, STDDEV_SAMP -> 3;
            default -> 1;
        };
    }

    static int width(List<AggregateSpec> aggregates) {
        return aggregates.stream().mapToInt(PartialColumns::width).sum();
    }
}
