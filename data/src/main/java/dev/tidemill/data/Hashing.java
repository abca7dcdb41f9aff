package dev.tidemill.data;

/**
 * 64-bit hashes of keys, one a row. Values that are equal as keys hash equally whatever their column's type: int64 and a whole float64 or decimal, -0.0
 * and 0.0, every NaN, a plain and a dictionary column. The high bits choose the vnode, the low bits the slot of a table.
 */
public final class Hashing {
    private static final long NULL = 0x9E3779B97F4A7C15L;
    private static final long SEED = 0x2545F4914F6CDD1DL;
    private static final long MULTIPLIER = 0xFF51AFD7ED558CCDL;
    private static final long SECOND_MULTIPLIER = 0xC4CEB9FE1A85EC53L;

    private Hashing() {}

    /**
     * The hashes of the key columns of every physical row; those of rows outside the selection are unspecified.
     *
     * @param keyColumns positions in the batch; -1 stands for an absent column, all null
     */
    public static long[] hash(Batch batch, int[] keyColumns) {
        long[] hashes = new long[batch.physicalRows()];
        java.util.Arrays.fill(hashes, SEED);
        for (int column : keyColumns) {
            mix(hashes, column < 0 ? new NullColumn(hashes.length) : batch.column(column));
        }
        return hashes;
    }

    /** The slot, from 0, of {@code vnodes} that a key belongs to. */
    public static int vnode(long hash, int vnodes) {
        return (int) ((hash >>> 32) * vnodes >>> 32);
    }

    /** The task, from 0, of {@code tasks} that owns a vnode: contiguous ranges of nearly equal length. */
    public static int task(int vnode, int vnodes, int tasks) {
        return (int) ((long) vnode * tasks / vnodes);
    }

    private static void mix(long[] hashes, Column column) {
        switch (column) {
            case LongColumn c -> mixLongs(hashes, c);
            case DoubleColumn c -> mixDoubles(hashes, c);
            case BytesColumn c -> mixBytes(hashes, c);
            case DictionaryColumn c -> mixDictionary(hashes, c);
            default -> mixOthers(hashes, column);
        }
    }

    private static void mixLongs(long[] hashes, LongColumn column) {
        long[] values = column.values();
        if (!column.hasNulls()) {
            for (int i = 0; i < hashes.length; i++) {
                hashes[i] = combine(hashes[i], values[i]);
            }
            return;
        }
        for (int i = 0; i < hashes.length; i++) {
            hashes[i] = combine(hashes[i], column.isNull(i) ? NULL : values[i]);
        }
    }

    private static void mixDoubles(long[] hashes, DoubleColumn column) {
        for (int i = 0; i < hashes.length; i++) {
            hashes[i] = combine(hashes[i], column.isNull(i) ? NULL : ofDouble(column.get(i)));
        }
    }

    private static void mixBytes(long[] hashes, BytesColumn column) {
        byte[] data = column.data();
        int[] offsets = column.offsets();
        for (int i = 0; i < hashes.length; i++) {
            hashes[i] =
                    combine(
                            hashes[i],
                            column.isNull(i) ? NULL : ofBytes(data, offsets[i], offsets[i + 1]));
        }
    }

    private static void mixDictionary(long[] hashes, DictionaryColumn column) {
        long[] ofEntries = new long[column.dictionary().length()];
        for (int i = 0; i < ofEntries.length; i++) {
            ofEntries[i] = ofValue(column.dictionary(), i);
        }
        int[] indices = column.indices();
        for (int i = 0; i < hashes.length; i++) {
            hashes[i] = combine(hashes[i], column.isNull(i) ? NULL : ofEntries[indices[i]]);
        }
    }

    private static void mixOthers(long[] hashes, Column column) {
        for (int i = 0; i < hashes.length; i++) {
            hashes[i] = combine(hashes[i], ofValue(column, i));
        }
    }

    /** The hash word of one value, before it is combined; equal for values that are equal as keys. */
    private static long ofValue(Column column, int row) {
        if (column.isNull(row)) {
            return NULL;
        }
        return switch (column) {
            case LongColumn c -> c.get(row);
            case DoubleColumn c -> ofDouble(c.get(row));
            case BytesColumn c -> ofBytes(c.data(), c.start(row), c.end(row));
            case BoolColumn c -> c.get(row) ? 0x51L << 56 : 0x52L << 56;
            case DictionaryColumn c -> ofValue(c.dictionary(), c.indices()[row]);
            case DecimalColumn c -> ofDecimal(c.get(row));
            case ListColumn c -> ofList(c, row);
            case StructColumn c -> ofStruct(c, row);
            case NullColumn _ -> NULL;
        };
    }

    private static long ofList(ListColumn column, int row) {
        int from = column.offsets()[row];
        int to = column.offsets()[row + 1];
        long hash = SEED ^ (to - from);
        for (int i = from; i < to; i++) {
            hash = combine(hash, ofValue(column.elements(), i));
        }
        return hash;
    }

    private static long ofStruct(StructColumn column, int row) {
        long hash = SEED;
        for (Column child : column.children()) {
            hash = combine(hash, ofValue(child, row));
        }
        return hash;
    }

    /** As an int64 of the value would hash, else as a float64. */
    private static long ofDecimal(java.math.BigDecimal value) {
        if (value.signum() == 0) {
            return 0;
        }
        java.math.BigDecimal plain = value.stripTrailingZeros();
        boolean mayBeLong = plain.scale() <= 0 && plain.precision() - plain.scale() <= 19;
        if (mayBeLong && plain.toBigInteger().bitLength() < 64) {
            return plain.longValueExact();
        }
        return ofDouble(plain.doubleValue());
    }

    private static long ofDouble(double value) {
        long whole = (long) value;
        if (whole == value && whole != Long.MAX_VALUE) {
            return whole;
        }
        return Double.doubleToLongBits(value);
    }

    private static long ofBytes(byte[] data, int from, int to) {
        long hash = SEED ^ (to - from);
        int at = from;
        for (; at + 8 <= to; at += 8) {
            hash = combine(hash, LittleEndian.getLong(data, at));
        }
        if (at < to) {
            hash = combine(hash, LittleEndian.getTail(data, at, to));
        }
        return hash;
    }

    /** Folds a word in: xor, then the finaliser of MurmurHash3 (Austin Appleby, public domain). */
    private static long combine(long hash, long word) {
        long h = hash ^ word;
        h = (h ^ h >>> 33) * MULTIPLIER;
        h = (h ^ h >>> 33) * SECOND_MULTIPLIER;
        return h ^ h >>> 33;
    }
}
