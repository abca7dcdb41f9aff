package dev.tidemill.operators.window;

import dev.tidemill.data.Batch;
import dev.tidemill.data.Column;
import dev.tidemill.data.DataType;
import dev.tidemill.data.Field;
import dev.tidemill.data.NullColumn;
import dev.tidemill.data.Schema;
import dev.tidemill.operators.AggregateSpec;
import dev.tidemill.operators.WindowedAggregateSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * The columns of partial aggregates on their way over a shuffle: the start of the slice, the number of rows inside, the group columns by their names, and
 * the state of each aggregate in columns of its own.
 */
final class PartialColumns {
    static final String SLICE = Schema.ENGINE_PREFIX + "slice";
    static final String ROWS = Schema.ENGINE_PREFIX + "rows";

    private final WindowedAggregateSpec spec;
    private Schema schema;

    PartialColumns(WindowedAggregateSpec spec) {
        this.spec = spec;
    }

    /** Whether batches of the schema bring partial aggregates, and not rows. */
    static boolean areIn(Schema schema) {
        return schema.indexOf(SLICE) >= 0;
    }

    /** @param part the number of the column within the aggregate's state */
    static String state(int aggregate, int part) {
        return Schema.ENGINE_PREFIX + "state_" + aggregate + "_" + part;
    }

    /** How many columns the state of an aggregate takes. */
    static int width(AggregateSpec aggregate) {
        return switch (aggregate.kind()) {
            case SUM -> 2;
            case AVG, VAR_POP, VAR_SAMP, STDDEV_POP, STDDEV_SAMP -> 3;
            case COUNT_DISTINCT -> 0;
            default -> 1;
        };
    }

    static int width(List<AggregateSpec> aggregates) {
        return aggregates.stream().mapToInt(PartialColumns::width).sum();
    }

    /** A batch of partial aggregates; the types of states are those of {@code inputTypes}. */
    Batch batch(
            Column slices,
            Column rows,
            Column[] keys,
            Accumulator[] states,
            DataType[] inputTypes,
            int[] groups,
            int count,
            long[] hashes) {
        List<Column> columns = new ArrayList<>();
        columns.add(slices);
        columns.add(rows);
        columns.addAll(List.of(keys));
        for (int i = 0; i < states.length; i++) {
            boolean isUntyped =
                    inputTypes[i] instanceof DataType.Null
                            && Accumulators.isTyped(spec.aggregates().get(i).kind());
            for (int part = 0; part < states[i].partialColumns(); part++) {
                // What has only been null has no type yet, and must not seem to have one to the
                // receiver.
                columns.add(
                        isUntyped ? new NullColumn(count) : states[i].partial(part, groups, count));
            }
        }
        return Batch.of(schema(columns), columns.toArray(Column[]::new), count).withHashes(hashes);
    }

    private Schema schema(List<Column> columns) {
        boolean fits = schema != null;
        for (int i = 0; fits && i < columns.size(); i++) {
            fits = schema.type(i).equals(columns.get(i).type());
        }
        if (!fits) {
            schema = newSchema(columns);
        }
        return schema;
    }

    private Schema newSchema(List<Column> columns) {
        List<String> names = new ArrayList<>(List.of(SLICE, ROWS));
        names.addAll(spec.groupBy());
        for (int i = 0; i < spec.aggregates().size(); i++) {
            for (int part = 0; part < width(spec.aggregates().get(i)); part++) {
                names.add(state(i, part));
            }
        }
        List<Field> fields = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            fields.add(new Field(names.get(i), columns.get(i).type()));
        }
        return new Schema(fields);
    }
}
