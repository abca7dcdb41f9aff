package dev.tidemill.operators;

import java.util.List;
import java.util.Objects;

/**
 * A {@code windowedAggregate} step. Output columns: {@code windowStart}, {@code windowEnd} (int64 ms), the group columns, the aggregates by alias.
 *
 * @param stepId            names the step in errors, metrics and state
 * @param timeColumn        the event time of a row; for ingest time the engine column the source stamped
 * @param groupBy           key columns; null is a group of its own
 * @param allowedLatenessMs how long the close of a window is put off, in ms of event time
 * @param correctForMs      how much longer a closed window takes late rows and emits its corrected result again
 * @param everyRows         emit open groups that changed after this many rows; 0 for never
 * @param everyMs           emit open groups that changed after this much processing time; 0 for never
 * @param rowKeys           whether results carry their row key in {@link dev.tidemill.data.Schema#KEY}
 * @param lateRows          whether late rows are wanted as rows, not only counted
 */
public record WindowedAggregateSpec(
        String stepId,
        String timeColumn,
        WindowSpec window,
        List<String> groupBy,
        List<AggregateSpec> aggregates,
        long allowedLatenessMs,
        long correctForMs,
        long everyRows,
        long everyMs,
        boolean rowKeys,
        boolean lateRows) {
    public static final String WINDOW_START = "windowStart";
    public static final String WINDOW_END = "windowEnd";

    public WindowedAggregateSpec {
        Objects.requireNonNull(stepId);
        Objects.requireNonNull(timeColumn);
        Objects.requireNonNull(window);
        groupBy = List.copyOf(groupBy);
        aggregates = List.copyOf(aggregates);
    }
}
