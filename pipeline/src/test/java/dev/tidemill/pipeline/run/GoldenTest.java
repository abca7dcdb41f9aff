package dev.tidemill.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemill.pipeline.BuildRecord.Totals;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pipelines whose answers other engines computed, at several parallelisms and batch sizes. */
class GoldenTest {
    @ParameterizedTest
    @CsvSource({
        "tumble, 1, 4096",
        "tumble, 2, 4096",
        "tumble, 3, 4096",
        "tumble, 2, 7",
        "tumble, 3, 1",
        "q1, 1, 4096",
        "q1, 3, 4096",
        "q1, 2, 7",
        "q2, 1, 4096",
        "q2, 3, 4096",
        "q2, 2, 1",
        "q21, 1, 4096",
        "q21, 3, 4096",
        "q21, 2, 7"
    })
    void theAnswerIsThatOfOtherEngines(String name, int tasks, int batchRows) throws Exception {
        Runs.Result result =
                Runs.run(
                        Runs.toml(name),
                        Runs.GOLDEN,
                        "consumers=" + tasks,
                        "tasks=" + tasks,
                        "batchRows=" + batchRows);
        assertThat(result.lines()).isEqualTo(Runs.golden(name));
        assertThat(result.record().totals().late()).isZero();
    }

    @Test
    void everyRowIsAccountedFor() throws Exception {
        for (String name : List.of("q1", "q2", "q21")) {
            Totals totals = Runs.run(Runs.toml(name), Runs.GOLDEN).record().totals();
            assertThat(totals.consumed()).isEqualTo(50_000);
            assertThat(totals.emitted() + totals.filtered() + totals.dropped() + totals.late())
                    .as(name)
                    .isEqualTo(totals.consumed());
        }
    }
}
