package dev.tidemill.operators.window;

import dev.tidemill.data.Column;
import dev.tidemill.data.LongColumn;
import java.util.ArrayList;
import java.util.List;

/**
 * The keys of some sorted parts, each once and in order.
 *
 * @param targets for each part and each of its positions the position in the union; may be longer; null for the only part
 */
record KeyUnion(Column[] keys, int count, int[][] targets) {

    /** Of one part, whose keys are distinct. */
    static KeyUnion of(Column[] keys, int count) {
        return new KeyUnion(keys, count, new int[1][]);
    }

    /** Of parts in their order. Neighbours are paired until one is left, so that small parts do not go along a large one again and again. */
    static KeyUnion of(List<KeyUnion> parts) {
        List<KeyUnion> unions = parts;
        while (unions.size() > 1) {
            List<KeyUnion> next = new ArrayList<>((unions.size() + 1) / 2);
            for (int i = 0; i + 1 < unions.size(); i += 2) {
                next.add(unions.get(i).and(unions.get(i + 1)));
            }
            if (unions.size() % 2 == 1) {
                next.add(unions.getLast());
            }
            unions = next;
        }
        return unions.getFirst();
    }

    private KeyUnion and(KeyUnion other) {
        // One place more, since a merge writes the target of the next position before it knows that
        // there is none.
        int[] left = new int[count + 1];
        int[] right = new int[other.count + 1];
        boolean isLong =
                keys.length == 1
                        && keys[0] instanceof LongColumn a
                        && other.keys[0] instanceof LongColumn b
                        && !a.hasNulls()
                        && !b.hasNulls();
        KeyUnion both = isLong ? mergeLongs(other, left, right) : merge(other, left, right);
        for (int part = 0; part < both.targets.length; part++) {
            boolean isLeft = part < targets.length;
            both.targets[part] =
                    through(
                            isLeft ? targets[part] : other.targets[part - targets.length],
                            isLeft ? left : right,
                            isLeft ? targets.length : other.targets.length);
        }
        return both;
    }

    /** The targets of a part, by way of its union's targets; those of a single part are the union's. */
    private static int[] through(int[] first, int[] second, int parts) {
        if (parts == 1) {
            return second;
        }
        int[] out = new int[first.length];
        for (int i = 0; i < out.length; i++) {
            out[i] = second[first[i]];
        }
        return out;
    }

    private KeyUnion mergeLongs(KeyUnion other, int[] left, int[] right) {
        long[] a = ((LongColumn) keys[0]).values();
        long[] b = ((LongColumn) other.keys[0]).values();
        long[] out = new long[count + other.count];
        int i = 0;
        int j = 0;
        int at = 0;
        while (i < count && j < other.count) {
            // No branch on the order of keys, which no processor can guess.
            long x = a[i];
            long y = b[j];
            out[at] = Math.min(x, y);
            left[i] = at;
            right[j] = at;
            at++;
            i += x <= y ? 1 : 0;
            j += y <= x ? 1 : 0;
        }
        for (; i < count; i++) {
            out[at] = a[i];
            left[i] = at++;
        }
        for (; j < other.count; j++) {
            out[at] = b[j];
            right[j] = at++;
        }
        Column merged = new LongColumn(keys[0].type(), out, null, at);
        return new KeyUnion(
                new Column[] {merged}, at, new int[targets.length + other.targets.length][]);
    }

    private KeyUnion merge(KeyUnion other, int[] left, int[] right) {
        int[] fromLeft = new int[count + other.count];
        int[] fromRight = new int[count + other.count];
        int i = 0;
        int j = 0;
        int at = 0;
        while (i < count || j < other.count) {
            int order =
                    i == count
                            ? 1
                            : j == other.count ? -1 : KeyOrder.compare(keys, i, other.keys, j);
            fromLeft[at] = order <= 0 ? i : -1;
            fromRight[at] = order >= 0 ? j : -1;
            if (order <= 0) {
                left[i++] = at;
            }
            if (order >= 0) {
                right[j++] = at;
            }
            at++;
        }
        Column[] merged = new Column[keys.length];
        for (int k = 0; k < merged.length; k++) {
            merged[k] = MergedColumn.of(keys[k], other.keys[k], fromLeft, fromRight, at);
        }
        return new KeyUnion(merged, at, new int[targets.length + other.targets.length][]);
    }
}
