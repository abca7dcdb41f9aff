package dev.tidemill.operators.window;

/** Sorts unsigned words, and row numbers along with them: stable, least digit first, over those digits only in which words differ. */
final class RadixSort {
    private static final int WIDEST_DIGIT = 11;
    private static final int SHORT = 48;

    private RadixSort() {}

    /** Sorts {@code words[low .. high)}, and {@code rows} in the same way. */
    static void sort(long[] words, int[] rows, int low, int high) {
        long least = -1;
        long greatest = 0;
        boolean inOrder = true;
        for (int i = low; i < high; i++) {
            long word = words[i];
            least = Long.compareUnsigned(word, least) < 0 ? word : least;
            greatest = Long.compareUnsigned(word, greatest) > 0 ? word : greatest;
            inOrder &= i == low || Long.compareUnsigned(words[i - 1], word) <= 0;
        }
        if (inOrder) {
            return;
        }
        if (high - low <= SHORT) {
            insertionSort(words, rows, low, high);
            return;
        }
        int bits = 64 - Long.numberOfLeadingZeros(greatest - least);
        int passes = (bits + WIDEST_DIGIT - 1) / WIDEST_DIGIT;
        int digit = (bits + passes - 1) / passes;
        int count = high - low;
        long[] from = words;
        int[] fromRows = rows;
        long[] to = new long[count];
        int[] toRows = new int[count];
        int at = low;
        int target = 0;
        for (int shift = 0; shift < bits; shift += digit) {
            pass(from, fromRows, at, to, toRows, target, count, least, shift, digit);
            long[] swap = from;
            from = to;
            to = swap;
            int[] swapRows = fromRows;
            fromRows = toRows;
            toRows = swapRows;
            int swapAt = at;
            at = target;
            target = swapAt;
        }
        if (from != words) {
            System.arraycopy(from, 0, words, low, count);
            System.arraycopy(fromRows, 0, rows, low, count);
        }
    }

    private static void pass(
            long[] from,
            int[] fromRows,
            int at,
            long[] to,
            int[] toRows,
            int target,
            int count,
            long least,
            int shift,
            int digit) {
        int[] next = new int[1 << digit];
        int mask = next.length - 1;
        for (int i = at; i < at + count; i++) {
            next[(int) (from[i] - least >>> shift) & mask]++;
        }
        int sum = target;
        for (int bucket = 0; bucket < next.length; bucket++) {
            int size = next[bucket];
            next[bucket] = sum;
            sum += size;
        }
        for (int i = at; i < at + count; i++) {
            int place = next[(int) (from[i] - least >>> shift) & mask]++;
            to[place] = from[i];
            toRows[place] = fromRows[i];
        }
    }

    private static void insertionSort(long[] words, int[] rows, int low, int high) {
        for (int i = low + 1; i < high; i++) {
            long word = words[i];
            int row = rows[i];
            int j = i - 1;
            while (j >= low && Long.compareUnsigned(words[j], word) > 0) {
                words[j + 1] = words[j];
                rows[j + 1] = rows[j];
                j--;
            }
            words[j + 1] = word;
            rows[j + 1] = row;
        }
    }
}
