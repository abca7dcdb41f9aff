package dev.tidemill.pipeline.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemill.describe.Description;
import dev.tidemill.describe.Option;
import dev.tidemill.operators.Steps;
import dev.tidemill.pipeline.read.OptionReader;
import dev.tidemill.pipeline.spec.Inputs;
import dev.tidemill.pipeline.spec.InvalidPipelineException;
import dev.tidemill.pipeline.spec.PipelineSpec;
import dev.tidemill.spi.Connector;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoadTest {
    private static final Inputs NONE = new Inputs(List.of(), Map.of());

    @TempDir private Path folder;

    // Files

    @Test
    void whatIsNoFileIsAClearError() throws Exception {
        Path missing = folder.resolve("missing.toml");
        assertThat(problems(missing)).isEqualTo(missing + ": there is no such file");
        assertThat(problems(folder))
                .isEqualTo(folder + ": is a directory, expected a pipeline file");
        Path empty = Files.writeString(folder.resolve("empty.yaml"), "");
        assertThat(problems(empty)).isEqualTo(empty + ": the file is empty");
        Path other = Files.writeString(folder.resolve("p.txt"), SpecLoaderTest.HOT);
        assertThat(problems(other))
                .isEqualTo(other + ": a pipeline file ends in .toml, .yaml, .yml or .json");
        Path large = Files.write(folder.resolve("large.toml"), new byte[(1 << 20) + 1]);
        assertThat(problems(large))
                .isEqualTo(large + ": is larger than 1 MiB, which no pipeline file is");
        Path latin =
                Files.write(
                        folder.resolve("latin.toml"),
                        "name = \"x\"\n# Käse".getBytes(StandardCharsets.ISO_8859_1));
        assertThat(problems(latin)).isEqualTo(latin + ":2:4: is not UTF-8 text from here on");
        Path cut = Files.write(folder.resolve("cut.toml"), new byte[] {'#', (byte) 0xc3});
        assertThat(problems(cut)).isEqualTo(cut + ":1:2: is not UTF-8 text from here on");
    }

    private static String problems(Path file) throws IOException {
        try {
            SpecLoader.load(file, NONE);
            return "";
        } catch (InvalidPipelineException e) {
            return e.getMessage();
        }
    }

    @Test
    void theNameIsTheStemOfTheFile() throws Exception {
        Path file =
                Files.writeString(
                        folder.resolve("hot.bids.toml"),
                        SpecLoaderTest.HOT.replace("name = \"hot-auctions\"\n", ""));
        PipelineSpec spec = SpecLoader.load(file, NONE);
        assertThat(spec.name()).isEqualTo("hot.bids");
        assertThat(spec.directory()).isEqualTo(folder.toAbsolutePath());
        assertThat(spec.file()).isEqualTo(file.toString());
    }

    // Syntaxes

    @Test
    void allSyntaxesGiveEqualSpecs() throws Exception {
        String toml = values(parse(resource("same.toml"), "same.toml"));
        assertThat(toml).contains("everyMs=500", "correctForMs=60000", "topic=in", "client.id=x");
        assertThat(values(parse(resource("same.yaml"), "same.yaml"))).isEqualTo(toml);
        assertThat(values(parse(resource("same.json"), "same.json"))).isEqualTo(toml);
    }

    /** All that a spec says but the places. */
    private static String values(Object value) {
        return switch (value) {
            case PipelineSpec spec ->
                    String.join(
                            "\n",
                            spec.name(),
                            spec.defaultBrokers(),
                            values(spec.settings()),
                            values(spec.datasets()),
                            values(spec.stages()));
            case PipelineSpec.Dataset dataset ->
                    dataset.name()
                            + " source "
                            + nullable(dataset.source())
                            + " sink "
                            + nullable(dataset.sink());
            case PipelineSpec.Endpoint endpoint ->
                    endpoint.connector() + " " + values(endpoint.options());
            case PipelineSpec.Stage stage ->
                    stage.number()
                            + stage.inputs().toString()
                            + stage.output()
                            + values(stage.steps());
            case PipelineSpec.Step step -> step.id() + " " + values(step.options());
            case dev.tidemill.spi.OptionValues options -> values(content(options));
            case Map<?, ?> map -> {
                Map<String, String> out = new LinkedHashMap<>();
                map.forEach((key, item) -> out.put((String) key, values(item)));
                yield out.toString();
            }
            case List<?> list -> list.stream().map(LoadTest::values).toList().toString();
            default -> value.toString();
        };
    }

    private static String nullable(Object value) {
        return value == null ? "none" : values(value);
    }

    private static Object content(dev.tidemill.spi.OptionValues options) {
        try {
            Field field = dev.tidemill.spi.OptionValues.class.getDeclaredField("values");
            field.setAccessible(true);
            return field.get(options);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    // The reference

    @ParameterizedTest
    @ValueSource(strings = {"hot-auctions.toml", "tumble.toml"})
    void examplesOfTheReferenceLoad(String name) throws Exception {
        assertThat(parse(resource(name), name).warnings()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"session.toml", "intervaljoin.toml"})
    void examplesOfLaterVersionsAreRefusedAsSuch(String name) {
        assertThatThrownBy(() -> parse(resource(name), name))
                .hasMessageContaining("not in this version yet")
                .hasMessageNotContaining("\n");
    }

    @Test
    void everyExampleOfAStepIsAccepted() throws Exception {
        for (Description step : Steps.descriptions()) {
            String text =
                    """
                    [datasets.in]
                    connector = "nexmark"
                    inline = true
                    [datasets.out]
                    sink = "blackhole"
                    [[transforms]]
                    inputs = ["in"]
                    output = "out"
                    """
                            + step.example();
            PipelineSpec spec = parse(text, "p.toml");
            assertThat(spec.stages().getFirst().steps().getFirst().op()).isEqualTo(step.name());
        }
    }

    @Test
    void defaultsOfAllDescriptionsAreOfTheirType() {
        List<Option> options = new ArrayList<>();
        Steps.descriptions().forEach(step -> options.addAll(step.options()));
        for (Connector connector : ServiceLoader.load(Connector.class)) {
            connector
                    .sourceDescription()
                    .ifPresent(description -> options.addAll(description.options()));
            connector
                    .sinkDescription()
                    .ifPresent(description -> options.addAll(description.options()));
        }
        assertThat(options).hasSizeGreaterThan(40);
        options.stream()
                .filter(option -> option.defaultValue() != null)
                .forEach(
                        option ->
                                assertThat(OptionReader.defaultOf(option))
                                        .as(option.name())
                                        .isNotNull());
    }

    // Stages

    @Test
    void stagesAreOrderedByTheirData() throws Exception {
        PipelineSpec spec =
                parse(
                        """
                [datasets.in]
                connector = "nexmark"
                inline = true
                [datasets.out]
                sink = "blackhole"
                [datasets.mid]
                sink = "stdout"
                [datasets.late]
                sink = "stdout"
                [[transforms]]
                inputs = ["b"]
                output = "out"
                [[transforms]]
                inputs = ["mid"]
                output = "b"
                [[transforms]]
                inputs = ["in"]
                output = "mid"
                [[transforms.steps]]
                op = "windowedAggregate"
                ingestTime = true
                windowMs = 5000.0
                lateOutput = "late"
                aggs = [{ op = "count", alias = "n" }]
                """,
                        "p.toml");
        assertThat(spec.stages()).extracting(PipelineSpec.Stage::number).containsExactly(3, 2, 1);
        assertThat(spec.datasets()).containsOnlyKeys("in", "out", "mid", "late");
        assertThat(spec.datasets().get("mid").sink().connector()).isEqualTo("stdout");
        assertThat(spec.datasets().get("late").sink().connector()).isEqualTo("stdout");
        PipelineSpec.Step step = spec.stages().getFirst().steps().getFirst();
        assertThat(step.id()).isEqualTo("3.1-windowedAggregate");
        assertThat(step.options().requireLong("windowMs")).isEqualTo(5000);
        assertThat(step.options().requireBool("keyBy")).isTrue();
        assertThat(step.options().has("slideMs")).isFalse();
    }

    @Test
    void anIntermediateWithATopicIsWrittenToKafka() throws Exception {
        PipelineSpec spec =
                SpecLoader.parse(
                        """
                [brokers]
                default = "a:1,b:2"
                [datasets.in]
                topic = "in"
                [datasets.out]
                topic = "out"
                [datasets.mid]
                topic = "mid"
                format = "csv"
                [[transforms]]
                inputs = ["in"]
                output = "mid"
                [[transforms]]
                inputs = ["mid"]
                output = "out"
                """,
                        "p.toml",
                        Path.of("."),
                        NONE,
                        Fakes.catalogue());
        assertThat(spec.warnings()).isEmpty();
        assertThat(spec.defaultBrokers()).isEqualTo("a:1,b:2");
        PipelineSpec.Dataset mid = spec.datasets().get("mid");
        assertThat(mid.source()).isNull();
        assertThat(mid.sink().connector()).isEqualTo("kafka");
        assertThat(mid.sink().options().requireString("format")).isEqualTo("csv");
        assertThat(mid.sink().place("format")).hasToString("p.toml:9:10");
        assertThat(mid.sink().place("brokers")).hasToString("p.toml:7:1");
    }

    // Values from outside

    @Test
    void referencesAreReplaced() throws Exception {
        Files.writeString(folder.resolve("secret"), "s3cr€t\r\n");
        String text =
                """
                name = "${WHO:-nobody}-${WHAT:-x}$${WHO}"
                [datasets.in]
                connector = "nexmark"
                events = "${EVENTS}"
                inline = "${INLINE}"
                password = "${file:secret}"
                [datasets.out]
                sink = "stdout"
                [[transforms]]
                inputs = ["in"]
                output = "out"
                [[transforms.steps]]
                op = "applyExpression"
                column = "y"
                expression = 'regexReplace(x, "(?<n>a)", "${n}")'
                """;
        Inputs inputs =
                new Inputs(List.of(), Map.of("WHO", "me", "EVENTS", " 77 ", "INLINE", "true"));
        PipelineSpec spec = SpecLoader.parse(text, "p.toml", folder, inputs, Fakes.catalogue());
        assertThat(spec.name()).isEqualTo("me-x${WHO}");
        assertThat(spec.datasets().get("in").source().options().requireLong("events"))
                .isEqualTo(77);
        assertThat(spec.datasets().get("in").source().options().requireBool("inline")).isTrue();
        assertThat(spec.datasets().get("in").source().options().requireString("password"))
                .isEqualTo("s3cr€t");
        assertThat(
                        spec.stages()
                                .getFirst()
                                .steps()
                                .getFirst()
                                .options()
                                .requireString("expression"))
                .contains("\"${n}\"");
    }

    @Test
    void theCommandLineChangesSettingsAndDatasets() throws Exception {
        List<String> overrides =
                List.of(
                        "vnodes=64",
                        "STREAM_TASKS=2",
                        "name=other",
                        "brokers.default=h:1",
                        "datasets.events.events=5",
                        "datasets.events.events=6",
                        "datasets.a.b.format=csv",
                        "datasets.a.b.properties.client.id=x=y",
                        "datasets.out.sink=blackhole");
        String text =
                SpecLoaderTest.HOT
                        + """
                [[transforms]]
                inputs = ["events"]
                output = "a.b"
                [datasets."a.b"]
                topic = "t"
                [datasets.a]
                topic = "t"
                """;
        Inputs inputs = new Inputs(overrides, Map.of("STREAM_VNODES", "32"));
        PipelineSpec spec = SpecLoader.parse(text, "p.toml", folder, inputs, Fakes.catalogue());
        assertThat(spec.settings().requireLong("vnodes")).isEqualTo(64);
        assertThat(spec.settings().requireLong("tasks")).isEqualTo(2);
        assertThat(spec.name()).isEqualTo("other");
        assertThat(spec.defaultBrokers()).isEqualTo("h:1");
        assertThat(spec.datasets().get("events").source().options().requireLong("events"))
                .isEqualTo(6);
        assertThat(spec.datasets().get("a.b").sink().options().requireString("format"))
                .isEqualTo("csv");
        assertThat(spec.datasets().get("a.b").sink().options().map("properties"))
                .isEqualTo(Map.of("client.id", "x=y"));
        assertThat(spec.datasets().get("out").sink().connector()).isEqualTo("blackhole");
    }

    private static PipelineSpec parse(String text, String name) throws InvalidPipelineException {
        return SpecLoader.parse(text, name, Path.of("."), NONE);
    }

    private static String resource(String name) throws IOException {
        try (var in = LoadTest.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
