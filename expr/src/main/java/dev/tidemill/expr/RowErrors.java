package dev.tidemill.expr;

import java.util.Arrays;

/** The rows of a batch on which an expression failed, with the first reason of each. Reused between batches. Not thread-safe. */
public final class RowErrors {
    private String[] reasons = new String[0];
    private int count;

    /** Forgets everything and makes room for so many physical rows. */
    public void reset(int physicalRows) {
        if (count > 0) {
            Arrays.fill(reasons, null);
        }
        if (reasons.length < physicalRows) {
            reasons = new String[physicalRows];
        }
        count = 0;
    }

    /** Notes a failure; only the first of a row is kept. */
    public void add(int physicalRow, String reason) {
        if (reasons[physicalRow] == null) {
            reasons[physicalRow] = reason;
            count++;
        }
    }

    /** The number of rows that failed. */
    public int count() {
        return count;
    }

    public boolean has(int physicalRow) {
        return count > 0 && reasons[physicalRow] != null;
    }

    /** The reason of a row that failed, or null. */
    public String reason(int physicalRow) {
        return reasons[physicalRow];
    }
}
