package dev.tidemill.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Runs that crash between any two steps and go on from the last epoch give the rows of a run without a crash, each once. */
class CrashTest {
    private static final int SEEDS = 400;

    @Test
    void everyRowComesOnce() throws Exception {
        List<List<String>> expected = new ArrayList<>();
        for (String pipeline : SeedsTest.PIPELINES) {
            expected.add(Runs.run(pipeline, Runs.GOLDEN, "consumers=1", "tasks=1").lines());
        }
        for (long seed = 0; seed < SEEDS; seed++) {
            int p = new Random(~seed).nextInt(expected.size());
            assertThat(Runs.canonical(Runs.crashing(SeedsTest.PIPELINES.get(p), Runs.GOLDEN, seed)))
                    .as("pipeline " + p + ", seed " + seed)
                    .isEqualTo(expected.get(p));
        }
    }
}
