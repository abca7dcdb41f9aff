package dev.tidemill.state;

import dev.tidemill.data.Batch;
import dev.tidemill.data.Column;
import dev.tidemill.data.Columns;
import dev.tidemill.data.DataType;
import dev.tidemill.data.Field;
import dev.tidemill.data.Hashing;
import dev.tidemill.data.NullColumn;
import dev.tidemill.data.Schema;
import dev.tidemill.data.Selection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Maps keys of one or more columns to dense group numbers from 0, a batch at a time. Keys lie in columns indexed by group; callers keep
 * accumulators in arrays with the same index. Null is a key like any other; NaN equals NaN and -0.0 equals 0.0.
 *
 * <p>Open addressing with linear probing over one {@code long} a slot: the high half of the hash as a tag, the group number plus one below it. A batch is
 * looked up by hash alone first, then the keys are compared column by column, and the few rows whose tag matched another key are resolved one at
 * a time. Not thread-safe.
 */
public final class GroupTable {
    private static final int INITIAL_SLOTS = 1 << 5;
    private static final long TAG = 0xFFFFFFFF00000000L;

    private final KeyStore[] keys;
    private long[] slots = new long[INITIAL_SLOTS];
    private long[] hashes = new long[INITIAL_SLOTS / 2];
    private int size;
    private int[] newGroupRows = new int[64];
    private final RowList mismatches = new RowList();

    /** @param keyTypes one for each key column; none for a table with at most one group */
    public GroupTable(List<DataType> keyTypes) {
        keys = keyTypes.stream().map(KeyStore::of).toArray(KeyStore[]::new);
    }

    /** The number of groups. */
    public int size() {
        return size;
    }

    /**
     * Finds the group of each living row, making it when it is new.
     *
     * @param keyColumns positions of the keys in the batch; -1 for an absent column, all null
     * @param keyHashes  {@link Hashing#hash} of the same columns
     * @param groups     receives the group of each living row at its physical position; at least {@link Batch#physicalRows()} long
     * @return the number of groups that are new; they have the highest numbers
     */
    public int probe(Batch batch, int[] keyColumns, long[] keyHashes, int[] groups) {
        Column[] columns = new Column[keyColumns.length];
        for (int i = 0; i < columns.length; i++) {
            columns[i] =
                    keyColumns[i] < 0
                            ? new NullColumn(batch.physicalRows())
                            : Columns.plain(batch.column(keyColumns[i]));
        }
        return probe(columns, keyHashes, batch.selection(), batch.physicalRows(), groups);
    }

    /** As {@link #probe(Batch, int[], long[], int[])} for columns without dictionaries; a null selection stands for all rows. */
    public int probe(
            Column[] columns,
            long[] keyHashes,
            Selection selection,
            int physicalRows,
            int[] groups) {
        int before = size;
        int rows = selection == null ? physicalRows : selection.count();
        ensureRoom(rows);
        if (selection == null) {
            probeAll(keyHashes, rows, groups);
        } else {
            probeSelected(keyHashes, selection.rows(), rows, groups);
        }
        int added = size - before;
        for (int k = 0; k < keys.length; k++) {
            keys[k].append(columns[k], newGroupRows, added, before);
        }
        verify(columns, keyHashes, selection, rows, groups);
        return size - before;
    }

    /**
     * Finds the group of each row without making any. For few rows: it goes row by row.
     *
     * @param columns without dictionaries, of the types of the keys
     * @param groups  receives the group of each row, -1 where there is none
     */
    public void find(Column[] columns, long[] keyHashes, int[] groups) {
        for (int row = 0; row < groups.length; row++) {
            groups[row] = find(columns, keyHashes[row], row);
        }
    }

    private int find(Column[] columns, long hash, int row) {
        int mask = slots.length - 1;
        for (int slot = (int) hash & mask; slots[slot] != 0; slot = slot + 1 & mask) {
            int group = (int) slots[slot] - 1;
            if (((slots[slot] ^ hash) & TAG) == 0 && sameKey(group, columns, row)) {
                return group;
            }
        }
        return -1;
    }

    /** One key column of the given groups. */
    public Column keyColumn(int key, int[] groups, int count) {
        return keys[key].gather(groups, count);
    }

    /** The hash of each group, by group; longer than {@link #size()}. */
    public long[] hashes() {
        return hashes;
    }

    public DataType keyType(int key) {
        return keys[key].type();
    }

    /**
     * Converts a key column to a wider type ({@link DataType#widen}). Group numbers stay. Values that are no numbers get other hashes by it, and two
     * int64 keys that are one float64 stay two groups, of which the first gets the rows.
     */
    public void widenKey(int key, DataType type) {
        if (keys[key].type().equals(type)) {
            return;
        }
        keys[key] = keys[key].widen(type, size);
        hashAgain();
    }

