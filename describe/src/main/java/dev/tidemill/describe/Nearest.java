package dev.tidemill.describe;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Finds the name a person most likely meant. Stateless and thread-safe. */
public final class Nearest {
    private Nearest() {}

    /**
     * The candidate nearest to {@code word} by edit distance with case ignored, when the distance is at most
     * {@code max(2, length/3)}; the first of equals wins.
     */
    public static Optional<String> to(String word, Collection<String> candidates) {
        int limit = Math.max(2, word.length() / 3);
        String wanted = word.toLowerCase(Locale.ROOT);
        String best = null;
        int bestDistance = limit + 1;
        for (String candidate : candidates) {
            int distance = distance(wanted, candidate.toLowerCase(Locale.ROOT));
            if (distance < bestDistance) {
                best = candidate;
                bestDistance = distance;
            }
        }
        return Optional.ofNullable(best);
    }

    /** Levenshtein distance in two rows (Wagner and Fischer, 1974). */
    static int distance(String a, String b) {
        int[] previous = new int[b.length() + 1];
        int[] current = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            current[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int change = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                current[j] = Math.min(change, Math.min(previous[j], current[j - 1]) + 1);
            }
            int[] swap = previous;
            previous = current;
            current = swap;
        }
        return previous[b.length()];
    }
}
