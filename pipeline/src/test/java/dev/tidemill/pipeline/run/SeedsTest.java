package dev.tidemill.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A thousand seeds, each one interleaving of the same tasks, with batches of 1 to 4096 rows and 1 to 3 tasks: the answer is always that of one task. */
class SeedsTest {
    private static final int SEEDS = 1_000;

    private static final String SOURCE =
            """
            [datasets.events]
            connector = "nexmark"
            inline = true
            events = 600
            stepMs = 100
            tail = false
            [datasets.out]
            sink = "memory"
            [[transforms]]
            inputs = ["events"]
            output = "out"
            [[transforms.steps]]
            op = "filter"
            expression = 'type == "bid"'
            """;

    static final List<String> PIPELINES =
            List.of(
                    SOURCE
                            + """
            [[transforms.steps]]
            op = "windowedAggregate"
            timeColumn = "dateTime"
            windowMs = 10000
            groupBy = ["auction"]
            aggs = [{ op = "count", alias = "n" }, { op = "max", column = "price", alias = "top" }, { op = "avg", column = "price", alias = "mean" }]
            """,
                    SOURCE
                            + """
            [[transforms.steps]]
            op = "windowedAggregate"
            timeColumn = "dateTime"
            windowMs = 10000
            slideMs = 3000
            groupBy = ["channel"]
            aggs = [{ op = "sum", column = "price", alias = "s" }, { op = "countDistinct", column = "bidder", alias = "who" }]
            [[transforms.steps]]
            op = "filter"
            expression = "s > 1000"
            """,
                    SOURCE
                            + """
            [[transforms.steps]]
            op = "applyExpression"
            column = "euros"
            expression = "price * 0.908"
            [[transforms.steps]]
            op = "windowedAggregate"
            timeColumn = "dateTime"
            windowMs = 5000
            aggs = [{ op = "count", alias = "n" }, { op = "min", column = "url", alias = "first" }]
            """,
                    SOURCE
                            + """
            [[transforms.steps]]
            op = "select"
            columns = ["auction", "price"]
            """);

    @Test
    void anyInterleavingGivesTheSameRows() throws Exception {
        TreeMap<Integer, List<String>> expected = new TreeMap<>();
        for (int p = 0; p < PIPELINES.size(); p++) {
            expected.put(
                    p, Runs.run(PIPELINES.get(p), Runs.GOLDEN, "consumers=1", "tasks=1").lines());
            assertThat(expected.get(p)).isNotEmpty();
        }
        for (long seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            int p = random.nextInt(PIPELINES.size());
            int batchRows = 1 << random.nextInt(13);
            Runs.SeededResult result =
                    Runs.seeded(
                            PIPELINES.get(p),
                            Runs.GOLDEN,
                            seed,
                            "consumers=" + (1 + random.nextInt(3)),
                            "tasks=" + (1 + random.nextInt(3)),
                            "batchRows=" + batchRows);
            assertThat(Runs.canonical(result.rows()))
                    .as("pipeline " + p + ", seed " + seed)
                    .isEqualTo(expected.get(p));
            assertThat(result.metrics().late()).as("late, seed " + seed).isZero();
        }
    }
}
