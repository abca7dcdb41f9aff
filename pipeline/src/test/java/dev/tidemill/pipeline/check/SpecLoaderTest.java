package dev.tidemill.pipeline.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemill.pipeline.spec.Inputs;
import dev.tidemill.pipeline.spec.PipelineSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SpecLoaderTest {
    static final String HOT =
            """
            name = "hot-auctions"
            [datasets.events]
            connector = "nexmark"
            inline = true
            events = 100000
            [datasets.out]
            sink = "stdout"

            [[transforms]]
            inputs = ["events"]
            output = "out"
              [[transforms.steps]]
              op = "filter"
              expression = 'type == "bid"'
              [[transforms.steps]]
              op = "windowedAggregate"
              timeColumn = "dateTime"
              windowMs = 10000
              groupBy = ["auction"]
              aggs = [{ op = "count", alias = "bids" }, { op = "max", column = "price", alias = "top" }]
              [[transforms.steps]]
              op = "filter"
              expression = "bids > 5"
            """;

    @Test
    void theFirstExampleLoads() throws Exception {
        PipelineSpec spec =
                SpecLoader.parse(HOT, "hot.toml", Path.of("."), new Inputs(List.of(), Map.of()));
        assertThat(spec.name()).isEqualTo("hot-auctions");
        assertThat(spec.warnings()).isEmpty();
        assertThat(spec.stages()).hasSize(1);
        assertThat(spec.stages().getFirst().steps())
                .extracting(PipelineSpec.Step::id)
                .containsExactly("1.1-filter", "1.2-windowedAggregate", "1.3-filter");
        PipelineSpec.Step windows = spec.stages().getFirst().steps().get(1);
        assertThat(windows.options().requireLong("windowMs")).isEqualTo(10_000);
        assertThat(windows.options().tables("aggs").get(1).requireString("column"))
                .isEqualTo("price");
        assertThat(windows.place("aggs[1].column")).hasToString("hot.toml:20:68");
        assertThat(spec.datasets().get("events").source().options().requireLong("events"))
                .isEqualTo(100_000);
        assertThat(spec.datasets().get("events").sink()).isNull();
        assertThat(spec.datasets().get("out").sink().options().requireString("format"))
                .isEqualTo("json");
        assertThat(spec.settings().requireLong("vnodes")).isEqualTo(128);
    }
}
