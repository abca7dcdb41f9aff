package dev.tidemill.data;

/**
 * A column that names its values by position in a dictionary, for columns where values repeat: row {@code i} has the value
 * {@code dictionary[indices[i]]}. Nulls are in this column's validity; the dictionary has none.
 */
public final class DictionaryColumn extends Column {
    private final int[] indices;
    private final Column dictionary;

    public DictionaryColumn(int[] indices, Column dictionary, long[] validity, int length) {
        super(dictionary.type(), length, validity);
        this.indices = indices;
        this.dictionary = dictionary;
    }

    public int[] indices() {
        return indices;
    }

    public Column dictionary() {
        return dictionary;
    }

    /** The same values as a plain column. */
    public Column decode() {
        int[] rows = indices;
        if (hasNulls()) {
            return decodeWithNulls();
        }
        return dictionary.gather(rows, length());
    }

    private Column decodeWithNulls() {
        if (dictionary.length() == 0) {
            return Columns.allNull(type(), length());
        }
        int[] rows = new int[length()];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = isNull(i) ? 0 : indices[i];
        }
        return Columns.withValidity(dictionary.gather(rows, rows.length), validity());
    }

    @Override
    public DictionaryColumn gather(int[] rows, int count) {
        int[] out = new int[count];
        for (int i = 0; i < count; i++) {
            out[i] = indices[rows[i]];
        }
        return new DictionaryColumn(out, dictionary, Bits.gather(validity(), rows, count), count);
    }

    @Override
    public long sizeInBytes() {
        return 4L * length() + dictionary.sizeInBytes() + validityBytes();
    }

    @Override
    Object nonNullValue(int row) {
        return dictionary.nonNullValue(indices[row]);
    }
}
