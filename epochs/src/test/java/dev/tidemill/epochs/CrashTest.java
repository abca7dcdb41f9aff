package dev.tidemill.epochs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.tidemill.epochs.EpochStore.Latest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Random lives of owners on one store: they commit, clean, lose connections, die at any operation, and come back as zombies. What a pipeline relies on is
 * compared with a model: a commit that returned stands, one that failed may, and nothing else is ever found.
 */
class CrashTest {
    private static final int SEEDS = 3_000;

    @Test
    void randomLives() throws Exception {
        for (int seed = 0; seed < SEEDS; seed++) {
            try {
                new Lives(seed).run();
            } catch (Throwable failure) {
                throw new AssertionError("seed " + seed, failure);
            }
        }
    }

    /** Every operation of a fixed life is the last one once, torn or not. */
    @Test
    void aDeathAtEachOperation() throws Exception {
        int deaths = 0;
        for (int operation = 0; ; operation++) {
            boolean died = false;
            for (int seed = 0; seed < 4; seed++) {
                Lives lives = new Lives(seed);
                lives.oneLife(-1);
                died |= lives.oneLife(operation);
                lives.check();
            }
            if (!died) {
                break;
            }
            deaths++;
        }
        assertThat(deaths).isGreaterThan(40);
    }

    private static final class Lives {
        private final MemoryStore objects = new MemoryStore();
        private final Random random;
        private final TestClock clock = new TestClock();

        /** What each epoch that was ever given to commit contains. */
        private final Map<Long, String> contents = new HashMap<>();

        private final Set<Long> issued = new HashSet<>();

        /** The newest epoch whose commit returned. */
        private long certain;

        /** Epochs above it whose commit failed or was cut short. */
        private final Set<Long> possible = new HashSet<>();

        /** What deciding sinks said about pending epochs: once said it stays. */
        private final Map<Long, Boolean> decisions = new HashMap<>();

        private final List<Life> zombies = new ArrayList<>();

        Lives(long seed) {
            this.random = new Random(seed);
        }

        void run() throws Exception {
            int lives = 2 + random.nextInt(8);
            for (int i = 0; i < lives; i++) {
                oneLife(random.nextInt(3) == 0 ? -1 : random.nextInt(150));
            }
            check();
            checkSize();
        }

        /** @return whether it died of its store */
        boolean oneLife(long untilCrash) throws Exception {
            FaultyStore view = new FaultyStore(objects, random);
            view.untilCrash = untilCrash;
            view.tears = random.nextBoolean();
            view.failsOneIn = random.nextInt(3) == 0 ? 15 : 0;
            try {
                live(view);
            } catch (FaultyStore.Crash crash) {
                // The next life finds what is left.
            } catch (IOException failure) {
                // Only with a network that fails; then even a take-over from itself is possible.
                if (view.failsOneIn == 0) {
                    throw failure;
                }
            }
            return view.isDead;
        }

        private void live(FaultyStore view) throws Exception {
            EpochStore store = EpochStore.open(view, "p", options());
            Life life = new Life(store, view);
            if (random.nextInt(3) == 0) {
                zombies.add(life); // It will act again when it has long been replaced.
            }
            life.recover();
            int steps = random.nextInt(12);
            for (int i = 0; i < steps; i++) {
                life.step();
                if (!zombies.isEmpty() && random.nextInt(4) == 0) {
                    Life zombie = zombies.get(random.nextInt(zombies.size()));
                    if (zombie != life) {
                        zombie.haunt();
                    }
                }
            }
            if (random.nextBoolean()) {
                store.close();
                zombies.remove(life);
            }
        }

        private EpochStore.Options options() {
            return EpochStore.Options.defaults(notice -> {})
                    .withKeep(1 + random.nextInt(3))
                    .withClock(clock)
                    .withOwner(new Owner("test", "", 1, 0));
        }

        void check() throws Exception {
            EpochStore store = EpochStore.open(objects, "p", options());
            Life life = new Life(store, new FaultyStore(objects, random));
            life.isCalm = true;
            life.recover();
            for (int i = 0; i < 4; i++) {
                life.commit();
            }
            store.clean();
            store.close();
            StoreReport report =
                    StoreReport.of(objects, "p", StoreReport.Depth.VERIFY).orElseThrow();
            assertThat(report.epochs()).allMatch(each -> each.problems().isEmpty());
            assertThat(report.superfluous()).isZero();
        }

        /** After a cleaning nothing is left of all the lives but what the kept epochs need. */
        void checkSize() {
            assertThat(objects.list("p/heads/")).hasSizeLessThanOrEqualTo(HeadLog.KEPT + 1);
            assertThat(objects.list("p/lease/")).hasSizeLessThanOrEqualTo(2);
            assertThat(objects.list("").size() - objects.list("p/").size()).isEqualTo(1);
        }

