package dev.tidemill.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemill.epochs.DirectoryStore;
import dev.tidemill.epochs.MemoryStore;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs that crash between any two steps and go on from the last epoch give the rows of a run without a crash, each once. */
class CrashTest {
    private static final int SEEDS = 400;
    private static final Map<Integer, List<String>> EXPECTED = new HashMap<>();

    private static final int SEEDS_ON_DISK = 12;

    @Test
    void everyRowComesOnce() throws Exception {
        for (long seed = 0; seed < SEEDS; seed++) {
            MemoryStore store = new MemoryStore();
            everyRowComesOnce(seed, () -> store);
        }
    }

    @Test
    void everyRowComesOnceFromADirectory(@TempDir Path folder) throws Exception {
        for (long seed = SEEDS; seed < SEEDS + SEEDS_ON_DISK; seed++) {
            Path own = folder.resolve("seed-" + seed);
            everyRowComesOnce(seed, () -> DirectoryStore.open(own));
        }
    }

    private static void everyRowComesOnce(long seed, Runs.Stores stores) throws Exception {
        int p = new Random(~seed).nextInt(SeedsTest.PIPELINES.size());
        String pipeline = SeedsTest.PIPELINES.get(p);
        assertThat(Runs.canonical(Runs.crashing(pipeline, Runs.GOLDEN, seed, stores)))
                .as("pipeline " + p + ", seed " + seed)
                .isEqualTo(EXPECTED.computeIfAbsent(p, _ -> uncut(pipeline)));
    }

    private static List<String> uncut(String pipeline) {
        try {
            return Runs.run(pipeline, Runs.GOLDEN, "consumers=1", "tasks=1").lines();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
