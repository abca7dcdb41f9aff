package dev.tidemill.runtime;

import dev.tidemill.spi.Clock;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Begins an epoch at each interval, and brings those that are together to an end. */
final class EpochThread implements Runnable {
    private static final long LONGEST_WAIT_MS = 1000;
    private static final long NANOS_PER_MS = 1_000_000;

    private final EpochCycle cycle;
    private final Epochs epochs;
    private final Durability durability;
    private final Clock clock;
    private final BooleanSupplier isStopped;
    private final Consumer<Throwable> onFailure;
    private final CountDownLatch lastStands = new CountDownLatch(1);
    private volatile boolean aborted;
    private long due;
    private long begunAt;
    private boolean inFlight;

    /**
     * @param isStopped whether the run was stopped before its input was read
     * @param onFailure is told why an epoch could not stand
     */
    EpochThread(
            TaskGraph graph,
            Durability durability,
            Clock clock,
            BooleanSupplier isStopped,
            Consumer<Throwable> onFailure) {
        this.cycle = new EpochCycle(graph, durability);
        this.epochs = graph.epochs();
        this.durability = durability;
        this.clock = clock;
        this.isStopped = isStopped;
        this.onFailure = onFailure;
    }

    @Override
    public void run() {
        due = clock.nanos() + durability.intervalMs() * NANOS_PER_MS;
        try {
            boolean isLast = false;
            while (!isLast && !aborted) {
                isLast = step();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception | Error e) {
            onFailure.accept(e);
        }
    }

    private boolean step() throws Exception {
        Optional<Epochs.Completed> completed = cycle.poll(waitMillis(clock.nanos()));
        if (completed.isPresent()) {
            return stand(completed.get());
        }
        long now = clock.nanos();
        if (inFlight) {
            checkTimeout(now);
        } else if (durability.intervalMs() > 0 && now - due >= 0 && cycle.begin()) {
            inFlight = true;
            begunAt = now;
        }
        return false;
    }

    private long waitMillis(long now) {
        if (durability.intervalMs() == 0 || inFlight) {
            return LONGEST_WAIT_MS;
        }
        return Math.clamp((due - now + NANOS_PER_MS - 1) / NANOS_PER_MS, 0, LONGEST_WAIT_MS);
    }

    private boolean stand(Epochs.Completed completed) throws Exception {
        cycle.store(completed, !isStopped.getAsBoolean());
        cycle.commit(completed);
        if (completed.kind() == Epochs.Kind.LAST) {
            lastStands.countDown();
            return true;
        }
        inFlight = false;
        due =
                Math.max(
                        begunAt + durability.intervalMs() * NANOS_PER_MS,
                        clock.nanos() + durability.minPauseMs() * NANOS_PER_MS);
        return false;
    }

    private void checkTimeout(long now) {
        long timeoutMs = durability.timeoutMs();
        if (timeoutMs > 0 && now - begunAt > timeoutMs * NANOS_PER_MS) {
            throw new IllegalStateException(
                    "an epoch has not come together within " + timeoutMs + " ms");
        }
    }

    /** Gives up; an epoch that is being stored may still stand. */
    void abort() {
        aborted = true;
        epochs.wake();
    }

    /** Waits until the last epoch stands; false when it does not yet. */
    boolean awaitLast(long millis) throws InterruptedException {
        return lastStands.await(millis, TimeUnit.MILLISECONDS);
    }
}
