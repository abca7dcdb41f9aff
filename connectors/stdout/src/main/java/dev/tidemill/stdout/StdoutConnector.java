package dev.tidemill.stdout;

import dev.tidemill.describe.Description;
import dev.tidemill.describe.Option;
import dev.tidemill.describe.OptionType;
import dev.tidemill.formats.CsvEncoder;
import dev.tidemill.formats.JsonEncoder;
import dev.tidemill.formats.RawEncoder;
import dev.tidemill.formats.RowEncoder;
import dev.tidemill.spi.ConfigException;
import dev.tidemill.spi.Connector;
import dev.tidemill.spi.OptionValues;
import dev.tidemill.spi.PipelineContext;
import dev.tidemill.spi.Sink;
import dev.tidemill.spi.Source;
import dev.tidemill.spi.SourceRequest;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Rows on standard output, or standard error. */
public final class StdoutConnector implements Connector {
    private static final Description SINK =
            new Description(
                    "connector",
                    "stdout",
                    "Prints rows on standard output.",
                    """
            Rows alone go to standard output; everything the program says goes to standard error. When the reader closes the pipe, as `head` does, \
            the pipeline stops in order and that is no failure.""",
                    List.of(
                            Option.of(
                                            "format",
                                            OptionType.CHOICE,
                                            "How a row is printed: one JSON object a line, CSV without a header, the only column as it is,"
                                                    + " or aligned columns for people.")
                                    .oneOf("json", "csv", "raw", "table")
                                    .withDefault("json")
                                    .withExample("\"table\""),
                            Option.of(
                                            "delimiter",
                                            OptionType.STRING,
                                            "The character between the values of a CSV line.")
                                    .withDefault(",")
                                    .withExample("\";\""),
                            Option.of(
                                            "stderr",
                                            OptionType.BOOL,
                                            "Prints on standard error instead.")
                                    .withDefault(false)
                                    .withExample("true")),
                    """
            [datasets.out]
            sink = "stdout"
            """);

    private static final Console OUT =
            new Console(new FileOutputStream(FileDescriptor.out), "standard output");
    private static final Console ERR =
            new Console(new FileOutputStream(FileDescriptor.err), "standard error");

    @Override
    public String name() {
        return "stdout";
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
    public void check(String dataset, boolean asSource, OptionValues options)
            throws ConfigException {
        delimiter(options);
    }

    @Override
    public Source source(SourceRequest request, OptionValues options, PipelineContext context)
            throws ConfigException {
        throw new ConfigException(
                "connector",
                "stdout only prints rows; to read standard input use connector = \"file\" with path = \"-\"");
    }

    @Override
    public Sink sink(String dataset, OptionValues options, PipelineContext context)
            throws ConfigException {
        Console console = options.requireBool("stderr") ? ERR : OUT;
        return new ConsoleSink(
                console, encoders(options), options.requireString("format").equals("table"));
    }

    private static Supplier<RowEncoder> encoders(OptionValues options) throws ConfigException {
        char delimiter = delimiter(options);
        return switch (options.requireString("format")) {
            case "csv" -> () -> new CsvEncoder(delimiter, true);
            case "raw" -> () -> new RawEncoder(true);
            case "table" -> TableEncoder::new;
            default -> () -> new JsonEncoder(true);
        };
    }

    private static char delimiter(OptionValues options) throws ConfigException {
        String text = options.requireString("delimiter");
        if (text.length() != 1 || text.charAt(0) > 0x7e || "\"\r\n".contains(text)) {
            throw new ConfigException(
                    "delimiter", "must be one ASCII character that is no quote and no line break");
        }
        return text.charAt(0);
    }
}
