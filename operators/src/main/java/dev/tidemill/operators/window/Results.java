package dev.tidemill.operators.window;

import dev.tidemill.data.Batch;
import dev.tidemill.data.Column;
import dev.tidemill.data.Columns;
import dev.tidemill.data.DataType;
import dev.tidemill.data.Field;
import dev.tidemill.data.LongColumn;
import dev.tidemill.data.Schema;
import dev.tidemill.data.Selection;
import dev.tidemill.operators.AggregateSpec;
import dev.tidemill.operators.SideOutput;
import dev.tidemill.operators.WindowedAggregateSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Makes result batches of the groups of one or more windows. Not thread-safe. */
final class Results {
    private final WindowedAggregateSpec spec;
    private final RowKeys rowKeys = new RowKeys();
    private final List<Batch> parts = new ArrayList<>();
    private int rows;
    private Schema schema;

    Results(WindowedAggregateSpec spec) {
        this.spec = spec;
    }

    /** The columns of the results for input rows of a schema. */
    static Schema schema(WindowedAggregateSpec spec, Schema input) {
        List<DataType> types = new ArrayList<>(List.of(DataType.INT64, DataType.INT64));
        for (String name : spec.groupBy()) {
            types.add(typeOf(input, name));
        }
        for (AggregateSpec aggregate : spec.aggregates()) {
            DataType type =
                    aggregate.column() == null ? DataType.NULL : typeOf(input, aggregate.column());
            types.add(
                    Accumulators.of(
                                    aggregate.kind(),
                                    Accumulators.usable(aggregate.kind(), type),
                                    0)
                            .resultType());
        }
        if (spec.rowKeys()) {
            types.add(DataType.UTF8);
        }
        return schema(spec, types);
    }

    static DataType typeOf(Schema schema, String column) {
        int index = schema.indexOf(column);
        return index < 0 ? DataType.NULL : schema.type(index);
    }

    private static Schema schema(WindowedAggregateSpec spec, List<DataType> types) {
        List<String> names =
                new ArrayList<>(
                        List.of(
                                WindowedAggregateSpec.WINDOW_START,
                                WindowedAggregateSpec.WINDOW_END));
        names.addAll(spec.groupBy());
        spec.aggregates().forEach(aggregate -> names.add(aggregate.alias()));
        if (spec.rowKeys()) {
            names.add(Schema.KEY);
        }
        List<Field> fields = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            fields.add(new Field(names.get(i), types.get(i)));
        }
        return new Schema(fields);
    }

    /** How many rows have been gathered. */
    int rows() {
        return rows;
    }

    /**
     * Adds {@code count} groups of a window. Those whose result cannot be represented go to the side output.
     *
     * @return whether there were such
     */
    boolean add(long start, long end, Run run, int from, int count, SideOutput side) {
        Batch part = part(start, end, run, from, count);
        String[] reasons = failures(run, from, count);
        if (reasons != null) {
            part = apart(part, reasons, side);
        }
        parts.add(part);
        rows += part.rows();
        return reasons != null;
    }

    private Batch part(long start, long end, Run run, int from, int count) {
        List<Column> columns = new ArrayList<>();
        columns.add(filled(start, count));
        columns.add(filled(end, count));
        int[] positions = null;
        for (Column key : run.keys()) {
            boolean isWhole = from == 0 && count == key.length();
            positions = isWhole || positions != null ? positions : range(from, count);
            columns.add(isWhole ? key : key.gather(positions, count));
        }
        int[] groups = Arrays.copyOfRange(run.groups(), from, from + count);
        for (Accumulator accumulator : run.accumulators()) {
            columns.add(accumulator.result(groups, count));
        }
        if (spec.rowKeys()) {
            columns.add(rowKeys.of(start, end, run.keys(), from, from + count));
        }
        return Batch.of(schemaOf(columns), columns.toArray(Column[]::new), count);
    }

    private Schema schemaOf(List<Column> columns) {
        boolean fits = schema != null;
        for (int i = 0; fits && i < columns.size(); i++) {
            fits = schema.type(i).equals(columns.get(i).type());
        }
        if (!fits) {
            schema = schema(spec, columns.stream().map(Column::type).toList());
        }
        return schema;
    }

    /** For each group why it failed, or null; null when none has. */
    private String[] failures(Run run, int from, int count) {
        String[] reasons = null;
        for (int a = 0; a < run.accumulators().length; a++) {
            Accumulator accumulator = run.accumulators()[a];
            for (int i = 0; accumulator.mayFail() && i < count; i++) {
                String reason = accumulator.failure(run.groups()[from + i]);
                if (reason != null) {
                    reasons = reasons == null ? new String[count] : reasons;
                    reasons[i] =
                            reasons[i] == null
                                    ? spec.aggregates().get(a).alias() + ": " + reason
                                    : reasons[i];
                }
            }
        }
        return reasons;
    }

    /** Gives the failed rows to the side output; the others. */
    private static Batch apart(Batch part, String[] reasons, SideOutput side) {
        int[] good = new int[reasons.length];
        int[] bad = new int[reasons.length];
        String[] badReasons = new String[reasons.length];
        int goodCount = 0;
        int badCount = 0;
        for (int row = 0; row < reasons.length; row++) {
            if (reasons[row] == null) {
                good[goodCount++] = row;
            } else {
                badReasons[badCount] = reasons[row];
                bad[badCount++] = row;
            }
        }
        side.errors(part.select(new Selection(bad, badCount)), Arrays.copyOf(badReasons, badCount));
        return part.gather(good, goodCount);
    }

    /** All that has been gathered, as one batch. */
    Batch take() {
        Batch all = parts.size() == 1 ? parts.getFirst() : concatenated();
        parts.clear();
        rows = 0;
        return all;
    }

    private Batch concatenated() {
        Column[] columns = new Column[schema.size()];
        for (int c = 0; c < columns.length; c++) {
            List<Column> pieces = new ArrayList<>(parts.size());
            for (Batch part : parts) {
                pieces.add(part.column(c));
            }
            columns[c] = Columns.concat(schema.type(c), pieces);
        }
        return Batch.of(schema, columns, rows);
    }

    private static int[] range(int from, int count) {
        int[] positions = new int[count];
        for (int i = 0; i < count; i++) {
            positions[i] = from + i;
        }
        return positions;
    }

    private static Column filled(long value, int count) {
        long[] values = new long[count];
        Arrays.fill(values, value);
        return new LongColumn(DataType.INT64, values, null, count);
    }
}
