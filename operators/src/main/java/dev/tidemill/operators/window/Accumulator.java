package dev.tidemill.operators.window;

import dev.tidemill.data.Column;
import dev.tidemill.data.DataType;
import dev.tidemill.data.Selection;
import java.util.List;

/**
 * The state of one aggregate for all groups of a slice, in arrays by group. Every method works on a whole batch, so that loops stay monomorphic.
 * Not thread-safe.
 */
abstract class Accumulator {
    static final int FEWEST_GROUPS = 16;

    /** Makes room for groups up to {@code groups}; new ones are empty. */
    abstract void reserve(int groups);

    /**
     * Folds the values of the selected rows in.
     *
     * @param column without a dictionary, of the type the accumulator was made for or of the null type; null for a count of rows
     * @param rows   the selected rows, or null for the first {@code count}
     * @param groups the group of each row, at its physical position
     */
    abstract void add(Column column, int[] rows, int count, int[] groups);

    /** Folds partial states in, as {@link #partial} gave them: the columns from {@code first} on. */
    abstract void addPartial(Column[] columns, int first, int[] rows, int count, int[] groups);

    /**
     * The states of all parts, of which this is one, together.
     *
     * @param groups  for each part which of its groups to take
     * @param targets for each of them the group it becomes part of, of {@code count}; may be longer
     */
    abstract Accumulator merged(
            List<Accumulator> parts, int[][] groups, int[][] targets, int count);

    abstract DataType resultType();

    /** The results of these groups, in this order, in arrays of their own. */
    abstract Column result(int[] groups, int count);

    /** Why the result of a group cannot be represented, or null. */
    String failure(int group) {
        return null;
    }

    /** Whether {@link #failure} may tell anything. */
    boolean mayFail() {
        return false;
    }

    /** The number of columns a partial state takes. */
    abstract int partialColumns();

    /** The states of the given groups as column {@code index}; an all-null column of type null where a part is empty for all. */
    abstract Column partial(int index, int[] groups, int count);

    /** Forgets all groups; keeps arrays. */
    abstract void clear();

    /** This state for inputs of a wider type. */
    abstract Accumulator widen(DataType inputType, int groups);

    abstract long sizeInBytes();

    static int physicalRow(int[] rows, int i) {
        return rows == null ? i : rows[i];
    }

    static int[] rowsOf(Selection selection) {
        return selection == null ? null : selection.rows();
    }

    static int[] all(int groups) {
        return Selection.all(groups).rows();
    }
}
