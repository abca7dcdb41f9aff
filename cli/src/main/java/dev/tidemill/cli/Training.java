package dev.tidemill.cli;

import dev.tidemill.spi.Clock;
import dev.tidemill.spi.Connector;
import dev.tidemill.spi.Notices;
import dev.tidemill.spi.OptionValues;
import dev.tidemill.spi.PipelineContext;
import dev.tidemill.spi.SourceRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

/**
 * What the launcher runs while the JVM watches which classes a start needs: a command, and before it a Kafka client, whose thousand classes are most of the
 * processor time of a short run that reads a topic.
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

    /** @param arguments those of the command */
    public static void main(String[] arguments) throws Exception {
        for (Connector connector : ServiceLoader.load(Connector.class)) {
            if (connector.name().equals("kafka")) {
                connectTo(connector);
            }
        }
        Main.main(arguments);
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
