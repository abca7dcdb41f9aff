package dev.tidemill.epochs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Signs of life of an owner: an object that it alone writes, again and again. Another process judges by whether it changes while that process's own clock
 * advances; the two machines' clocks are compared only to recognise what is long dead. Nothing's safety hangs on it: that is the heads' affair.
 */
final class Lease {
    private static final long LONG_DEAD_MILLIS = 3_600_000;
    private static final int LOOKS = 20;

    private final ObjectStore store;
    private final String name;
    private final String pipeline;
    private final long generation;
    private final StoreClock clock;
    private long beats;

    Lease(ObjectStore store, String directory, String pipeline, long generation, StoreClock clock) {
        this.store = store;
        this.name = name(directory, generation);
        this.pipeline = pipeline;
        this.generation = generation;
        this.clock = clock;
    }

    static String prefix(String directory) {
        return directory + "/lease/";
    }

    static String name(String directory, long generation) {
        return prefix(directory) + ObjectNames.ordinal(generation);
    }

    /** The first sign. */
    synchronized void begin() throws IOException {
        beat();
    }

    /** @throws FencedException when the object is gone: whoever took over has removed it */
    synchronized void renew() throws IOException {
        if (beats > 0 && store.length(name).isEmpty()) {
            throw new FencedException(
                    "pipeline '"
                            + pipeline
                            + "' was taken over from this process (lease "
                            + generation
                            + " in "
                            + store.location()
                            + " is gone): it must stop");
        }
        beat();
    }

    private void beat() throws IOException {
        String text = beats + 1 + " " + clock.wallMillis();
        store.put(name, text.getBytes(StandardCharsets.US_ASCII));
        beats++;
    }

    /**
     * Waits until the owner of the tip is known to be dead.
     *
     * @throws OwnedException when it lives
     */
    static void awaitFree(
            ObjectStore store, String directory, HeadLog.Tip tip, EpochStore.Options options)
            throws IOException, InterruptedException {
        Head head = tip.head();
        if (!tip.isDamaged() && (head.released() || head.owner().isSurelyGone())) {
            return;
        }
        String name =
                tip.isDamaged() ? newest(store, directory) : name(directory, head.generation());
        StoreClock clock = options.clock();
        Optional<byte[]> first = store.get(name);
        if (first.isPresent() && isLongDead(first.get(), clock)) {
            return;
        }
        long deadline = clock.monotonicMillis() + options.leaseMillis();
        while (clock.monotonicMillis() < deadline) {
            clock.sleep(Math.max(1, options.leaseMillis() / LOOKS));
            Optional<byte[]> now = store.get(name);
            if (now.isPresent() && !Arrays.equals(now.get(), first.orElse(null))) {
                throw new OwnedException(
                        head.pipeline(),
                        store.location(),
                        head.owner(),
                        Instant.ofEpochMilli(head.since()));
            }
        }
    }

    /** Where the newest head is damaged its owner is unknown: any newest sign of life counts. */
    private static String newest(ObjectStore store, String directory) throws IOException {
        List<String> all = store.list(prefix(directory));
        return all.isEmpty() ? name(directory, 0) : all.getLast();
    }

    private static boolean isLongDead(byte[] sign, StoreClock clock) {
        String[] parts = new String(sign, StandardCharsets.US_ASCII).split(" ");
        return parts.length == 2
                && parts[1].matches("[0-9]{1,18}")
                && clock.wallMillis() - Long.parseLong(parts[1]) > LONG_DEAD_MILLIS;
    }
}
