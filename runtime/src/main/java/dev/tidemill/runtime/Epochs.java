package dev.tidemill.runtime;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Brings what tasks hand over together into epochs, of which one is in flight at a time: a consistent cut by barriers that are aligned in every task (Carbone et
 * al., "Lightweight asynchronous snapshots for distributed dataflows", 2015). Thread-safe.
 */
public final class Epochs {
    /** Why there is an epoch. */
    public enum Kind {
        /** It was asked for while the run goes on. */
        PERIODIC,
        /** All tasks have come to their end. */
        LAST
    }

    /**
     * All parts of an epoch: what tasks handed over since the one before. A task that has ended says no more; what it said last holds.
     *
     * @param number 0 for the last one, which nobody asked for
     */
    public record Completed(long number, Kind kind, List<EpochPart> parts) {
        public Completed {
            parts = List.copyOf(parts);
        }
    }

    private final Set<String> running;
    private final Set<String> waiting = new HashSet<>();
    private final ArrayDeque<Completed> completed = new ArrayDeque<>();
    private long inFlight;
    private List<EpochPart> parts = new ArrayList<>();

    /** Of tasks that came to their end behind the barrier in flight. */
    private List<EpochPart> later = new ArrayList<>();

    Epochs(List<String> taskNames) {
        running = new HashSet<>(taskNames);
    }

    /** Puts an epoch in flight; false when one is, or when no task runs any more. */
    synchronized boolean begin(long epoch) {
        if (inFlight != 0 || running.isEmpty()) {
            return false;
        }
        inFlight = epoch;
        waiting.addAll(running);
        return true;
    }

    synchronized void passed(String task, long epoch, List<EpochPart> ofTask) {
        if (epoch != inFlight || !waiting.remove(task)) {
            throw new IllegalStateException(
                    task + " passed epoch " + epoch + ", in flight is " + inFlight);
        }
        parts.addAll(ofTask);
        completeIfPassed();
    }

    synchronized void ended(String task, List<EpochPart> ofTask) {
        running.remove(task);
        boolean isBehind = inFlight != 0 && !waiting.remove(task);
        (isBehind ? later : parts).addAll(ofTask);
        completeIfPassed();
        if (running.isEmpty()) {
            complete(0, Kind.LAST);
        }
    }

    private void completeIfPassed() {
        if (inFlight != 0 && waiting.isEmpty()) {
            long number = inFlight;
            inFlight = 0;
            complete(number, Kind.PERIODIC);
        }
    }

    private void complete(long number, Kind kind) {
        completed.add(new Completed(number, kind, parts));
        parts = later;
        later = new ArrayList<>();
        notifyAll();
    }

    /** The next epoch of which all parts are there, in order. */
    synchronized Optional<Completed> poll() {
        return Optional.ofNullable(completed.poll());
    }

    /** As {@link #poll}, and waits for one at most so long. */
    synchronized Optional<Completed> poll(long millis) throws InterruptedException {
        if (completed.isEmpty() && millis > 0) {
            wait(millis);
        }
        return poll();
    }

    /** Ends a wait. */
    synchronized void wake() {
        notifyAll();
    }
}
