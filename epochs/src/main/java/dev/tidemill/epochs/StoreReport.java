package dev.tidemill.epochs;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a store has of a pipeline, found without owning it: beside a running pipeline it may be a moment old.
 *
 * @param owner the present or last one
 * @param since when it took over
 * @param released whether it has left in order
 * @param generation of the owner
 * @param epochs those kept, oldest first
 * @param problems what is damaged beside the epochs
 * @param superfluous how many objects no kept epoch needs: the next owner removes them
 */
public record StoreReport(
        Owner owner,
        Instant since,
        boolean released,
        long generation,
        List<Epoch> epochs,
        List<String> problems,
        int superfluous) {

    /**
     * One epoch.
     *
     * @param manifest empty when it cannot be read
     * @param undecided whether a deciding sink must still be asked
     * @param problems empty when it is whole, as far as was looked
     */
    public record Epoch(
            long epoch, Optional<Manifest> manifest, boolean undecided, List<String> problems) {}

    /** How far to look. */
    public enum Depth {
        /** Manifests. */
        LIST,
        /** Every byte of every object. */
        VERIFY
    }

    /**
     * Looks at a pipeline's state.
     *
     * @return empty when the store has none of it
     * @throws StoreException when the place is no store
     */
    public static Optional<StoreReport> of(ObjectStore store, String pipeline, Depth depth)
            throws IOException {
        if (!StoreMarker.isThere(store)) {
            throw new StoreException(store.location() + " is not a state store");
        }
        List<String> problems = new ArrayList<>();
        String directory = EpochStore.directory(pipeline);
        HeadLog.Tip tip = new HeadLog(store, directory, problems::add).newest();
        if (tip.number() == 0) {
            return Optional.empty();
        }
        Head head = tip.head();
        if (head == null) {
            throw new DamagedException("all heads of pipeline '" + pipeline + "' are damaged");
        }
        List<Epoch> epochs = new ArrayList<>();
        for (Head.Entry entry : head.epochs()) {
            epochs.add(look(store, pipeline, entry, depth));
        }
        return Optional.of(
                new StoreReport(
                        head.owner(),
                        Instant.ofEpochMilli(head.since()),
                        head.released(),
                        head.generation(),
                        List.copyOf(epochs),
                        List.copyOf(problems),
                        superfluous(store, directory, head, epochs)));
    }

    private static Epoch look(ObjectStore store, String pipeline, Head.Entry entry, Depth depth)
            throws IOException {
        Manifest manifest;
        try {
            manifest = EpochStore.readManifest(store, pipeline, entry);
        } catch (DamagedException damaged) {
            return new Epoch(
                    entry.epoch(),
                    Optional.empty(),
                    entry.pending(),
                    List.of(damaged.getMessage()));
        }
        List<String> problems = new ArrayList<>();
        for (ObjectRef ref : manifest.objects().distinct().toList()) {
            try {
                look(store, ref, depth);
            } catch (DamagedException damaged) {
                problems.add(damaged.getMessage());
            }
        }
        return new Epoch(
                entry.epoch(), Optional.of(manifest), entry.pending(), List.copyOf(problems));
    }

    private static void look(ObjectStore store, ObjectRef ref, Depth depth) throws IOException {
        if (depth == Depth.LIST) {
            EpochStore.requireLength(store, ref);
            return;
        }
        try (InputStream in = BlockSums.open(store, ref)) {
            in.transferTo(OutputStream.nullOutputStream());
        }
    }

    private static int superfluous(
            ObjectStore store, String directory, Head head, List<Epoch> epochs) throws IOException {
        Set<String> needed = new HashSet<>();
        head.epochs().forEach(each -> needed.add(each.manifest().name()));
        for (Epoch each : epochs) {
            each.manifest().ifPresent(m -> m.objects().map(ObjectRef::name).forEach(needed::add));
        }
        return (int)
                store.list(Cleaner.dataPrefix(directory)).stream()
                        .filter(name -> !needed.contains(name))
                        .count();
    }

    /** Whether nothing is damaged. */
    public boolean isWhole() {
        return problems.isEmpty() && epochs.stream().allMatch(each -> each.problems().isEmpty());
    }
}
