package dev.tidemill.epochs;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The stored epochs of one pipeline, of which this process is the owner.
 *
 * <p>For each epoch: {@link #nextEpoch}, {@link #writeObject} for all state, {@link #commit}; with a deciding sink {@link #resolve}; then {@link #clean}. The
 * owner calls {@link #renew} every {@link Options#beatMillis}. At start {@link #latest} says where to go on.
 *
 * <p>All methods may be called from any thread and block for the store's I/O. {@link #writeObject}, {@link #read}, {@link #renew} and {@link #clean} run beside
 * the others; the others exclude each other. No thread is started here. Every method throws {@link FencedException} once another process has taken over: then
 * this one must stop. Safety does not depend on any clock.
 */
public final class EpochStore implements Closeable {
    /** Epoch numbers are reserved in steps of this many, so that none is used by two owners. */
    private static final int RESERVE = 16;

    private static final String MANIFEST = "manifest";
    private static final int LONGEST_NAME = 120;

    /**
     * How to own a pipeline.
     *
     * @param keep how many epochs that stand are kept, at least 1
     * @param leaseMillis an owner without a sign of life for so long is dead
     * @param resetToken when not empty: forget all epochs, once for each token; a start without a token allows the same token again
     * @param owner this process
     * @param clock for waiting and for records
     * @param notices gets a sentence for each damage that was found and got round
     */
    public record Options(
            int keep,
            long leaseMillis,
            String resetToken,
            Owner owner,
            StoreClock clock,
            Consumer<String> notices) {
        public Options {
            Objects.requireNonNull(resetToken);
            if (keep < 1 || leaseMillis < 1) {
                throw new IllegalArgumentException("keep " + keep + ", lease " + leaseMillis);
            }
        }

        /** Two epochs, ten seconds, no reset, this process, the machine's clocks. */
        public static Options defaults(Consumer<String> notices) {
            return new Options(2, 10_000, "", Owner.current(), StoreClock.SYSTEM, notices);
        }

        public Options withKeep(int keep) {
            return new Options(keep, leaseMillis, resetToken, owner, clock, notices);
        }

        public Options withLease(long leaseMillis) {
            return new Options(keep, leaseMillis, resetToken, owner, clock, notices);
        }

        public Options withReset(String token) {
            return new Options(keep, leaseMillis, token, owner, clock, notices);
        }

        public Options withOwner(Owner owner) {
            return new Options(keep, leaseMillis, resetToken, owner, clock, notices);
        }

        public Options withClock(StoreClock clock) {
            return new Options(keep, leaseMillis, resetToken, owner, clock, notices);
        }

        /** How often to call {@link EpochStore#renew}, milliseconds. */
        public long beatMillis() {
            return Math.max(1, leaseMillis / 4);
        }
    }

    /**
     * Where to go on.
     *
     * @param undecided whether a deciding sink must be asked first: then call {@link EpochStore#resolve} and, when it does not stand, {@link EpochStore#latest}
     *     again
     */
    public record Latest(Manifest manifest, boolean undecided) {}

    private final ObjectStore store;
    private final String pipeline;
    private final String directory;
    private final Options options;
    private final HeadLog heads;
    private final Lease lease;
    private final Cleaner cleaner;
    private final long generation;
    private final boolean wasReset;

    /** The newest head, as it is stored. */
    private HeadLog.Tip tip;

    /** What the next head shall say: the stored one and what was decided since. */
    private Head head;

    /** A head whose writing failed, so that nobody knows whether it is stored; null when there is none. */
    private Head unsettled;

    /** The manifest that {@link #unsettled} adds; null when it adds none. */
    private Manifest unsettledManifest;

    private long lastIssued;
    private volatile long lastCommitted;
    private volatile boolean fenced;
    private volatile boolean closed;

    private final AtomicLong objectNumber = new AtomicLong();

    /** This owner's objects that no stored manifest names yet, with their epochs. */
    private final Map<String, Long> written = new ConcurrentHashMap<>();

    /** Those of the kept manifests that were read or written. */
    private final Map<Long, Manifest> manifests = new ConcurrentHashMap<>();

    private EpochStore(
            ObjectStore store,
            String pipeline,
            Options options,
            HeadLog heads,
            HeadLog.Tip tip,
            long lastIssued,
            boolean wasReset) {
        this.store = store;
        this.pipeline = pipeline;
        this.directory = directory(pipeline);
        this.options = options;
        this.heads = heads;
        this.tip = tip;
        this.head = tip.head();
        this.wasReset = wasReset;
        this.generation = tip.number();
        this.lease = new Lease(store, directory, pipeline, generation, options.clock());
        this.cleaner = new Cleaner(store, directory, generation, heads);
        this.lastIssued = lastIssued;
        this.lastCommitted = newestEpoch(head);
    }

    static String directory(String pipeline) {
        return ObjectNames.segment(pipeline, LONGEST_NAME);
    }

    private static long newestEpoch(Head head) {
        return head.epochs().isEmpty() ? 0 : head.epochs().getLast().epoch();
    }

    /**
     * Becomes the owner of the pipeline. Waits up to the lease's time when it cannot know otherwise whether an earlier owner lives.
     *
     * @param store stays the caller's to close, after this
     * @throws OwnedException when another process that lives is the owner
     * @throws StoreException when the store is foreign, too new, or damaged beyond use
     */
    public static EpochStore open(ObjectStore store, String pipeline, Options options)
            throws IOException, InterruptedException {
        StoreMarker.require(store);
        String directory = directory(pipeline);
        HeadLog heads = new HeadLog(store, directory, options.notices());
        for (int attempt = 0; ; attempt++) {
            HeadLog.Tip tip = heads.newest();
            requireUsable(tip, store, pipeline, options);
            if (tip.head() != null) {
                Lease.awaitFree(store, directory, tip, options);
            }
            try {
                return claim(store, pipeline, options, heads, tip);
            } catch (FencedException raced) {
                if (attempt == 3) {
                    throw raced; // Others come and go faster than this one looks.
                }
            }
        }
    }

    private static void requireUsable(
            HeadLog.Tip tip, ObjectStore store, String pipeline, Options options)
            throws IOException {
        if (tip.head() == null) {
            if (tip.number() > 0
                    && options.resetToken().isEmpty()
                    && hasManifests(store, pipeline)) {
                throw new DamagedException(
                        "all heads of pipeline '"
                                + pipeline
                                + "' in "
                                + store.location()
                                + " are damaged: restore them from a copy, or start anew with a reset of the state");
            }
            return;
        }
        if (!tip.head().pipeline().equals(pipeline)) {
            throw new StoreException(
                    "the state in "
                            + store.location()
                            + "/"
                            + directory(pipeline)
                            + " is of pipeline '"
                            + tip.head().pipeline()
                            + "', not of '"
                            + pipeline
                            + "'");
        }
    }

    /** A first start that was torn off left damaged heads and has lost nothing: a commit would have left a manifest. */
    private static boolean hasManifests(ObjectStore store, String pipeline) throws IOException {
        return store.list(Cleaner.dataPrefix(directory(pipeline))).stream()
                .anyMatch(name -> name.contains("-" + MANIFEST + "-"));
    }

    private static EpochStore claim(
            ObjectStore store, String pipeline, Options options, HeadLog heads, HeadLog.Tip tip)
            throws IOException {
        Head before = tip.head();
        boolean reset =
                !options.resetToken().isEmpty()
                        && (before == null || !before.resetToken().equals(options.resetToken()));
        long used =
                before == null
                        ? Math.max(highestTrace(store, pipeline), RESERVE * tip.number())
                        : before.reserved() + RESERVE * (tip.number() - tip.headNumber());
        Head mine =
                new Head(
                        tip.sha(),
                        pipeline,
                        tip.number() + 1,
                        options.owner(),
                        options.clock().wallMillis(),
                        false,
                        used + RESERVE,
                        options.resetToken(),
                        reset || before == null ? List.of() : before.epochs());
        EpochStore opened =
                new EpochStore(
                        store, pipeline, options, heads, heads.append(tip, mine), used, reset);
        opened.lease.begin();
        opened.forgetLeases(before);
        return opened;
    }

    /** A start without any readable head: what objects there are tell which epoch numbers were used. */
    private static long highestTrace(ObjectStore store, String pipeline) throws IOException {
        String prefix = Cleaner.dataPrefix(directory(pipeline));
        long highest = 0;
        for (String name : store.list(prefix)) {
            String[] parts = name.substring(prefix.length()).split("/e|-");
            if (parts.length > 1 && parts[1].matches("[0-9]{1,18}")) {
                highest = Math.max(highest, Long.parseLong(parts[1]));
            }
        }
        return highest;
    }

    /** So that an earlier owner that lives after all learns it at its next sign of life. */
    private void forgetLeases(Head before) {
        if (before == null) {
            return;
        }
        try {
            store.delete(Lease.name(directory, before.generation()));
        } catch (IOException failure) {
            // The cleaning removes it.
            cleaner.requireSweep();
        }
    }

    /** This owner's number, higher than any earlier owner's: the fencing token. */
    public long generation() {
        return generation;
    }

    /** Whether the epochs were forgotten at this opening. */
    public boolean wasReset() {
        return wasReset;
    }

    /** A number for an epoch, above all that any owner ever used. */
    public synchronized long nextEpoch() throws IOException {
        requireOwner();
        if (lastIssued >= tip.head().reserved()) {
            settle();
            append(head.reserving(lastIssued + RESERVE), null);
        }
        return ++lastIssued;
    }

    /**
     * Writes an object of the epoch's state. It lives as long as a kept manifest names it; when an epoch of this number or a later one is committed without
     * naming it, it is removed.
     *
     * @param name for people who look into the store; need not be unique
     * @param body is called once, in this thread
     */
    public ObjectRef writeObject(long epoch, String name, ObjectStore.Body body)
            throws IOException {
        requireOwner();
        if (epoch <= lastCommitted) {
            throw new IllegalArgumentException(
                    "epoch " + epoch + " is past: " + lastCommitted + " is committed");
        }
        String object =
                Cleaner.dataPrefix(directory)
                        + ObjectNames.ordinal(generation)
                        + "/e"
                        + epoch
                        + "-"
                        + ObjectNames.segment(name, LONGEST_NAME)
                        + "-"
                        + objectNumber.incrementAndGet();
        written.put(object, epoch);
        BlockSums.Output[] sums = new BlockSums.Output[1];
        boolean created =
                store.putIfAbsent(
                        object,
                        out -> {
                            sums[0] = new BlockSums.Output(out);
                            body.writeTo(sums[0]);
                        });
        if (!created) {
            throw new FencedException(
                    "object " + object + " exists in " + store.location() + " and is not ours");
        }
        if (!written.containsKey(object)) {
            store.delete(object);
            throw new StoreException("epoch " + epoch + " went by while " + name + " was written");
        }
        return sums[0].ref(object);
    }

    /** Reads an object. Bytes are verified before they are handed out, 4 MiB at a time: {@link DamagedException}. The caller closes. */
    public InputStream read(ObjectRef ref) throws IOException {
        return BlockSums.open(store, ref);
    }

    /**
     * Makes the epoch stand, or, when it is pending, makes that a deciding sink can make it stand. When this returns it survives everything but the loss of the
     * store.
     *
     * <p>After an {@link IOException} it is not known whether the epoch stands, and it still may come to: call this again with the same manifest, or let the
     * pipeline fail and recover; do not undo what was prepared for the epoch.
     *
     * @throws IllegalArgumentException when the manifest is not this owner's next one, or names objects that were not written or are removed
     */
    public synchronized void commit(Manifest manifest) throws IOException {
        requireOwner();
        if (unsettledManifest != null && !unsettledManifest.equals(manifest)) {
            settle();
        }
        if (unsettledManifest == null) {
            if (manifest.equals(manifests.get(manifest.epoch()))) {
                return; // An earlier call has come to its end since.
            }
            settle();
            check(manifest);
            ObjectRef ref = write(manifest);
            Head.Entry entry = new Head.Entry(manifest.epoch(), manifest.pending(), ref);
            append(head.with(entry, options.keep()).reserving(reservation()), manifest);
        }
        settle();
    }

    private long reservation() {
        return Math.max(head.reserved(), lastIssued + RESERVE);
    }

    private ObjectRef write(Manifest manifest) throws IOException {
        byte[] bytes = manifest.toBytes();
        return writeObject(manifest.epoch(), MANIFEST, out -> out.write(bytes));
    }

    private void check(Manifest manifest) {
        if (!manifest.pipeline().equals(pipeline) || manifest.generation() != generation) {
            throw new IllegalArgumentException(
                    "a manifest of "
                            + manifest.pipeline()
                            + ", generation "
                            + manifest.generation()
                            + "; expected "
                            + pipeline
                            + ", "
                            + generation);
        }
        if (manifest.epoch() <= newestEpoch(head) || manifest.epoch() > lastIssued) {
            throw new IllegalArgumentException(
                    "epoch "
                            + manifest.epoch()
                            + "; expected one above "
                            + newestEpoch(head)
                            + " from nextEpoch, at most "
                            + lastIssued);
        }
        for (Head.Entry each : head.epochs()) {
            if (each.pending()) {
                throw new IllegalStateException(
                        "epoch " + each.epoch() + " is pending: resolve it first");
            }
        }
        Set<String> kept = new HashSet<>();
        head.epochs().forEach(each -> addNames(manifests.get(each.epoch()), kept));
        manifest.objects()
                .filter(ref -> !written.containsKey(ref.name()) && !kept.contains(ref.name()))
                .findAny()
                .ifPresent(
                        ref -> {
                            throw new IllegalArgumentException(
                                    "object " + ref.name() + " is not in the store's care");
                        });
    }

    private static void addNames(Manifest manifest, Set<String> names) {
        if (manifest != null) {
            manifest.objects().map(ObjectRef::name).forEach(names::add);
        }
    }

    /**
     * Says what the deciding sink's transaction said about a pending epoch. This costs no I/O: it is stored with the next head, and a restart before that finds
     * the epoch pending again and asks again.
     */
    public synchronized void resolve(long epoch, boolean stands) throws IOException {
        requireOwner();
        settle();
        if (head.epochs().stream().noneMatch(each -> each.epoch() == epoch && each.pending())) {
            throw new IllegalStateException("epoch " + epoch + " is not pending");
        }
        head = stands ? head.resolved(epoch) : head.without(epoch);
    }

    /**
     * The newest whole epoch, or empty when the pipeline never had one (or was reset). Newer ones that are damaged are left out, with a notice, for good.
     * Lengths are checked here and contents while reading: when {@link #read} finds damage call {@link #condemn} and this again.
     *
     * @throws DamagedException when there are epochs and none is whole
     */
    public synchronized Optional<Latest> latest() throws IOException {
        requireOwner();
        settle();
        boolean any = !head.epochs().isEmpty();
        for (Head.Entry entry : head.epochs().reversed()) {
            try {
                Manifest manifest = load(entry);
                requireLengths(manifest);
                return Optional.of(new Latest(manifest, entry.pending()));
            } catch (DamagedException damaged) {
                condemn(entry.epoch(), damaged.getMessage());
            }
        }
        if (any || isBereft) {
            isBereft = true;
            throw new DamagedException(
                    "no epoch of pipeline '"
                            + pipeline
                            + "' in "
                            + store.location()
                            + " is whole: restore the store from a copy, or start anew with a reset of the state");
        }
        return Optional.empty();
    }

    /** All epochs there were are damaged. */
    private boolean isBereft;

    /** Leaves an epoch out for good, since damage was found in it. */
    public synchronized void condemn(long epoch, String why) throws IOException {
        requireOwner();
        settle();
        int before = head.epochs().size();
        head = head.without(epoch);
        if (head.epochs().size() < before) {
            isBereft = head.epochs().isEmpty();
            options.notices().accept("epoch " + epoch + " is damaged and left out: " + why);
        }
    }

    private Manifest load(Head.Entry entry) throws IOException {
        Manifest known = manifests.get(entry.epoch());
        if (known != null) {
            return known;
        }
        Manifest manifest = readManifest(store, pipeline, entry);
        manifests.put(entry.epoch(), manifest);
        return manifest;
    }

    static Manifest readManifest(ObjectStore store, String pipeline, Head.Entry entry)
            throws IOException {
        byte[] bytes;
        try (InputStream in = BlockSums.open(store, entry.manifest())) {
            bytes = in.readAllBytes();
        }
        Manifest manifest = Manifest.fromBytes(bytes, "manifest " + entry.manifest().name());
        if (manifest.epoch() != entry.epoch() || !manifest.pipeline().equals(pipeline)) {
            throw new DamagedException(
                    "manifest "
                            + entry.manifest().name()
                            + " is of epoch "
                            + manifest.epoch()
                            + " of "
                            + manifest.pipeline());
        }
        return manifest;
    }

    private void requireLengths(Manifest manifest) throws IOException {
        for (ObjectRef ref : (Iterable<ObjectRef>) manifest.objects().distinct()::iterator) {
            requireLength(store, ref);
        }
    }

    static void requireLength(ObjectStore store, ObjectRef ref) throws IOException {
        OptionalLong length = store.length(ref.name());
        if (length.isEmpty()) {
            throw BlockSums.missing(store, ref.name());
        }
        if (length.getAsLong() != ref.length()) {
            throw BlockSums.wrongLength(
                    ref.name(), ref.length(), String.valueOf(length.getAsLong()));
        }
    }

    /** Shows that this owner lives. */
    public void renew() throws IOException {
        requireOwner();
        try {
            lease.renew();
        } catch (FencedException taken) {
            fenced = true;
            throw taken;
        }
    }

    /**
     * Removes what no kept epoch needs. Nothing waits for it; a failure is made up for by a later call. One call at a time does anything.
     *
     * @return how many objects were removed
     */
    public int clean() throws IOException {
        synchronized (cleaner) {
            Cleaner.Round round;
            List<Head.Entry> kept;
            synchronized (this) {
                requireOwner();
                round = cleaner.begin(tip.number());
                kept = tip.head().epochs();
            }
            Set<String> needed;
            try {
                needed = needed(kept);
            } catch (IOException | RuntimeException failure) {
                cleaner.undo(round);
                throw failure;
            }
            return cleaner.finish(round, needed);
        }
    }

    private Set<String> needed(List<Head.Entry> kept) throws IOException {
        Set<String> needed = new HashSet<>();
        for (Head.Entry each : kept) {
            needed.add(each.manifest().name());
            Manifest manifest = manifests.get(each.epoch());
            try {
                addNames(manifest == null ? readManifest(store, pipeline, each) : manifest, needed);
            } catch (DamagedException damaged) {
                options.notices().accept(damaged.getMessage());
            }
        }
        return needed;
    }

    /** Leaves the pipeline in order, so that the next owner need not wait. May be called again after a failure; nothing else may be. */
    @Override
    public synchronized void close() throws IOException {
        closed = true; // First: a failed release may have given this owner's numbers away.
        if (tip.head().released() || fenced) {
            return;
        }
        settle();
        if (!tip.head().released()) {
            append(head.released(lastIssued), null);
        }
    }

    private void requireOwner() throws FencedException {
        if (fenced) {
            throw new FencedException(
                    "pipeline '" + pipeline + "' has another owner now: this process must stop");
        }
        if (closed) {
            throw new IllegalStateException("closed");
        }
    }

    private void append(Head next, Manifest manifest) throws IOException {
        unsettled = next.after(tip.sha());
        unsettledManifest = manifest;
        settle();
    }

    /** Brings a head whose fate is unknown to its end. */
    private void settle() throws IOException {
        if (unsettled == null) {
            return;
        }
        List<Head.Entry> before = tip.head().epochs();
        try {
            tip = heads.append(tip, unsettled);
        } catch (FencedException other) {
            fenced = true;
            throw other;
        }
        head = unsettled;
        unsettled = null;
        if (unsettledManifest != null) {
            Manifest stored = unsettledManifest;
            unsettledManifest = null;
            adopt(stored);
        }
        forget(before);
    }

    private void adopt(Manifest manifest) {
        manifests.put(manifest.epoch(), manifest);
        lastCommitted = manifest.epoch();
        Set<String> named = new HashSet<>();
        addNames(manifest, named);
        named.add(head.epochs().getLast().manifest().name());
        Set<String> unused = new HashSet<>();
        written.forEach(
                (name, epoch) -> {
                    if (epoch <= manifest.epoch() && !named.contains(name)) {
                        unused.add(name);
                    }
                });
        written.keySet().removeAll(named);
        written.keySet().removeAll(unused);
        cleaner.suspect(unused);
    }

    /** What was kept before and is not now may go. */
    private void forget(List<Head.Entry> before) {
        Set<Long> kept = new HashSet<>();
        head.epochs().forEach(each -> kept.add(each.epoch()));
        for (Head.Entry each : before) {
            if (kept.contains(each.epoch())) {
                continue;
            }
            Set<String> names = new HashSet<>();
            names.add(each.manifest().name());
            Manifest manifest = manifests.remove(each.epoch());
            addNames(manifest, names);
            cleaner.suspect(names);
            if (manifest == null) {
                cleaner.requireSweep();
            }
        }
    }
}
