package dev.tidemill.operators.window;

import dev.tidemill.data.Batch;
import dev.tidemill.data.Casts;
import dev.tidemill.data.Column;
import dev.tidemill.data.Columns;
import dev.tidemill.data.DataType;
import dev.tidemill.data.Field;
import dev.tidemill.data.Hashing;
import dev.tidemill.data.LongColumn;
import dev.tidemill.data.NullColumn;
import dev.tidemill.data.Schema;
import dev.tidemill.operators.AggregateKind;
import dev.tidemill.operators.AggregateSpec;
import dev.tidemill.operators.WindowedAggregateSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Finds the columns of a step in its batches and brings them to the types its state has, which widen with the stream. Not thread-safe. */
final class SliceInputs {
    /** Is told that state has to become of a wider type. */
    interface Widening {
        void key(int key, DataType type);

        void input(int aggregate, DataType from, DataType to);
    }

    private final WindowedAggregateSpec spec;
    private final List<AggregateSpec> aggregates;
    private final Widening widening;
    private final DataType[] keyTypes;
    private final DataType[] inputTypes;
    private Schema bound;

    /** Whether batches of the bound schema bring partial aggregates ({@link PartialColumns}). */
    private boolean partials;

    private int timeIndex;
    private int[] keyIndices;
    private int[] valueIndices;

    /** Whether hashes of the batch's own keys are not those of the keys in their wider type. */
    private boolean hashesDiffer;

    SliceInputs(WindowedAggregateSpec spec, Widening widening) {
        this.spec = spec;
        this.aggregates = spec.aggregates();
        this.widening = widening;
        this.keyTypes = new DataType[spec.groupBy().size()];
        this.inputTypes = new DataType[aggregates.size()];
        Arrays.fill(keyTypes, DataType.NULL);
        Arrays.fill(inputTypes, DataType.NULL);
    }

    List<DataType> keyTypes() {
        return List.of(keyTypes);
    }

    /** The type of each aggregate's input as the state takes it; null type while it has only been null. Not to be written to. */
    DataType[] inputTypes() {
        return inputTypes;
    }

    SliceInput of(Batch batch) {
        if (batch.schema() != bound) {
            bind(batch.schema());
        }
        int rows = batch.physicalRows();
        Column[] keys = new Column[keyIndices.length];
        for (int k = 0; k < keys.length; k++) {
            keys[k] =
                    keyIndices[k] < 0
                            ? Columns.allNull(keyTypes[k], rows)
                            : Casts.cast(Columns.plain(batch.column(keyIndices[k])), keyTypes[k]);
        }
        long[] times = ((LongColumn) Columns.plain(batch.column(timeIndex))).values();
        return new SliceInput(
                rows,
                times,
                keys,
                hashes(batch, keys),
                partials,
                partials ? partialStates(batch) : values(batch));
    }

    private long[] hashes(Batch batch, Column[] keys) {
        if (!hashesDiffer) {
            return batch.hashes() != null ? batch.hashes() : Hashing.hash(batch, keyIndices);
        }
        List<Field> fields = new ArrayList<>();
        for (int k = 0; k < keys.length; k++) {
            fields.add(new Field("key" + k, keys[k].type()));
        }
        return Hashing.hash(
                Batch.of(new Schema(fields), keys, batch.physicalRows()),
                Accumulator.all(keys.length));
    }

    private Column[] values(Batch batch) {
        Column[] values = new Column[aggregates.size()];
        for (int i = 0; i < values.length; i++) {
            AggregateKind kind = aggregates.get(i).kind();
            if (aggregates.get(i).column() == null) {
                continue;
            }
            if (valueIndices[i] < 0) {
                values[i] = new NullColumn(batch.physicalRows());
                continue;
            }
            Column taken = Accumulators.taken(kind, batch.column(valueIndices[i]));
            boolean isNull = taken instanceof NullColumn;
            values[i] =
                    Accumulators.isTyped(kind) && !isNull
                            ? Casts.cast(taken, inputTypes[i])
                            : taken;
        }
        return values;
    }

    private Column[] partialStates(Batch batch) {
        Column[] columns = new Column[valueIndices.length];
        int at = 0;
        for (int i = 0; i < aggregates.size(); i++) {
            int width = PartialColumns.width(aggregates.get(i));
            if (width == 0) {
                continue;
            }
            Column[] own = new Column[width];
            for (int part = 0; part < width; part++) {
                own[part] = Columns.plain(batch.column(valueIndices[at + part]));
            }
            System.arraycopy(fitting(i, own, batch.physicalRows()), 0, columns, at, width);
            at += width;
        }
        return columns;
    }

