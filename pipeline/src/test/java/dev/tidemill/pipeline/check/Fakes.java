package dev.tidemill.pipeline.check;

import dev.tidemill.describe.Description;
import dev.tidemill.describe.Option;
import dev.tidemill.describe.OptionType;
import dev.tidemill.operators.Steps;
import dev.tidemill.spi.ConfigException;
import dev.tidemill.spi.Connector;
import dev.tidemill.spi.OptionValues;
import dev.tidemill.spi.PipelineContext;
import dev.tidemill.spi.Sink;
import dev.tidemill.spi.Source;
import dev.tidemill.spi.SourceRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The real steps and connectors that only have options: those of real ones may grow without these tests. */
final class Fakes {
    private static final Option FORMAT =
            Option.of("format", OptionType.CHOICE, "Layout.")
                    .oneOf("json", "csv", "raw")
                    .withDefault("json");
    private static final Option TOPIC = Option.of("topic", OptionType.STRING, "Topic.").mandatory();
    private static final Option PROPERTIES =
            Option.of("properties", OptionType.FREE_TABLE, "Client properties.");
    private static final Option PATH = Option.of("path", OptionType.STRING, "Path.").mandatory();
    private static final Option BROKERS = Option.of("brokers", OptionType.STRING, "Addresses.");

    private static final List<Option> KAFKA_SOURCE =
            List.of(
                    TOPIC,
                    BROKERS,
                    FORMAT,
                    Option.of("schema", OptionType.TABLE_LIST, "Columns.")
                            .withChildren(
                                    Option.of("name", OptionType.STRING, "Name.").mandatory(),
                                    Option.of("type", OptionType.STRING, "Type.")
                                            .withDefault("string")),
                    Option.of("inferSample", OptionType.INT, "Sample.")
                            .withDefault(5000)
                            .atLeast(1)
                            .formerly("infer_sample"),
                    Option.of("onBadData", OptionType.CHOICE, "Policy.")
                            .oneOf("drop", "rescue", "fail", "deadLetter")
                            .withDefault("drop")
                            .formerly("on_bad_data"),
                    Option.of("deadLetter", OptionType.STRING, "Dataset."),
                    PROPERTIES);

    private static final List<Option> KAFKA_SINK = List.of(TOPIC, BROKERS, FORMAT, PROPERTIES);

    private static final List<Option> FILE_SOURCE =
            List.of(
                    PATH,
                    Option.of("format", OptionType.CHOICE, "Layout.").oneOf("json", "csv"),
                    Option.of("partitions", OptionType.INT, "Tasks.")
                            .withDefault(4)
                            .atLeast(1)
                            .atMost(1000),
                    Option.of("watch", OptionType.BOOL, "Watch.").withDefault(false),
                    Option.of("ratio", OptionType.FLOAT, "A fraction.").withDefault(0.5));

    private static final List<Option> GENERATOR =
            List.of(
                    Option.of("inline", OptionType.BOOL, "Inline.").withDefault(false),
                    Option.of("events", OptionType.INT, "Events.").withDefault(100_000).atLeast(0),
                    Option.of("password", OptionType.STRING, "A secret."));

    private static final List<Option> CONSOLE =
            List.of(
                    Option.of("format", OptionType.CHOICE, "Layout.")
                            .oneOf("json", "csv", "raw", "table")
                            .withDefault("json"),
                    Option.of("delimiter", OptionType.STRING, "Separator.").withDefault(","));

    private Fakes() {}

    static Catalogue catalogue() {
        List<Connector> connectors = new ArrayList<>();
        connectors.add(new Fake("kafka", KAFKA_SOURCE, KAFKA_SINK));
        connectors.add(new Fake("file", FILE_SOURCE, List.of(PATH)));
        connectors.add(new Fake("nexmark", GENERATOR, null));
        connectors.add(new Fake("stdout", null, CONSOLE));
        connectors.add(new Fake("blackhole", null, List.of()));
        return new Catalogue(Steps.descriptions(), Steps::isInline, connectors);
    }

    private record Fake(String name, List<Option> reading, List<Option> writing)
            implements Connector {
        @Override
        public Optional<Description> sourceDescription() {
            return Optional.ofNullable(reading).map(this::description);
        }

        @Override
        public Optional<Description> sinkDescription() {
            return Optional.ofNullable(writing).map(this::description);
        }

        private Description description(List<Option> options) {
            return new Description("connector", name, "Fake.", "", options, null);
        }

        @Override
        public void check(String dataset, boolean asSource, OptionValues options)
                throws ConfigException {
            if (options.string("delimiter").filter(text -> text.length() != 1).isPresent()) {
                throw new ConfigException(
                        "delimiter",
                        "must be one character, not " + options.requireString("delimiter"));
            }
            if (options.string("topic").filter(text -> text.contains(" ")).isPresent()) {
                throw new ConfigException(
                        "topic", "\"" + options.requireString("topic") + "\" cannot be a topic");
            }
            if (options.map("properties").containsKey("group.id")) {
                throw new ConfigException(
                        "properties.group.id",
                        "is the engine's own, not " + options.map("properties").get("group.id"));
            }
        }

        @Override
        public Source source(SourceRequest request, OptionValues options, PipelineContext context) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Sink sink(String dataset, OptionValues options, PipelineContext context) {
            throw new UnsupportedOperationException();
        }
    }
}
