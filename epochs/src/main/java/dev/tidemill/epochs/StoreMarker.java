package dev.tidemill.epochs;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** The object that tells a store of ours from a foreign directory or bucket. */
final class StoreMarker {
    private static final String NAME = "tidemill-store.json";

    private StoreMarker() {}

    /** Makes a fresh place a store, or checks that it is one. */
    static void require(ObjectStore store) throws IOException {
        Optional<byte[]> found = store.get(NAME);
        if (found.isEmpty()) {
            requireEmpty(store);
            store.putIfAbsent(NAME, Documents.seal(Documents.create()));
            return;
        }
        try {
            Documents.open(found.get(), NAME + " in " + store.location());
        } catch (DamagedException torn) {
            // It has nothing of its own to lose, and every other document tells its format too.
            store.put(NAME, Documents.seal(Documents.create()));
        }
    }

    /** Whether it is a store; a newer one is an error. */
    static boolean isThere(ObjectStore store) throws IOException {
        Optional<byte[]> found = store.get(NAME);
        try {
            if (found.isPresent()) {
                Documents.open(found.get(), NAME + " in " + store.location());
            }
        } catch (DamagedException torn) {
            // The next owner writes it again.
        }
        return found.isPresent();
    }

    private static void requireEmpty(ObjectStore store) throws IOException {
        List<String> names = store.list("");
        if (names.isEmpty() || names.contains(NAME)) {
            return;
        }
        throw new StoreException(
                store.location()
                        + " is not a state store and not empty (it has "
                        + names.getFirst()
                        + "): name an empty or new place");
    }
}
