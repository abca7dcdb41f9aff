package dev.tidemill.cli;

import dev.tidemill.spi.Clock;
import dev.tidemill.spi.Connector;
import dev.tidemill.spi.Notices;
import dev.tidemill.spi.OptionValues;
import dev.tidemill.spi.PipelineContext;
import dev.tidemill.spi.SourceRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

/**
 * What the launcher runs while the JVM watches which classes a start needs, and which way its loops go: some pipelines and commands, and before them a Kafka
 * client, whose thousand classes are most of the processor time of a short run that reads a topic.
 */
public final class Training {
    /** Nothing listens on this port: the client is made, finds nobody, and that is all that is wanted. */
    private static final String NOBODY = "localhost:1";

    private static final Notices QUIET =
            new Notices() {
                @Override
                public void info(String line) {}

                @Override
                public void warn(String line) {}
            };

    private Training() {}

    /** Enough for the compiler to have seen each loop's usual way. */
    private static final int EVENTS = 250_000;

    /** @param arguments the folder for pipelines and their files */
    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        for (Connector connector : ServiceLoader.load(Connector.class)) {
            if (connector.name().equals("kafka")) {
                connectTo(connector);
            }
        }
        int status = 0;
        for (Map.Entry<String, String> pipeline : pipelines(folder).entrySet()) {
            Path file = folder.resolve(pipeline.getKey() + ".toml");
            Files.writeString(file, pipeline.getValue());
            status |= Main.execute(new String[] {"run", "--reset-state", file.toString()});
        }
        status |= Main.execute(new String[] {"check", folder.resolve("first.toml").toString()});
        status |= Main.execute(new String[] {"version"});
        System.out.flush();
        System.exit(status);
    }

    /** In the order in which they run: what users try first, then what reads and writes files. */
    private static Map<String, String> pipelines(Path folder) {
        String inline =
                """
                [datasets.events]
                connector = "nexmark"
                inline = true
                events = %d
                stepMs = 1
                """
                        .formatted(EVENTS);
        String lines =
                """
                [datasets.events]
                connector = "file"
                path = "events.jsonl"
                """;
        String bids =
                """
                [[transforms]]
                inputs = ["events"]
                output = "out"
                [[transforms.steps]]
                op = "filter"
                expression = 'type == "bid"'
                """;
        String windows =
                """
                [[transforms.steps]]
                op = "windowedAggregate"
                timeColumn = "dateTime"
                windowMs = 10000
                slideMs = %d
                groupBy = ["auction"]
                aggs = [{ op = "count", alias = "bids" }, { op = "max", column = "price", alias = "top" }]
                """;
        String stdout = "[datasets.out]\nsink = \"stdout\"\n";
        String kept = "[settings]\nstateStore = \"state\"\n";
        String file =
                "[datasets.out]\nsink = \"file\"\noverwrite = true\npath = \"events.jsonl\"\n";
        String blackhole = "[datasets.out]\nsink = \"blackhole\"\n";
        String through = "[[transforms]]\ninputs = [\"events\"]\noutput = \"out\"\n";
        String compute =
                """
                [[transforms.steps]]
                op = "applyExpression"
                column = "price"
                expression = 'roundTo(price * 0.908, 3)'
                [[transforms.steps]]
                op = "select"
                columns = ["auction", "bidder", "price", "dateTime"]
                """;
        Map<String, String> pipelines = new LinkedHashMap<>();
        String hot = "[[transforms.steps]]\nop = \"filter\"\nexpression = \"bids > 5\"\n";
        pipelines.put("first", inline + stdout + bids + windows.formatted(10_000) + hot);
        pipelines.put("lines", kept + inline + file + through);
        pipelines.put("through", lines + blackhole + through);
        pipelines.put("compute", lines + blackhole + bids + compute);
        pipelines.put("sliding", lines + blackhole + bids + windows.formatted(2_000));
        return pipelines;
    }

    private static void connectTo(Connector kafka) throws Exception {
        OptionValues options =
                new OptionValues(
                        Map.of(
                                "topic",
                                "training",
                                "brokers",
                                NOBODY,
                                "until",
                                "latest",
                                "connectTimeoutMs",
                                200L));
        PipelineContext context =
                new PipelineContext(
                        "training",
                        Path.of("."),
                        NOBODY,
                        new OptionValues(Map.of()),
                        Clock.SYSTEM,
                        QUIET);
        try {
            kafka.source(new SourceRequest("training", null, List.of(), 1), options, context);
        } catch (IOException e) {
            // As expected.
        }
    }
}
