package dev.tidemill.operators.window;

import dev.tidemill.data.Casts;
import dev.tidemill.data.Column;
import dev.tidemill.data.Columns;
import dev.tidemill.data.DataType;
import dev.tidemill.data.LongColumn;
import dev.tidemill.data.Selection;
import java.util.List;

/**
 * The groups of one or more slices in key order, each once, with their states. Windows are merges of runs: two sorted runs merge in one pass, without a
 * table. Immutable.
 *
 * @param count        the number of groups
 * @param keys         key columns without dictionaries
 * @param accumulators states by position in the run
 * @param changed      whether a group has changed since it was last written early; null for none
 * @param corrected    whether a group has changed since its closed windows were last written; null for none
 */
record Run(
        int count,
        Column[] keys,
        Accumulator[] accumulators,
        boolean[] changed,
        boolean[] corrected) {

    /** Both together. */
    Run merge(Run other) {
        if (count == 0) {
            return other;
        }
        if (other.count == 0) {
            return this;
        }
        Run a = this;
        Run b = other;
        int[] left = new int[a.count + b.count];
        int[] right = new int[a.count + b.count];
        int merged =
                a.keys.length == 1
                                && a.keys[0] instanceof LongColumn x
                                && b.keys[0] instanceof LongColumn y
                                && !x.hasNulls()
                                && !y.hasNulls()
                        ? alignLongs(x.values(), a.count, y.values(), b.count, left, right)
                        : align(a, b, left, right);
        Accumulator[] states = new Accumulator[a.accumulators.length];
        for (int i = 0; i < states.length; i++) {
            states[i] = a.accumulators[i].merge(b.accumulators[i], left, right, merged);
        }
        return new Run(
                merged,
                mergedKeys(a, b, left, right, merged),
                states,
                mergedFlags(a.changed, b.changed, left, right, merged),
                mergedFlags(a.corrected, b.corrected, left, right, merged));
    }

    private static int alignLongs(
            long[] a, int countA, long[] b, int countB, int[] left, int[] right) {
        int i = 0;
        int j = 0;
        int out = 0;
        while (i < countA && j < countB) {
            long x = a[i];
            long y = b[j];
            left[out] = x <= y ? i++ : -1;
            right[out++] = y <= x ? j++ : -1;
        }
        return rest(i, countA, j, countB, left, right, out);
    }

    private static int align(Run a, Run b, int[] left, int[] right) {
        int i = 0;
        int j = 0;
        int out = 0;
        while (i < a.count && j < b.count) {
            int order = KeyOrder.compare(a.keys, i, b.keys, j);
            left[out] = order <= 0 ? i++ : -1;
            right[out++] = order >= 0 ? j++ : -1;
        }
        return rest(i, a.count, j, b.count, left, right, out);
    }

    private static int rest(
            int i, int countA, int j, int countB, int[] left, int[] right, int out) {
        int at = out;
        for (int k = i; k < countA; k++) {
            left[at] = k;
            right[at++] = -1;
        }
        for (int k = j; k < countB; k++) {
            left[at] = -1;
            right[at++] = k;
        }
        return at;
    }

    private static Column[] mergedKeys(Run a, Run b, int[] left, int[] right, int count) {
        int[] from = new int[count];
        for (int i = 0; i < count; i++) {
            from[i] = left[i] >= 0 ? left[i] : a.count + right[i];
        }
        Column[] keys = new Column[a.keys.length];
        for (int k = 0; k < keys.length; k++) {
            DataType type = DataType.widen(a.keys[k].type(), b.keys[k].type());
            Column both =
                    Columns.concat(
                            type,
                            List.of(
                                    trimmed(Casts.cast(a.keys[k], type), a.count),
                                    trimmed(Casts.cast(b.keys[k], type), b.count)));
            keys[k] = both.gather(from, count);
        }
        return keys;
    }

    private static Column trimmed(Column column, int count) {
        return column.length() == count
                ? column
                : column.gather(Selection.all(count).rows(), count);
    }

    private static boolean[] mergedFlags(
            boolean[] a, boolean[] b, int[] left, int[] right, int count) {
        if (a == null && b == null) {
            return null;
        }
        boolean[] flags = new boolean[count];
        for (int i = 0; i < count; i++) {
            flags[i] =
                    left[i] >= 0 && a != null && a[left[i]]
                            || right[i] >= 0 && b != null && b[right[i]];
        }
        return flags;
    }

    /** Only the groups with a flag; flags are {@link #changed} or {@link #corrected}. */
    Run only(boolean[] flags) {
        int[] picked = new int[count];
        int found = 0;
        for (int i = 0; i < count && flags != null; i++) {
            if (flags[i]) {
                picked[found++] = i;
            }
        }
        return found == count ? this : gather(picked, found);
    }

    private Run gather(int[] rows, int rowCount) {
        Column[] pickedKeys = new Column[keys.length];
        for (int k = 0; k < keys.length; k++) {
            pickedKeys[k] = keys[k].gather(rows, rowCount);
        }
        Accumulator[] picked = new Accumulator[accumulators.length];
        for (int i = 0; i < picked.length; i++) {
            picked[i] = accumulators[i].gather(rows, rowCount);
        }
        return new Run(rowCount, pickedKeys, picked, null, null);
    }
}