    private void hashAgain() {
        int[] all = Selection.all(size).rows();
        Column[] columns = new Column[keys.length];
        List<Field> fields = new ArrayList<>();
        for (int k = 0; k < keys.length; k++) {
            columns[k] = keyColumn(k, all, size);
            fields.add(new Field("key" + k, columns[k].type()));
        }
        Batch groups = Batch.of(new Schema(fields), columns, size);
        System.arraycopy(
                Hashing.hash(groups, Selection.all(keys.length).rows()), 0, hashes, 0, size);
        rehash(slots.length);
    }

    /** Forgets all groups; keeps arrays for the next use. */
    public void clear() {
        if (size > 0) {
            Arrays.fill(slots, 0);
        }
        size = 0;
        for (KeyStore key : keys) {
            key.clear();
        }
    }

    /** Rough heap bytes. */
    public long sizeInBytes() {
        long total = 8L * slots.length + 8L * hashes.length;
        for (KeyStore key : keys) {
            total += key.sizeInBytes();
        }
        return total;
    }

    private void probeAll(long[] keyHashes, int rows, int[] groups) {
        long[] table = slots;
        int mask = table.length - 1;
        for (int row = 0; row < rows; row++) {
            long hash = keyHashes[row];
            int slot = (int) hash & mask;
            long entry = table[slot];
            while (entry != 0 && ((entry ^ hash) & TAG) != 0) {
                slot = slot + 1 & mask;
                entry = table[slot];
            }
            groups[row] = entry != 0 ? (int) entry - 1 : insert(hash, slot, row);
        }
    }

    private void probeSelected(long[] keyHashes, int[] rowNumbers, int rows, int[] groups) {
        long[] table = slots;
        int mask = table.length - 1;
        for (int i = 0; i < rows; i++) {
            int row = rowNumbers[i];
            long hash = keyHashes[row];
            int slot = (int) hash & mask;
            long entry = table[slot];
            while (entry != 0 && ((entry ^ hash) & TAG) != 0) {
                slot = slot + 1 & mask;
                entry = table[slot];
            }
            groups[row] = entry != 0 ? (int) entry - 1 : insert(hash, slot, row);
        }
    }

    /** A new group at a free slot; its keys are appended by the caller. The batch's new groups are remembered by row. */
    private int insert(long hash, int slot, int row) {
        int group = size++;
        slots[slot] = hash & TAG | group + 1;
        hashes[group] = hash;
        int index = newGroups++;
        if (index == newGroupRows.length) {
            newGroupRows = Arrays.copyOf(newGroupRows, 2 * index);
        }
        newGroupRows[index] = row;
        return group;
    }

    private int newGroups;

    private void verify(
            Column[] columns, long[] keyHashes, Selection selection, int rows, int[] groups) {
        newGroups = 0;
        mismatches.clear();
        for (int k = 0; k < keys.length; k++) {
            keys[k].compare(columns[k], selection, rows, groups, mismatches);
        }
        if (mismatches.count() == 0) {
            return;
        }
        mismatches.sortDistinct();
        for (int i = 0; i < mismatches.count(); i++) {
            int row = mismatches.get(i);
            groups[row] = findOrInsert(columns, keyHashes[row], row);
        }
        newGroups = 0;
    }

    private int findOrInsert(Column[] columns, long hash, int row) {
        int mask = slots.length - 1;
        int slot = (int) hash & mask;
        for (; slots[slot] != 0; slot = slot + 1 & mask) {
            int group = (int) slots[slot] - 1;
            if (((slots[slot] ^ hash) & TAG) == 0 && sameKey(group, columns, row)) {
                return group;
            }
        }
        int group = insert(hash, slot, row);
        for (int k = 0; k < keys.length; k++) {
            keys[k].append(columns[k], new int[] {row}, 1, group);
        }
        return group;
    }

    private boolean sameKey(int group, Column[] columns, int row) {
        for (int k = 0; k < keys.length; k++) {
            if (!keys[k].same(group, columns[k], row)) {
                return false;
            }
        }
        return true;
    }

    /** Makes room for {@code more} new groups at a load of at most one half. */
    private void ensureRoom(int more) {
        long wanted = (long) size + more;
        if (wanted > 1 << 29) {
            throw new IllegalStateException("more than " + (1 << 29) + " groups in one table");
        }
        if (wanted > hashes.length) {
            hashes =
                    Arrays.copyOf(
                            hashes, (int) Math.max(wanted, Math.min(1L << 29, 2L * hashes.length)));
        }
        // A batch mostly repeats keys, so slots grow with the groups that are there, with room for
        // the whole batch.
        if (2 * wanted > slots.length) {
            rehash(Integer.highestOneBit((int) (2 * wanted - 1)) << 1);
        }
    }

    private void rehash(int newLength) {
        long[] table = new long[newLength];
        int mask = newLength - 1;
        for (int group = 0; group < size; group++) {
            int slot = (int) hashes[group] & mask;
            while (table[slot] != 0) {
                slot = slot + 1 & mask;
            }
            table[slot] = hashes[group] & TAG | group + 1;
        }
        slots = table;
    }

    /** The types of the keys, in order. */
    public List<DataType> keyTypes() {
        List<DataType> types = new ArrayList<>();
        for (KeyStore key : keys) {
            types.add(key.type());
        }
        return types;
    }
}