    /** A state over a narrower type than ours, as one over ours. */
    private Column[] fitting(int aggregate, Column[] own, int rows) {
        AggregateKind kind = aggregates.get(aggregate).kind();
        DataType from = own[0].type();
        DataType to = inputTypes[aggregate];
        if (!Accumulators.isTyped(kind) || from.equals(to) && !(from instanceof DataType.Null)) {
            return own;
        }
        int[] all = Accumulator.all(rows);
        Accumulator state = Accumulators.of(kind, from instanceof DataType.Null ? to : from, rows);
        state.reserve(rows);
        if (!(from instanceof DataType.Null)) {
            state.addPartial(own, 0, null, rows, all);
            state = state.widen(to, rows);
        }
        Column[] out = new Column[own.length];
        for (int part = 0; part < out.length; part++) {
            out[part] = state.partial(part, all, rows);
        }
        return out;
    }

    /** Finds the columns, and widens keys and states where the batch's types are wider. */
    private void bind(Schema schema) {
        partials = PartialColumns.areIn(schema);
        timeIndex = schema.indexOf(partials ? PartialColumns.SLICE : spec.timeColumn());
        if (timeIndex < 0) {
            throw new IllegalArgumentException(
                    "step "
                            + spec.stepId()
                            + " needs the time column "
                            + spec.timeColumn()
                            + ", found "
                            + schema);
        }
        bound = schema;
        keyIndices = spec.groupBy().stream().mapToInt(schema::indexOf).toArray();
        hashesDiffer = false;
        for (int k = 0; k < keyIndices.length; k++) {
            DataType type = keyIndices[k] < 0 ? DataType.NULL : schema.type(keyIndices[k]);
            widenKey(k, type);
            hashesDiffer |= !hashesEqually(type, keyTypes[k]);
        }
        valueIndices = partials ? bindPartials(schema) : bindValues(schema);
    }

    private static boolean hashesEqually(DataType own, DataType wide) {
        return own.equals(wide)
                || own instanceof DataType.Null
                || own instanceof DataType.Int64 && wide instanceof DataType.Decimal
                || own.isLongBacked() && wide.isLongBacked();
    }

    private int[] bindValues(Schema schema) {
        int[] indices = new int[aggregates.size()];
        for (int i = 0; i < indices.length; i++) {
            AggregateSpec aggregate = aggregates.get(i);
            indices[i] = aggregate.column() == null ? -1 : schema.indexOf(aggregate.column());
            if (indices[i] >= 0) {
                widenInput(i, Accumulators.usable(aggregate.kind(), schema.type(indices[i])));
            }
        }
        return indices;
    }

    private int[] bindPartials(Schema schema) {
        int[] indices = new int[PartialColumns.width(aggregates)];
        int at = 0;
        for (int i = 0; i < aggregates.size(); i++) {
            if (PartialColumns.width(aggregates.get(i)) == 0) {
                continue;
            }
            DataType first = schema.type(schema.indexOf(PartialColumns.state(i, 0)));
            for (int part = 0; part < PartialColumns.width(aggregates.get(i)); part++) {
                indices[at++] = schema.indexOf(PartialColumns.state(i, part));
            }
            widenInput(i, first);
        }
        return indices;
    }

    private void widenKey(int key, DataType type) {
        DataType wide = DataType.widen(keyTypes[key], type);
        if (!wide.equals(keyTypes[key])) {
            keyTypes[key] = wide;
            widening.key(key, wide);
        }
    }

    /** Makes the state of an aggregate fit values of a type. */
    void widenInput(int aggregate, DataType type) {
        DataType from = inputTypes[aggregate];
        DataType wide = widened(from, type);
        if (Accumulators.isTyped(aggregates.get(aggregate).kind()) && !wide.equals(from)) {
            inputTypes[aggregate] = wide;
            widening.input(aggregate, from, wide);
        }
    }

    /** Sums of decimals have all digits there are: one scale is one type. */
    private static DataType widened(DataType a, DataType b) {
        if (a instanceof DataType.Decimal x
                && b instanceof DataType.Decimal y
                && x.scale() == y.scale()) {
            return x.precision() >= y.precision() ? x : y;
        }
        return DataType.widen(a, b);
    }
}
