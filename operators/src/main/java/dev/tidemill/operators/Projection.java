package dev.tidemill.operators;

import dev.tidemill.data.Batch;
import dev.tidemill.data.Column;
import dev.tidemill.data.Columns;
import dev.tidemill.data.DataType;
import dev.tidemill.data.Field;
import dev.tidemill.data.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which columns go on, in which order and by which names: the steps {@code select}, {@code drop} and {@code rename}. Engine columns ride along
 * behind. No row is touched.
 */
public final class Projection implements Transform {
    /** Tells the columns that go on, in order. */
    private interface Rule {
        List<Kept> of(Schema input);
    }

    /** @param from position in the input, or -1 for a column of nulls */
    private record Kept(int from, Field field) {}

    private final Rule rule;
    private Schema boundInput;
    private Schema output;
    private int[] from;

    private Projection(Rule rule) {
        this.rule = rule;
    }

    /** These columns in this order; an absent one is all null. */
    public static Projection select(List<String> columns) {
        return new Projection(
                input -> {
                    List<Kept> kept = new ArrayList<>();
                    for (String name : columns) {
                        int index = input.indexOf(name);
                        kept.add(
                                new Kept(
                                        index,
                                        index < 0
                                                ? new Field(name, DataType.NULL)
                                                : input.field(index)));
                    }
                    for (int i = 0; i < input.size(); i++) {
                        if (Schema.isEngineColumn(input.field(i).name())
                                && !columns.contains(input.field(i).name())) {
                            kept.add(new Kept(i, input.field(i)));
                        }
                    }
                    return kept;
                });
    }

    /** All columns but these. */
    public static Projection drop(Set<String> columns) {
        return new Projection(
                input -> {
                    List<Kept> kept = new ArrayList<>();
                    for (int i = 0; i < input.size(); i++) {
                        String name = input.field(i).name();
                        if (Schema.isEngineColumn(name) || !columns.contains(name)) {
                            kept.add(new Kept(i, input.field(i)));
                        }
                    }
                    return kept;
                });
    }

    /** Columns under other names, all at once; two columns of one name are an {@link IllegalArgumentException} when a batch has both. */
    public static Projection rename(Map<String, String> newNameByOld) {
        return new Projection(
                input -> {
                    List<Kept> kept = new ArrayList<>();
                    for (int i = 0; i < input.size(); i++) {
                        String old = input.field(i).name();
                        kept.add(
                                new Kept(
                                        i,
                                        new Field(
                                                newNameByOld.getOrDefault(old, old),
                                                input.field(i).type())));
                    }
                    return kept;
                });
    }

    @Override
    public Schema outputSchema(Schema input) {
        return new Schema(rule.of(input).stream().map(Kept::field).toList());
    }

    @Override
    public Batch apply(Batch batch, SideOutput side) {
        if (batch.schema() != boundInput) {
            bind(batch.schema());
        }
        Column[] columns = new Column[from.length];
        for (int i = 0; i < columns.length; i++) {
            columns[i] =
                    from[i] < 0
                            ? Columns.allNull(DataType.NULL, batch.physicalRows())
                            : batch.column(from[i]);
        }
        return batch.withColumns(output, columns);
    }

    private void bind(Schema input) {
        List<Kept> kept = rule.of(input);
        boundInput = input;
        output = new Schema(kept.stream().map(Kept::field).toList());
        from = kept.stream().mapToInt(Kept::from).toArray();
    }
}
