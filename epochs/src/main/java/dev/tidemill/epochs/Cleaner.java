package dev.tidemill.epochs;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;

/**
 * Removes what no kept manifest needs. Of this owner's own objects it knows which may be superfluous; those of earlier owners, who may have died at any point,
 * are found by listing, once after the take-over and whenever an epoch is dropped whose manifest this owner never read. Objects of later owners are not
 * touched, so a process that does not know yet that it was replaced does no harm.
 */
final class Cleaner {
    /** What to look at in one pass: taken when it is known which manifests are kept. */
    record Round(Set<String> suspects, boolean sweep, long newestHead) {}

    private final ObjectStore store;
    private final String directory;
    private final long generation;
    private final HeadLog heads;

    private final Set<String> suspects = new HashSet<>();
    private boolean sweepIsDue = true;
    private Deque<Long> oldHeads;
    private long nextHead;

    Cleaner(ObjectStore store, String directory, long generation, HeadLog heads) {
        this.store = store;
        this.directory = directory;
        this.generation = generation;
        this.heads = heads;
    }

    static String dataPrefix(String directory) {
        return directory + "/data/";
    }

    /** These may be needed no more. */
    synchronized void suspect(Collection<String> names) {
        suspects.addAll(names);
    }

    /** An epoch is gone whose objects are not known. */
    synchronized void requireSweep() {
        sweepIsDue = true;
    }

    synchronized Round begin(long newestHead) {
        Round round = new Round(Set.copyOf(suspects), sweepIsDue, newestHead);
        suspects.clear();
        sweepIsDue = false;
        return round;
    }

    /** The round failed before it looked at anything: the next one does its work. */
    synchronized void undo(Round round) {
        suspects.addAll(round.suspects());
        sweepIsDue |= round.sweep();
    }

    /**
     * Removes what the round found and nobody needs; what fails is tried again in a later round.
     *
     * @return how many objects were removed
     */
    int finish(Round round, Set<String> needed) throws IOException {
        Set<String> left = new HashSet<>(round.suspects());
        left.removeAll(needed);
        boolean sweepLeft = round.sweep();
        int removed = 0;
        try {
            for (String name : Set.copyOf(left)) {
                store.delete(name);
                left.remove(name);
                removed++;
            }
            if (round.sweep()) {
                removed += sweep(needed);
                sweepLeft = false;
            }
            return removed + removeOldHeads(round.newestHead());
        } finally {
            undo(new Round(left, sweepLeft, 0));
        }
    }

    private int sweep(Set<String> needed) throws IOException {
        int removed = 0;
        for (String name : store.list(dataPrefix(directory))) {
            if (isOfEarlierOwner(name, dataPrefix(directory)) && !needed.contains(name)) {
                store.delete(name);
                removed++;
            }
        }
        for (String name : store.list(Lease.prefix(directory))) {
            if (isOfEarlierOwner(name, Lease.prefix(directory))) {
                store.delete(name);
                removed++;
            }
        }
        return removed;
    }

    private boolean isOfEarlierOwner(String name, String prefix) {
        String first = name.substring(prefix.length()).split("/")[0];
        return first.matches("[0-9]{1,18}") && Long.parseLong(first) < generation;
    }

    /** In order from the oldest, and stopping where one cannot be removed: see {@link HeadLog}. */
    private int removeOldHeads(long newest) throws IOException {
        long limit = newest - HeadLog.KEPT;
        if (oldHeads == null) {
            oldHeads = new ArrayDeque<>(heads.numbers().stream().filter(n -> n <= newest).toList());
            nextHead = newest + 1;
        }
        for (; nextHead <= newest; nextHead++) {
            oldHeads.add(nextHead);
        }
        int removed = 0;
        while (!oldHeads.isEmpty() && oldHeads.peek() <= limit) {
            heads.delete(oldHeads.peek());
            oldHeads.remove();
            removed++;
        }
        return removed;
    }
}
