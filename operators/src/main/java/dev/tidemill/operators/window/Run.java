package dev.tidemill.operators.window;

import dev.tidemill.data.Column;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The groups of one or more slices in key order, each once, with their states. Windows are merges of runs: sorted keys merge in one pass, without a
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

    /** All of them together; they have equal types, and there is at least one. */
    static Run merge(List<Run> runs) {
        if (runs.size() == 1) {
            return runs.getFirst();
        }
        int parts = runs.size();
        List<KeyUnion> keysOfParts = new ArrayList<>(parts);
        int[][] groups = new int[parts][];
        boolean[][] changed = new boolean[parts][];
        boolean[][] corrected = new boolean[parts][];
        for (int part = 0; part < parts; part++) {
            Run run = runs.get(part);
            keysOfParts.add(KeyUnion.of(run.keys, run.count));
            groups[part] = run.groups;
            changed[part] = run.changed;
            corrected[part] = run.corrected;
        }
        KeyUnion union = KeyUnion.of(keysOfParts);
        Accumulator[] states = new Accumulator[runs.getFirst().accumulators.length];
        for (int a = 0; a < states.length; a++) {
            List<Accumulator> ofParts = new ArrayList<>(parts);
            for (int part = 0; part < parts; part++) {
                ofParts.add(runs.get(part).accumulators[a]);
            }
            states[a] = ofParts.getFirst().merged(ofParts, groups, union.targets(), union.count());
        }
        return new Run(
                union.count(),
                union.keys(),
                Accumulator.all(union.count()),
                states,
                mergedFlags(changed, union),
                mergedFlags(corrected, union));
    }

    private static boolean[] mergedFlags(boolean[][] flags, KeyUnion union) {
        boolean[] merged = null;
        for (int part = 0; part < flags.length; part++) {
            if (flags[part] == null) {
                continue;
            }
            merged = merged == null ? new boolean[union.count()] : merged;
            int[] targets = union.targets()[part];
            for (int i = 0; i < flags[part].length; i++) {
                merged[targets[i]] |= flags[part][i];
            }
        }
        return merged;
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
        for (int i = 0; i < found; i++) {
            positions[i] = groups[positions[i]];
        }
        return new Run(found, picked, Arrays.copyOf(positions, found), accumulators, null, null);
    }
}
