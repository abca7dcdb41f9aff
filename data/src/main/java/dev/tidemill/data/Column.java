package dev.tidemill.data;

/**
 * A column of values of one type in Arrow's physical layout, on the heap. Arrays may be longer than the column; what lies behind its
 * length, and the value at a null row, is unspecified. Columns are treated as immutable once they are in a {@link Batch}; their arrays
 * are exposed for kernels and must not be written to then. Safe to share between threads after safe publication.
 */
public abstract sealed class Column
        permits NullColumn,
                LongColumn,
                DoubleColumn,
                BoolColumn,
                BytesColumn,
                DecimalColumn,
                ListColumn,
                StructColumn,
                DictionaryColumn {
    private final DataType type;
    private final int length;
    private final long[] validity;

    Column(DataType type, int length, long[] validity) {
        this.type = type;
        this.length = length;
        this.validity = validity;
    }

    public final DataType type() {
        return type;
    }

    /** The number of rows. */
    public final int length() {
        return length;
    }

    /** A bitmap ({@link Bits}) with a bit set for each row that is not null, or null when no row is null. */
    public final long[] validity() {
        return validity;
    }

    public final boolean hasNulls() {
        return validity != null;
    }

    public boolean isNull(int row) {
        return validity != null && !Bits.get(validity, row);
    }

    /** The rows at the given positions, in their order: {@code count} rows. */
    public abstract Column gather(int[] rows, int count);

    /** Rough heap bytes of the rows, for bounds on queues and memory. */
    public abstract long sizeInBytes();

    /**
     * The value of a row as Java sees it: null, Boolean, Long (also timestamp and date, in ms), Double, {@code BigDecimal}, String
     * (also json), {@code byte[]}, {@code List}, {@code Map} in field order. For the edges and tests, not for hot paths.
     */
    public final Object value(int row) {
        return isNull(row) ? null : nonNullValue(row);
    }

    abstract Object nonNullValue(int row);

    final long validityBytes() {
        return validity == null ? 0 : 8L * validity.length;
    }
}
