package dev.tidemill.epochs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryStoreTest {
    @TempDir Path directory;

    @Test
    void keepsToTheContract() throws Exception {
        ObjectStoreContract.check(DirectoryStore.open(directory.resolve("a/b")));
        ObjectStoreContract.check(new MemoryStore());
    }

    @Test
    void aNameIsTakenByOneOfMany() throws Exception {
        DirectoryStore store = DirectoryStore.open(directory);
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            for (int round = 0; round < 20; round++) {
                String name = "x/" + round + "/object";
                CountDownLatch start = new CountDownLatch(1);
                List<Future<Boolean>> tries = new ArrayList<>();
                for (int i = 0; i < 8; i++) {
                    byte[] mine = new byte[100_000 + i];
                    tries.add(
                            threads.submit(
                                    () -> {
                                        start.await();
                                        return store.putIfAbsent(name, mine);
                                    }));
                }
                start.countDown();
                int won = 0;
                for (Future<Boolean> each : tries) {
                    won += each.get() ? 1 : 0;
                }
                assertThat(won).isEqualTo(1);
                assertThat(store.length(name).getAsLong()).isGreaterThanOrEqualTo(100_000);
            }
        }
        assertThat(Files.list(directory.resolve(".tidemill-unfinished"))).isEmpty();
    }

    @Test
    void aFailedWriteLeavesNothing() throws Exception {
        DirectoryStore store = DirectoryStore.open(directory);
        assertThatThrownBy(
                        () ->
                                store.putIfAbsent(
                                        "a",
                                        out -> {
                                            out.write(1);
                                            throw new IOException("No space left on device");
                                        }))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("is full");
        assertThat(store.list("")).isEmpty();
        assertThat(Files.list(directory.resolve(".tidemill-unfinished"))).isEmpty();
    }

    @Test
    void emptyDirectoriesDoNotStay() throws Exception {
        DirectoryStore store = DirectoryStore.open(directory);
        store.putIfAbsent("a/b/c", new byte[1]);
        store.delete("a/b/c");
        assertThat(directory.resolve("a")).doesNotExist();
        assertThat(directory).exists();
    }

    @Test
    void aPlaceThatCannotBeUsedIsNamed() throws Exception {
        Path file = Files.write(directory.resolve("file"), new byte[1]);
        assertThatThrownBy(() -> DirectoryStore.open(file))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("is a file, expected a directory");
        assertThatThrownBy(() -> DirectoryStore.open(file.resolve("below")))
                .isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> DirectoryStore.openToRead(directory.resolve("absent")))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("there is no state store");
        // Not even the superuser may write there.
        assumeTrue(Files.isDirectory(Path.of("/proc/1")));
        assertThatThrownBy(() -> DirectoryStore.open(Path.of("/proc/tidemill")))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("/proc/tidemill");
    }

    @Test
    void locationsAreTexts() throws Exception {
        assertThat(StoreLocation.open("memory", name -> null).location()).isEqualTo("memory");
        Path inside = directory.resolve("x y");
        assertThat(StoreLocation.open(inside.toUri().toString(), name -> null).location())
                .isEqualTo(inside.toString());
        assertThat(StoreLocation.open(inside.toString(), name -> null).location())
                .isEqualTo(inside.toString());
        assertThatThrownBy(() -> StoreLocation.open("gs://bucket/x", name -> null))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("gs:// is not in this version");
        assertThatThrownBy(() -> StoreLocation.open("ftp://x", name -> null))
                .hasMessageContaining("ftp:// is not known");
        assertThatThrownBy(() -> StoreLocation.open("file://relative/x", name -> null))
                .isInstanceOf(StoreException.class);
    }

    @Test
    void aStoreOfADirectoryIsFoundAgain() throws Exception {
        EpochStore.Options options =
                EpochStore.Options.defaults(notice -> {}).withClock(new TestClock());
        try (EpochStore first = EpochStore.open(DirectoryStore.open(directory), "p", options)) {
            long epoch = first.nextEpoch();
            ObjectRef ref = EpochStoreTest.write(first, epoch, "one");
            first.commit(EpochStoreTest.manifest(first, epoch, false, ref));
        }
        EpochStore second = EpochStore.open(DirectoryStore.open(directory), "p", options);
        assertThat(EpochStoreTest.text(second)).isEqualTo("one");
    }

    @Test
    void readingWhatIsNotThereSaysSo() throws Exception {
        DirectoryStore store = DirectoryStore.open(directory);
        assertThatThrownBy(() -> store.read("a", 0)).isInstanceOf(NoSuchFileException.class);
    }
}
