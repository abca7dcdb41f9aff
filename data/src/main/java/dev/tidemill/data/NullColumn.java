package dev.tidemill.data;

/** A column of nulls of no particular type. */
public final class NullColumn extends Column {
    public NullColumn(int length) {
        super(DataType.NULL, length, null);
    }

    @Override
    public boolean isNull(int row) {
        return true;
    }

    @Override
    public Column gather(int[] rows, int count) {
        return new NullColumn(count);
    }

    @Override
    public long sizeInBytes() {
        return 0;
    }

    @Override
    Object nonNullValue(int row) {
        throw new AssertionError("every row is null");
    }
}