        private final class Life {
            private final EpochStore store;
            private final FaultyStore view;
            private List<ObjectRef> state = new ArrayList<>();
            private String text = "";
            private boolean isCalm;
            private ObjectRef uncommitted;
            private String uncommittedText;

            Life(EpochStore store, FaultyStore view) {
                this.store = store;
                this.view = view;
            }

            void recover() throws IOException {
                Latest latest = store.latest().orElse(null);
                if (latest != null && latest.undecided()) {
                    long epoch = latest.manifest().epoch();
                    requirePossible(epoch);
                    boolean stands = decisions.computeIfAbsent(epoch, e -> random.nextBoolean());
                    store.resolve(epoch, stands);
                    latest = store.latest().orElse(null);
                    if (stands) {
                        certain = epoch;
                    } else {
                        assertThat(latest == null || latest.manifest().epoch() < epoch).isTrue();
                    }
                }
                long found = latest == null ? 0 : latest.manifest().epoch();
                requirePossible(found);
                certain = found;
                possible.removeIf(each -> each <= found);
                if (latest != null) {
                    assertThat(latest.undecided()).isFalse();
                    state.addAll(latest.manifest().objects().toList());
                    text = read(state);
                    assertThat(text).isEqualTo(contents.get(found));
                }
            }

            private void requirePossible(long found) {
                if (found != certain && !possible.contains(found)) {
                    fail("found epoch " + found + ", expected " + certain + " or " + possible);
                }
            }

            private String read(List<ObjectRef> refs) throws IOException {
                StringBuilder all = new StringBuilder();
                for (ObjectRef ref : refs) {
                    try (var in = store.read(ref)) {
                        all.append(new String(in.readAllBytes(), StandardCharsets.UTF_8));
                    }
                }
                return all.toString();
            }

            void step() throws IOException {
                switch (random.nextInt(8)) {
                    case 0 -> store.renew();
                    case 1, 2 -> store.clean();
                    case 3 -> abortEpoch();
                    default -> commit();
                }
            }

            private long next() throws IOException {
                long epoch = store.nextEpoch();
                assertThat(issued.add(epoch)).as("epoch %s is new", epoch).isTrue();
                return epoch;
            }

            /** Something is written and the epoch given up; the next one may use it. */
            private void abortEpoch() throws IOException {
                long epoch = next();
                String piece = "(" + epoch + ")";
                ObjectRef ref =
                        store.writeObject(
                                epoch, "s", out -> out.write(EpochStoreTest.bytes(piece)));
                if (random.nextBoolean()) {
                    uncommitted = ref;
                    uncommittedText = piece;
                }
            }

            void commit() throws IOException {
                long epoch = next();
                List<ObjectRef> refs = new ArrayList<>(state);
                String all = text;
                if (uncommitted != null) {
                    refs.add(uncommitted);
                    all += uncommittedText;
                }
                if (refs.size() > 4) {
                    refs.clear(); // A full image again.
                    all = "";
                }
                String piece = "<" + epoch + ">";
                for (int i = 0; i < 1 + random.nextInt(2); i++) {
                    refs.add(
                            store.writeObject(
                                    epoch, "s", out -> out.write(EpochStoreTest.bytes(piece))));
                    all += piece;
                }
                boolean pending = !isCalm && random.nextInt(4) == 0;
                contents.put(epoch, all);
                possible.add(epoch);
                Manifest manifest =
                        EpochStoreTest.manifest(
                                store, epoch, pending, refs.toArray(ObjectRef[]::new));
                commitUntilKnown(manifest);
                uncommitted = null;
                if (pending && random.nextInt(3) == 0) {
                    throw new FaultyStore.Crash(); // Before anyone said whether it stands.
                }
                if (pending) {
                    decisions.put(epoch, true);
                    certain = epoch;
                    store.resolve(epoch, true);
                }
                certain = epoch;
                possible.removeIf(each -> each <= epoch);
                state = refs;
                text = all;
            }

            private void commitUntilKnown(Manifest manifest) throws IOException {
                for (int attempt = 0; ; attempt++) {
                    try {
                        store.commit(manifest);
                        return;
                    } catch (FencedException fenced) {
                        throw fenced;
                    } catch (IOException failure) {
                        if (attempt == 3) {
                            throw failure;
                        }
                    }
                }
            }

            /** A process that was replaced tries to go on. It must not come through, nor do harm. */
            void haunt() {
                long was = certain;
                Set<Long> could = Set.copyOf(possible);
                try {
                    switch (random.nextInt(3)) {
                        case 0 -> store.clean();
                        case 1 -> store.renew();
                        default -> {
                            commit();
                            fail("a zombie committed epoch " + certain);
                        }
                    }
                } catch (IOException | FaultyStore.Crash | IllegalStateException expected) {
                    // Fenced, dead, closed, or cut off.
                }
                certain = was;
                possible.clear();
                possible.addAll(could);
            }
        }
    }
}
