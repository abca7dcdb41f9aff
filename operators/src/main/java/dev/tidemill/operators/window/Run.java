package dev.tidemill.operators.window;

import dev.tidemill.data.Column;
import dev.tidemill.data.LongColumn;
import java.util.Arrays;

/**
 * The groups of one or more slices in key order, each once, with their states. Windows are merges of runs: two sorted runs merge in one pass, without a
 * table. The run of a single slice looks at the slice's own states, so it holds until rows are added to it.
 *
 * @param count        the number of groups
 * @param keys         key columns without dictionaries, in order
 * @param groups       where the state of the group at a position lies in the accumulators
 * @param accumulators states
 * @param changed      whether the group at a position has changed since it was last written early; null for none
 * @param corrected    whether the group at a position has changed since its closed windows were last written; null for none
 */
record Run(
        int count,
        Column[] keys,
        int[] groups,
        Accumulator[] accumulators,
        boolean[] changed,
        boolean[] corrected) {

    /** Both together; they have equal types. */
    Run merge(Run other) {
        if (count == 0) {
            return other;
        }
        if (other.count == 0) {
            return this;
        }
        int[] left = new int[count + other.count];
        int[] right = new int[count + other.count];
        int merged = align(other, left, right);
        Column[] mergedKeys = new Column[keys.length];
        for (int k = 0; k < keys.length; k++) {
            mergedKeys[k] = MergedColumn.of(keys[k], other.keys[k], left, right, merged);
        }
        boolean[] mergedChanged = mergedFlags(changed, other.changed, left, right, merged);
        boolean[] mergedCorrected = mergedFlags(corrected, other.corrected, left, right, merged);
        toGroups(groups, left, merged);
        toGroups(other.groups, right, merged);
        Accumulator[] states = new Accumulator[accumulators.length];
        for (int i = 0; i < states.length; i++) {
            states[i] = accumulators[i].merge(other.accumulators[i], left, right, merged);
        }
        return new Run(
                merged,
                mergedKeys,
                Accumulator.all(merged),
                states,
                mergedChanged,
                mergedCorrected);
    }

    /** For each position of the merged run the position in this one and in the other, -1 for none. */
    private int align(Run other, int[] left, int[] right) {
        if (keys.length == 1
                && keys[0] instanceof LongColumn a
                && other.keys[0] instanceof LongColumn b
                && !a.hasNulls()
                && !b.hasNulls()) {
            return alignLongs(a.values(), count, b.values(), other.count, left, right);
        }
        int i = 0;
        int j = 0;
        int out = 0;
        while (i < count && j < other.count) {
            int order = KeyOrder.compare(keys, i, other.keys, j);
            left[out] = order <= 0 ? i++ : -1;
            right[out++] = order >= 0 ? j++ : -1;
        }
        return rest(i, count, j, other.count, left, right, out);
    }

    private static int alignLongs(
            long[] a, int countA, long[] b, int countB, int[] left, int[] right) {
        int i = 0;
        int j = 0;
        int out = 0;
        while (i < countA && j < countB) {
            // No branch on the order of keys, which no processor can guess.
            boolean takesLeft = a[i] <= b[j];
            boolean takesRight = b[j] <= a[i];
            left[out] = takesLeft ? i : -1;
            right[out++] = takesRight ? j : -1;
            i += takesLeft ? 1 : 0;
            j += takesRight ? 1 : 0;
        }
        return rest(i, countA, j, countB, left, right, out);
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

    private static void toGroups(int[] groups, int[] positions, int count) {
        for (int i = 0; i < count; i++) {
            positions[i] = positions[i] < 0 ? -1 : groups[positions[i]];
        }
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
        int[] positions = new int[count];
        int found = 0;
        for (int i = 0; i < count && flags != null; i++) {
            if (flags[i]) {
                positions[found++] = i;
            }
        }
        if (found == count) {
            return this;
        }
        Column[] picked = new Column[keys.length];
        for (int k = 0; k < keys.length; k++) {
            picked[k] = keys[k].gather(positions, found);
        }
        toGroups(groups, positions, found);
        return new Run(found, picked, Arrays.copyOf(positions, found), accumulators, null, null);
    }
}
