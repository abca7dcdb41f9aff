package dev.tidemill.blackhole;

import dev.tidemill.data.Batch;
import dev.tidemill.describe.Description;
import dev.tidemill.spi.ConfigException;
import dev.tidemill.spi.Connector;
import dev.tidemill.spi.OptionValues;
import dev.tidemill.spi.PipelineContext;
import dev.tidemill.spi.Sink;
import dev.tidemill.spi.SinkContext;
import dev.tidemill.spi.SinkWriter;
import dev.tidemill.spi.Source;
import dev.tidemill.spi.SourceRequest;
import java.util.List;
import java.util.Optional;

/** Takes rows and forgets them; the engine counts them as emitted. For measuring what comes before it. */
public final class BlackholeConnector implements Connector {
    private static final Description SINK =
            new Description(
                    "connector",
                    "blackhole",
                    "Counts rows and forgets them.",
                    "For measuring: it costs nothing, so what is measured is the pipeline before it.",
                    List.of(),
                    """
            [datasets.out]
            sink = "blackhole"
            """);

    private enum Blackhole implements Sink, SinkWriter {
        INSTANCE;

        @Override
        public Delivery delivery() {
            return Delivery.EXACTLY_ONCE;
        }

        @Override
        public boolean mayBlock() {
            return false;
        }

        @Override
        public SinkWriter open(int task, int tasks, SinkContext context) {
            return this;
        }

        @Override
        public void write(Batch batch) {}

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    @Override
    public String name() {
        return "blackhole";
    }

    @Override
    public Optional<Description> sourceDescription() {
        return Optional.empty();
    }

    @Override
    public Optional<Description> sinkDescription() {
        return Optional.of(SINK);
    }

    @Override
    public Source source(SourceRequest request, OptionValues options, PipelineContext context)
            throws ConfigException {
        throw new ConfigException("connector", "nothing can be read from a blackhole");
    }

    @Override
    public Sink sink(String dataset, OptionValues options, PipelineContext context) {
        return Blackhole.INSTANCE;
    }
}
