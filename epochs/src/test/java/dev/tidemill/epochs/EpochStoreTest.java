package dev.tidemill.epochs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemill.epochs.Manifest.Kind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EpochStoreTest {
    private final List<String> notices = new ArrayList<>();
    private final TestClock clock = new TestClock();
    private final MemoryStore objects = new MemoryStore();

    private EpochStore.Options options() {
        return EpochStore.Options.defaults(notices::add)
                .withClock(clock)
                .withOwner(new Owner("test", "", 1, 0));
    }

    private EpochStore open() throws Exception {
        return EpochStore.open(objects, "p", options());
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static ObjectRef write(EpochStore store, long epoch, String text) throws IOException {
        return store.writeObject(epoch, "count", out -> out.write(bytes(text)));
    }

    static Manifest manifest(EpochStore store, long epoch, boolean pending, ObjectRef... refs) {
        return new Manifest(
                "p",
                epoch,
                store.generation(),
                0,
                Kind.PERIODIC,
                pending,
                "plan",
                128,
                Map.of(),
                Map.of(),
                Map.of("count", List.of(new Manifest.TaskState(List.of(refs)))),
                Map.of(),
                Map.of());
    }

    private static long commit(EpochStore store, String text) throws IOException {
        long epoch = store.nextEpoch();
        store.commit(manifest(store, epoch, false, write(store, epoch, text)));
        return epoch;
    }

    static String text(EpochStore store) throws IOException {
        Manifest manifest = store.latest().orElseThrow().manifest();
        StringBuilder all = new StringBuilder();
        for (ObjectRef ref : manifest.objects().toList()) {
            try (var in = store.read(ref)) {
                all.append(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        return all.toString();
    }

    private String nameOf(String part) {
        return objects.list("").stream()
                .filter(name -> name.contains(part))
                .reduce((first, second) -> second)
                .orElseThrow();
    }

    @Test
    void anEpochOutlivesItsOwner() throws Exception {
        EpochStore first = open();
        assertThat(first.latest()).isEmpty();
        long epoch = commit(first, "one");
        first.close();

        EpochStore second = open();
        assertThat(clock.slept).isZero();
        assertThat(second.generation()).isGreaterThan(first.generation());
        assertThat(second.latest().orElseThrow().manifest().epoch()).isEqualTo(epoch);
        assertThat(text(second)).isEqualTo("one");
        assertThat(second.nextEpoch()).isEqualTo(epoch + 1);
    }

    @Test
    void epochNumbersAreAboveThoseOfADeadOwnerThatNeverCommitted() throws Exception {
        EpochStore first = open();
        long highest = 0;
        for (int i = 0; i < 50; i++) {
            highest = first.nextEpoch();
        }
        assertThat(highest).isEqualTo(50);
        EpochStore second = open();
        assertThat(second.nextEpoch()).isGreaterThan(highest);
    }

    @Test
    void aLivingOwnerIsNamedAndADeadOneReplaced() throws Exception {
        EpochStore first = open();
        clock.onSleep =
                () -> {
                    try {
                        first.renew();
                    } catch (IOException failure) {
                        throw new AssertionError(failure);
                    }
                };
        assertThatThrownBy(this::open)
                .isInstanceOf(OwnedException.class)
                .hasMessageContaining("pipeline 'p' is run by test since 1970");
        clock.onSleep = () -> {};
        EpochStore second = open();
        assertThat(clock.slept).isGreaterThanOrEqualTo(10_000);
        assertThatThrownBy(first::renew).isInstanceOf(FencedException.class);
        second.renew();
    }

    @Test
    void aProcessThatIsSurelyGoneIsNotWaitedFor() throws Exception {
        Process gone = new ProcessBuilder("true").start();
        Owner mine = Owner.current();
        Owner other = new Owner("gone", mine.space(), gone.pid(), 1);
        gone.waitFor();
        EpochStore.open(objects, "p", options().withOwner(other));
        EpochStore.open(objects, "p", options().withOwner(mine));
        if (!mine.space().isEmpty()) {
            assertThat(clock.slept).isZero();
        }
    }

    @Test
    void aZombieCannotCommit() throws Exception {
        EpochStore zombie = open();
        long epoch = zombie.nextEpoch();
        Manifest late = manifest(zombie, epoch, false, write(zombie, epoch, "late"));
        EpochStore owner = open();
        assertThatThrownBy(() -> zombie.commit(late)).isInstanceOf(FencedException.class);
        assertThatThrownBy(zombie::nextEpoch).isInstanceOf(FencedException.class);
        commit(owner, "good");
        assertThat(text(open())).isEqualTo("good");
    }

    @Test
    void aZombieThatSleptUntilItsNextHeadWasRemovedCannotCommit() throws Exception {
        EpochStore zombie = open();
        commit(zombie, "early");
        long epoch = zombie.nextEpoch();
        Manifest late = manifest(zombie, epoch, false, write(zombie, epoch, "late"));
        EpochStore owner = open();
        for (int i = 0; i < 3 * HeadLog.KEPT; i++) {
            commit(owner, "good" + i);
            owner.clean();
        }
        assertThatThrownBy(() -> zombie.commit(late)).isInstanceOf(FencedException.class);
        assertThat(text(open())).isEqualTo("good" + (3 * HeadLog.KEPT - 1));
    }

    @Test
    void aZombiesCleaningTakesNothingThatTheOwnerNeeds() throws Exception {
        EpochStore zombie = open();
        commit(zombie, "a");
        commit(zombie, "b");
        commit(zombie, "c");
        EpochStore owner = open();
        assertThat(text(owner)).isEqualTo("c");
        commit(owner, "d");
        zombie.clean();
        EpochStore next = open();
        assertThat(text(next)).isEqualTo("d");
        assertThat(StoreReport.of(objects, "p", StoreReport.Depth.VERIFY).orElseThrow().isWhole())
                .isTrue();
    }

    @Test
    void aPendingEpochStandsWhenItsTransactionDoes() throws Exception {
        EpochStore first = open();
        commit(first, "one");
        long epoch = first.nextEpoch();
        first.commit(manifest(first, epoch, true, write(first, epoch, "two")));
        assertThatThrownBy(() -> commit(first, "three"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("pending");

        EpochStore second = open();
        EpochStore.Latest latest = second.latest().orElseThrow();
        assertThat(latest.undecided()).isTrue();
        second.resolve(epoch, false);
        assertThat(text(second)).isEqualTo("one");

        EpochStore third = open();
        assertThat(third.latest().orElseThrow().undecided()).isTrue();
        third.resolve(epoch, true);
        assertThat(text(third)).isEqualTo("two");
        commit(third, "three");
        assertThat(text(open())).isEqualTo("three");
    }

    @Test
    void onlyWhatKeptEpochsNeedStays() throws Exception {
        EpochStore store = open();
        long epoch = store.nextEpoch();
        ObjectRef full = write(store, epoch, "full");
        ObjectRef unused = write(store, epoch, "unused");
        store.commit(manifest(store, epoch, false, full));
        for (int i = 0; i < 100; i++) {
            epoch = store.nextEpoch();
            store.commit(manifest(store, epoch, false, full, write(store, epoch, "+" + i)));
            store.clean();
        }
        assertThat(objects.get(unused.name())).isEmpty();
        assertThat(text(store)).isEqualTo("full+99");
        // Two manifests, the full image, two deltas; heads, hint, lease, marker.
        assertThat(objects.list("p/data")).hasSize(5);
        assertThat(objects.list("")).hasSizeLessThanOrEqualTo(5 + HeadLog.KEPT + 1 + 3);

        EpochStore next = open();
        commit(next, "new");
        commit(next, "newer");
        next.clean();
        assertThat(objects.list("p/data")).hasSize(4);
        assertThat(objects.list("p/lease")).hasSize(1);
    }

    @Test
    void anObjectThatIsNotInTheStoresCareIsRefused() throws Exception {
        EpochStore store = open();
        long epoch = store.nextEpoch();
        ObjectRef ref = write(store, epoch, "unused");
        store.commit(manifest(store, epoch, false));
        long next = store.nextEpoch();
        assertThatThrownBy(() -> store.commit(manifest(store, next, false, ref)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not in the store's care");
        assertThatThrownBy(() -> write(store, epoch, "late")).hasMessageContaining("is past");
    }

    @Test
    void aResetActsOnceForItsToken() throws Exception {
        EpochStore first = open();
        long epoch = commit(first, "one");
        EpochStore second = EpochStore.open(objects, "p", options().withReset("1"));
        assertThat(second.wasReset()).isTrue();
        assertThat(second.latest()).isEmpty();
        assertThat(commit(second, "two")).isGreaterThan(epoch);

        EpochStore third = EpochStore.open(objects, "p", options().withReset("1"));
        assertThat(third.wasReset()).isFalse();
        assertThat(text(third)).isEqualTo("two");
        third.clean();
        assertThat(objects.list("p/data")).hasSize(2);

        open();
        assertThat(EpochStore.open(objects, "p", options().withReset("1")).wasReset()).isTrue();
    }

    @Test
    void eachDamageIsFoundAndTheEpochBeforeIsUsed() throws Exception {
        Map<String, Damage> damages =
                Map.of(
                        "torn manifest", name -> truncate(nameOf("-manifest-")),
                        "flipped manifest", name -> flip(nameOf("-manifest-")),
                        "missing manifest", name -> objects.delete(nameOf("-manifest-")),
                        "short object", name -> truncate(name),
                        "missing object", name -> objects.delete(name),
                        "long object", name -> objects.put(name, bytes("much longer than that")));
        for (Map.Entry<String, Damage> each : damages.entrySet()) {
            objects.list("").forEach(objects::delete);
            notices.clear();
            EpochStore first = open();
            commit(first, "one");
            long epoch = first.nextEpoch();
            ObjectRef ref = write(first, epoch, "two");
            first.commit(manifest(first, epoch, false, ref));
            each.getValue().to(ref.name());

            StoreReport report =
                    StoreReport.of(objects, "p", StoreReport.Depth.VERIFY).orElseThrow();
            assertThat(report.isWhole()).as(each.getKey()).isFalse();
            assertThat(report.epochs().getFirst().problems()).isEmpty();
            EpochStore second = open();
            assertThat(text(second)).as(each.getKey()).isEqualTo("one");
            assertThat(notices).anyMatch(n -> n.contains("epoch " + epoch + " is damaged"));
            commit(second, "three");
            assertThat(text(open())).isEqualTo("three");
        }
    }

    @Test
    void aFlippedBitIsFoundBeforeItIsUsed() throws Exception {
        EpochStore first = open();
        commit(first, "one");
        long epoch = first.nextEpoch();
        ObjectRef ref = write(first, epoch, "two");
        first.commit(manifest(first, epoch, false, ref));
        flip(ref.name());

        EpochStore second = open();
        Manifest manifest = second.latest().orElseThrow().manifest();
        assertThatThrownBy(() -> second.read(ref).read())
                .isInstanceOf(DamagedException.class)
                .hasMessageContaining("checksum");
        second.condemn(manifest.epoch(), "checksum");
        assertThat(text(second)).isEqualTo("one");
    }

    @Test
    void withoutAnyWholeEpochNothingStartsInSilence() throws Exception {
        EpochStore first = open();
        ObjectRef ref = write(first, 1, "one");
        first.nextEpoch();
        first.commit(manifest(first, 1, false, ref));
        objects.delete(ref.name());
        EpochStore second = open();
        assertThatThrownBy(second::latest)
                .isInstanceOf(DamagedException.class)
                .hasMessageContaining("no epoch of pipeline 'p'")
                .hasMessageContaining("reset");
        assertThatThrownBy(second::latest).isInstanceOf(DamagedException.class);
    }

    @Test
    void aDamagedHeadFallsBackToTheOneBefore() throws Exception {
        EpochStore first = open();
        commit(first, "one");
        commit(first, "two");
        truncate(nameOf("/heads/"));
        EpochStore second = open();
        assertThat(text(second)).isEqualTo("one");
        assertThat(notices).anyMatch(n -> n.contains("/heads/"));
        assertThat(second.nextEpoch()).isGreaterThan(2);
        commit(second, "three");
        assertThat(text(open())).isEqualTo("three");
    }

    @Test
    void whenAllHeadsAreDamagedOnlyAResetGoesOn() throws Exception {
        EpochStore first = open();
        long epoch = commit(first, "one");
        objects.list("p/heads/").forEach(this::flip);
        assertThatThrownBy(this::open)
                .isInstanceOf(DamagedException.class)
                .hasMessageContaining("all heads")
                .hasMessageContaining("reset");
        EpochStore second = EpochStore.open(objects, "p", options().withReset("now"));
        assertThat(second.latest()).isEmpty();
        assertThat(second.nextEpoch()).isGreaterThan(epoch);
    }

    @Test
    void aFirstStartThatWasTornOffIsNoObstacle() throws Exception {
        open().nextEpoch();
        objects.list("p/heads/").forEach(this::flip);
        EpochStore second = open();
        assertThat(second.latest()).isEmpty();
        assertThat(second.nextEpoch()).isGreaterThan(1);
    }

    @Test
    void withoutTheHintOrWithAnOldOneTheNewestHeadIsFound() throws Exception {
        EpochStore first = open();
        byte[] old = objects.get("p/hint").orElseThrow();
        for (int i = 0; i < 2 * HeadLog.KEPT; i++) {
            commit(first, "e" + i);
        }
        objects.put("p/hint", old);
        assertThat(text(open())).isEqualTo("e63");
        EpochStore third = open();
        third.clean();
        objects.put("p/hint", old);
        assertThat(text(open())).isEqualTo("e63");
        objects.delete("p/hint");
        assertThat(text(open())).isEqualTo("e63");
        objects.put("p/hint", bytes("nonsense"));
        assertThat(text(open())).isEqualTo("e63");
    }

    @Test
    void aForeignPlaceIsRefusedAndLeftAsItIs() {
        objects.put("holiday.jpg", bytes("x"));
        assertThatThrownBy(this::open)
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("not a state store and not empty (it has holiday.jpg)");
        assertThat(objects.list("")).containsExactly("holiday.jpg");
    }

    @Test
    void aNewerFormatIsRefused() {
        objects.put("tidemill-store.json", Documents.seal(Documents.create().put("format", 9)));
        assertThatThrownBy(this::open)
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("format 9")
                .hasMessageContaining("newer version");
    }

    @Test
    void pipelinesOfOneStoreDoNotMeet() throws Exception {
        EpochStore odd = EpochStore.open(objects, "../p/ä b", options());
        EpochStore plain = open();
        assertThat(objects.list("")).allMatch(name -> !name.contains(".."));
        plain.close();
        odd.close();
    }

    @FunctionalInterface
    private interface Damage {
        void to(String object) throws Exception;
    }

    private void truncate(String name) {
        byte[] bytes = objects.get(name).orElseThrow();
        objects.put(name, java.util.Arrays.copyOf(bytes, bytes.length - 1));
    }

    private void flip(String name) {
        byte[] bytes = objects.get(name).orElseThrow();
        bytes[bytes.length / 2] ^= 4;
        objects.put(name, bytes);
    }
}
