package dev.tidemill.epochs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The numbered heads of one pipeline.
 *
 * <p>Safe with nothing but creation of absent names: a head is appended by creating the next number. Old heads are removed strictly in order, so a number that
 * once existed and is gone has no predecessor either: after creating a head its predecessor must still be there, byte for byte, else this process slept while
 * others went on. The hint is only a place to begin the search: it counts when the head it names has the hash it names, and each next head names the hash of the
 * one before.
 */
final class HeadLog {
    /** How many heads stay; more than the hint lags behind. */
    static final int KEPT = 32;

    private static final int HINT_EVERY = 8;

    /**
     * The newest head's number and hash.
     *
     * @param number 0 when there is no head yet
     * @param sha of the head's bytes
     * @param head its content, or that of the newest before it that is whole; null when there is none
     * @param headNumber the number of {@code head}
     */
    record Tip(long number, String sha, Head head, long headNumber) {
        static final Tip NONE = new Tip(0, "", null, 0);

        boolean isDamaged() {
            return headNumber != number;
        }
    }

    private final ObjectStore store;
    private final String directory;
    private final Consumer<String> notices;

    HeadLog(ObjectStore store, String directory, Consumer<String> notices) {
        this.store = store;
        this.directory = directory;
        this.notices = notices;
    }

    private String name(long number) {
        return directory + "/heads/" + ObjectNames.ordinal(number);
    }

    private String hint() {
        return directory + "/hint";
    }

    /** Finds the newest head, from the hint where it can be trusted, else from the list of all. */
    Tip newest() throws IOException {
        Optional<Tip> hinted = fromHint();
        return hinted.isPresent() ? hinted.get() : fromList();
    }

    private Optional<Tip> fromHint() throws IOException {
        Optional<byte[]> hint = store.get(hint());
        if (hint.isEmpty()) {
            return Optional.empty();
        }
        String[] parts = new String(hint.get(), StandardCharsets.US_ASCII).strip().split(" ");
        if (parts.length != 2 || !parts[0].matches("[0-9]{1,18}")) {
            return Optional.empty();
        }
        long number = Long.parseLong(parts[0]);
        Optional<byte[]> bytes = store.get(name(number));
        if (bytes.isEmpty() || !Documents.sha256(bytes.get()).equals(parts[1])) {
            return Optional.empty();
        }
        Head head = read(number, bytes.get());
        return head == null ? Optional.empty() : walk(new Tip(number, parts[1], head, number));
    }

    private Optional<Tip> walk(Tip from) throws IOException {
        Tip tip = from;
        while (true) {
            long number = tip.number() + 1;
            Optional<byte[]> bytes = store.get(name(number));
            if (bytes.isEmpty()) {
                return Optional.of(tip);
            }
            String sha = Documents.sha256(bytes.get());
            Head head = read(number, bytes.get());
            if (head == null) {
                tip = new Tip(number, sha, tip.head(), tip.headNumber());
            } else if (head.previous().equals(tip.sha())) {
                tip = new Tip(number, sha, head, number);
            } else {
                return Optional.empty();
            }
        }
    }

    private Tip fromList() throws IOException {
        String sha = "";
        long newest = 0;
        for (long number : numbers().reversed()) {
            Optional<byte[]> bytes = store.get(name(number));
            if (bytes.isEmpty()) {
                continue; // Removed meanwhile.
            }
            if (newest == 0) {
                newest = number;
                sha = Documents.sha256(bytes.get());
            }
            Head head = read(number, bytes.get());
            if (head != null) {
                return new Tip(newest, sha, head, number);
            }
        }
        return newest == 0 ? Tip.NONE : new Tip(newest, sha, null, 0);
    }

    /** The head, or null, with a notice, when it is damaged. */
    private Head read(long number, byte[] bytes) throws StoreException {
        try {
            return Head.fromBytes(bytes, name(number));
        } catch (DamagedException damaged) {
            notices.accept(damaged.getMessage() + "; the one before it is used");
            return null;
        }
    }

    /** The numbers of all heads, in order. */
    List<Long> numbers() throws IOException {
        String prefix = directory + "/heads/";
        return store.list(prefix).stream()
                .map(name -> name.substring(prefix.length()))
                .filter(name -> name.matches("[0-9]{1,18}"))
                .map(Long::valueOf)
                .sorted()
                .toList();
    }

    /**
     * Makes the bytes the head behind the tip. May be called again with the same arguments after an {@link IOException}, which leaves open whether it was done.
     *
     * @throws FencedException when another head is there, or was
     */
    Tip append(Tip tip, Head head) throws IOException {
        byte[] bytes = head.toBytes();
        long number = tip.number() + 1;
        boolean created = store.putIfAbsent(name(number), bytes);
        if (!created && !isStored(number, bytes)) {
            throw new FencedException(fenced(head, number));
        }
        if (!followsItsPredecessor(tip)) {
            if (created) {
                store.delete(name(number));
            }
            throw new FencedException(fenced(head, number));
        }
        String sha = Documents.sha256(bytes);
        if (number % HINT_EVERY == 0 || head.generation() == number || head.released()) {
            hint(number, sha);
        }
        return new Tip(number, sha, head, number);
    }

    private String fenced(Head head, long number) {
        return "pipeline '"
                + head.pipeline()
                + "' has another owner now (head "
                + number
                + " in "
                + store.location()
                + "): this process must stop";
    }

    private boolean isStored(long number, byte[] bytes) throws IOException {
        Optional<byte[]> found = store.get(name(number));
        return found.isPresent() && Arrays.equals(found.get(), bytes);
    }

    private boolean followsItsPredecessor(Tip tip) throws IOException {
        if (tip.number() == 0) {
            return numbers().equals(List.of(1L));
        }
        Optional<byte[]> previous = store.get(name(tip.number()));
        return previous.isPresent() && Documents.sha256(previous.get()).equals(tip.sha());
    }

    private void hint(long number, String sha) {
        try {
            store.put(hint(), (number + " " + sha).getBytes(StandardCharsets.US_ASCII));
        } catch (IOException failure) {
            // The next one will do; without any, the heads are listed.
            notices.accept("the hint to head " + number + " was not written: " + failure);
        }
    }

    void delete(long number) throws IOException {
        store.delete(name(number));
    }
}
