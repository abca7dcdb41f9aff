package dev.tidemill.operators;

import dev.tidemill.data.Batch;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What an operator gave at one barrier: all of its state, or what changed since the image before. Filled by one thread, then read only.
 *
 * @param values by name
 * @param tables the batches of each table, in the order they were given
 */
public record StateImage(Map<String, Long> values, Map<String, List<Batch>> tables)
        implements StateOutput {
    /** An empty one, to be filled. */
    public StateImage() {
        this(new LinkedHashMap<>(), new LinkedHashMap<>());
    }

    @Override
    public void value(String name, long value) {
        values.put(name, value);
    }

    @Override
    public void rows(String table, Batch rows) {
        tables.computeIfAbsent(table, _ -> new ArrayList<>()).add(rows);
    }

    /** The batches of a table; none when there is no such table. */
    public List<Batch> rows(String table) {
        return tables.getOrDefault(table, List.of());
    }
}
