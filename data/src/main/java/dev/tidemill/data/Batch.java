package dev.tidemill.data;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Rows as columns of equal length, with an optional selection: a filter marks the rows that live instead of copying them. Immutable;
 * the {@code with…} methods share columns.
 *
 * <p>{@link #physicalRows()} is the length of the columns; {@link #rows()} the number of rows that live. Kernels either go through
 * {@link #selection()} or call {@link #compact()} first.
 *
 * <p>Beside its columns a batch may carry the key hashes that were computed for its route, one for each physical row, so that they are
 * computed once, and the split of its source task that all its rows come from.
 */
public final class Batch {
    /** {@link #split()} of a batch that does not come from one split. */
    public static final int NO_SPLIT = -1;

    private final Schema schema;
    private final Column[] columns;
    private final int physicalRows;
    private final Selection selection;
    private final long[] hashes;
    private final int split;

    private Batch(
            Schema schema,
            Column[] columns,
            int physicalRows,
            Selection selection,
            long[] hashes,
            int split) {
        this.schema = schema;
        this.columns = columns;
        this.physicalRows = physicalRows;
        this.selection = selection;
        this.hashes = hashes;
        this.split = split;
        assert columns.length == schema.size() : columns.length + " columns for " + schema;
    }

    /** A batch of {@code rows} rows, all alive; the array must not be written to afterwards. */
    public static Batch of(Schema schema, Column[] columns, int rows) {
        return new Batch(schema, columns, rows, null, null, NO_SPLIT);
    }

    public static Batch of(Schema schema, Column... columns) {
        return of(schema, columns, columns.length == 0 ? 0 : columns[0].length());
    }

    public static Batch empty(Schema schema) {
        Column[] columns = new Column[schema.size()];
        for (int i = 0; i < columns.length; i++) {
            columns[i] = Columns.allNull(schema.type(i), 0);
        }
        return of(schema, columns, 0);
    }

    public Schema schema() {
        return schema;
    }

    public Column column(int index) {
        return columns[index];
    }

    /** The column of that name, or null when the batch has none. */
    public Column column(String name) {
        int index = schema.indexOf(name);
        return index < 0 ? null : columns[index];
    }

    public int columnCount() {
        return columns.length;
    }

    /** The number of rows that live. */
    public int rows() {
        return selection == null ? physicalRows : selection.count();
    }

    /** The length of the columns. */
    public int physicalRows() {
        return physicalRows;
    }

    /** The rows that live, or null when all do. */
    public Selection selection() {
        return selection;
    }

    /** The physical position of the {@code i}th row that lives. */
    public int physicalRow(int i) {
        return selection == null ? i : selection.rows()[i];
    }

    /** The key hashes of the route this batch travels on, one a physical row, or null. */
    public long[] hashes() {
        return hashes;
    }

    /** The ordinal of the split, within its source task, that all rows come from; {@link #NO_SPLIT} when unknown. */
    public int split() {
        return split;
    }

    /** The same columns with only these physical rows alive; they must be a subset of those alive now. */
    public Batch select(Selection rows) {
        return new Batch(schema, columns, physicalRows, rows, hashes, split);
    }

    /** Other columns for the same rows; {@code newColumns} have this batch's physical length. */
    public Batch withColumns(Schema newSchema, Column[] newColumns) {
        return new Batch(newSchema, newColumns, physicalRows, selection, hashes, split);
    }

    public Batch withHashes(long[] newHashes) {
        return new Batch(schema, columns, physicalRows, selection, newHashes, split);
    }

    public Batch withSplit(int newSplit) {
        return new Batch(schema, columns, physicalRows, selection, hashes, newSplit);
    }

    /** This batch with one more column, or with the column of that name replaced in place. */
    public Batch withColumn(String name, Column column) {
        int index = schema.indexOf(name);
        if (index < 0) {
            Column[] more = java.util.Arrays.copyOf(columns, columns.length + 1);
            more[columns.length] = column;
            return withColumns(schema.append(new Field(name, column.type())), more);
        }
        Column[] changed = columns.clone();
        changed[index] = column;
        if (schema.type(index).equals(column.type())) {
            return withColumns(schema, changed);
        }
        List<Field> fields = new ArrayList<>(schema.fields());
        fields.set(index, new Field(name, column.type()));
        return withColumns(new Schema(fields), changed);
    }

    /** The rows that live, copied together when a selection hides others. */
    public Batch compact() {
        return selection == null ? this : gather(selection.rows(), selection.count());
    }

    /** The given physical rows, in their order, as a batch of their own. */
    public Batch gather(int[] rows, int count) {
        Column[] picked = new Column[columns.length];
        for (int i = 0; i < picked.length; i++) {
            picked[i] = columns[i].gather(rows, count);
        }
        long[] pickedHashes = null;
        if (hashes != null) {
            pickedHashes = new long[count];
            for (int i = 0; i < count; i++) {
                pickedHashes[i] = hashes[rows[i]];
            }
        }
        return new Batch(schema, picked, count, null, pickedHashes, split);
    }

    /** Rough heap bytes, for bounds on queues. */
    public long sizeInBytes() {
        long total = 64 + (hashes == null ? 0 : 8L * physicalRows);
        for (Column column : columns) {
            total += column.sizeInBytes();
        }
        return total;
    }

    /** The {@code i}th living row as a map in column order; see {@link Column#value}. For the edges and tests. */
    public Map<String, Object> row(int i) {
        Map<String, Object> out = LinkedHashMap.newLinkedHashMap(columns.length);
        for (int c = 0; c < columns.length; c++) {
            out.put(schema.field(c).name(), columns[c].value(physicalRow(i)));
        }
        return out;
    }

    @Override
    public String toString() {
        return "Batch[" + rows() + " of " + physicalRows + " rows, " + schema + "]";
    }
}
