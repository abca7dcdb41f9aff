package dev.tidemill.data;

/** Ascending physical row numbers of a batch: {@code rows[0 .. count)}. Immutable once in a batch. */
public record Selection(int[] rows, int count) {
    /** The first {@code count} rows, all of them. */
    public static Selection all(int count) {
        int[] rows = new int[count];
        for (int i = 0; i < count; i++) {
            rows[i] = i;
        }
        return new Selection(rows, count);
    }
}
