package dev.tidemill.kafka;

import dev.tidemill.data.Schema;
import dev.tidemill.spi.Clock;
import dev.tidemill.spi.Notices;
import dev.tidemill.spi.OptionValues;
import dev.tidemill.spi.PipelineContext;
import dev.tidemill.spi.Source;
import dev.tidemill.spi.SourceContext;
import dev.tidemill.spi.SourceReader;
import dev.tidemill.spi.SourceRequest;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** Sources on the shared broker, with the defaults that the planner would fill in, and the lines they say. */
final class Fixture {
    static final int BATCH_ROWS = 500;

    final List<String> lines = new CopyOnWriteArrayList<>();
    private final Map<String, Object> options = new HashMap<>();
    private final Map<String, Object> settings = new HashMap<>();
    private List<String> columns;
    private List<String> engineColumns = List.of();
    private String pipeline = "test";
    private String brokers;

    private final Notices notices =
            new Notices() {
                @Override
                public void info(String line) {
                    lines.add(line);
                }

                @Override
                public void warn(String line) {
                    lines.add("warning: " + line);
                }
            };

    static Fixture topic(String topic) {
        return new Fixture().with("topic", topic);
    }

    Fixture with(String option, Object value) {
        options.put(option, value);
        return this;
    }

    Fixture setting(String name, Object value) {
        settings.put(name, value);
        return this;
    }

    Fixture untilLatest() {
        return with("until", "latest");
    }

    Fixture columns(String... names) {
        columns = List.of(names);
        return this;
    }

    Fixture withKeys() {
        engineColumns = List.of(Schema.KEY);
        return this;
    }

    Fixture engineColumns(String... names) {
        engineColumns = List.of(names);
        return this;
    }

    Fixture pipeline(String name) {
        pipeline = name;
        return this;
    }

    Fixture brokers(String address) {
        brokers = address;
        return this;
    }

    OptionValues options() {
        return new OptionValues(options);
    }

    PipelineContext context() {
        return new PipelineContext(
                pipeline,
                Path.of("."),
                brokers == null ? TestCluster.address() : brokers,
                new OptionValues(settings),
                Clock.SYSTEM,
                notices);
    }

    Source source() throws Exception {
        return new KafkaConnector()
                .source(
                        new SourceRequest("in", columns, engineColumns, BATCH_ROWS),
                        options(),
                        context());
    }

    SourceReader reader(Source source, int task, int tasks) throws Exception {
        return source.open(task, tasks, new SourceContext(Clock.SYSTEM, BATCH_ROWS, notices));
    }

    /** Everything a bounded source gives, read by one task. */
    Collected all() throws Exception {
        try (SourceReader reader = reader(source(), 0, 1)) {
            return new Collected().untilFinished(reader);
        }
    }

    static Map<String, Object> row(Object... namesAndValues) {
        Map<String, Object> row = new java.util.LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            row.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return row;
    }
}
