package dev.tidemill.formats;

import dev.tidemill.data.DataType;
import dev.tidemill.data.Field;
import dev.tidemill.data.Schema;
import dev.tidemill.formats.json.JsonOptions;
import dev.tidemill.spi.ConfigException;
import dev.tidemill.spi.OptionValues;
import java.util.List;
import java.util.Optional;

/**
 * The options of {@link Formats#messageOptions()}, checked.
 *
 * @param declared    the declared columns, or empty when types are inferred
 * @param inferSample the number of records that decide inferred types
 * @param deadLetter  the dataset that takes bad records, when {@code onBadData} is {@link OnBadData#DEAD_LETTER}
 */
public record FormatOptions(
        Format format,
        char delimiter,
        int maxMessageBytes,
        Optional<Schema> declared,
        int inferSample,
        OnBadData onBadData,
        Optional<String> deadLetter,
        int maxRecordBytes,
        int maxDepth) {

    /** The formats of this version. */
    public enum Format {
        JSON,
        CSV,
        RAW;

        /** As it is written in a pipeline file. */
        public String word() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    private static final int MAX_MESSAGE_BYTES = 900_000;
    private static final int INFER_SAMPLE = 5000;

    /**
     * Reads and checks the options.
     *
     * @param defaultFormat the format when the options name none
     * @throws ConfigException when the format is not in this version, or options do not fit together
     */
    public static FormatOptions of(OptionValues options, Format defaultFormat)
            throws ConfigException {
        Optional<String> word = options.string("format");
        Format format = word.isPresent() ? Formats.named(word.get()) : defaultFormat;
        OnBadData policy = policy(options.string("onBadData").orElse("drop"));
        Optional<String> deadLetter = options.string("deadLetter");
        checkDeadLetter(policy, deadLetter);
        Optional<Schema> declared = Formats.schema(options);
        if (format == Format.RAW && declared.isPresent()) {
            checkRaw(declared.get());
        }
        return new FormatOptions(
                format,
                delimiter(options.string("delimiter").orElse(",")),
                number(options, "maxMessageBytes", MAX_MESSAGE_BYTES, Formats.MOST),
                declared,
                number(options, "inferSample", INFER_SAMPLE, Formats.MOST),
                policy,
                deadLetter,
                number(
                        options,
                        "maxRecordBytes",
                        JsonOptions.DEFAULT_MAX_RECORD_BYTES,
                        Formats.MOST),
                number(options, "maxDepth", JsonOptions.DEFAULT_MAX_DEPTH, Formats.MOST_DEPTH));
    }

    /** The options for messages; {@code json} when they name no format. A csv message has no header, so it needs a schema. */
    public static FormatOptions forMessages(OptionValues options) throws ConfigException {
        FormatOptions read = of(options, Format.JSON);
        if (read.format == Format.CSV && read.declared.isEmpty()) {
            throw new ConfigException(
                    "schema",
                    "csv messages have no header: give schema = [{ name = \"…\", type = \"…\" }, …], the fields in their order");
        }
        return read;
    }

    private static void checkDeadLetter(OnBadData policy, Optional<String> deadLetter)
            throws ConfigException {
        if (policy == OnBadData.DEAD_LETTER && deadLetter.isEmpty()) {
            throw new ConfigException(
                    "deadLetter",
                    "onBadData = \"deadLetter\" needs deadLetter = \"<dataset>\", where bad records go");
        }
        if (policy != OnBadData.DEAD_LETTER && deadLetter.isPresent()) {
            throw new ConfigException("deadLetter", "works with onBadData = \"deadLetter\" only");
        }
    }

    private static void checkRaw(Schema declared) throws ConfigException {
        if (declared.size() != 1) {
            throw new ConfigException(
                    "schema", "the raw format gives one column, the schema has " + declared.size());
        }
        Field field = declared.field(0);
        if (field.type() != DataType.UTF8 && field.type() != DataType.BYTES) {
            throw new ConfigException(
                    "schema",
                    "the raw format gives string or bytes, the column "
                            + field.name()
                            + " is declared "
                            + field.type());
        }
    }

    private static OnBadData policy(String word) throws ConfigException {
        return switch (word) {
            case "drop" -> OnBadData.DROP;
            case "rescue" -> OnBadData.RESCUE;
            case "fail" -> OnBadData.FAIL;
            case "deadLetter" -> OnBadData.DEAD_LETTER;
            default ->
                    throw new ConfigException(
                            "onBadData",
                            Formats.unknown(word, List.of("drop", "rescue", "fail", "deadLetter")));
        };
    }

    static char delimiter(String text) throws ConfigException {
        if (text.length() != 1 || text.charAt(0) > 0x7e || "\"\r\n".contains(text)) {
            throw new ConfigException(
                    "delimiter", "must be one ASCII character that is no quote and no line break");
        }
        return text.charAt(0);
    }

    private static int number(OptionValues options, String name, int otherwise, int most)
            throws ConfigException {
        long value = options.integer(name).orElse((long) otherwise);
        if (value < 1 || value > most) {
            throw new ConfigException(
                    name, "must be a whole number from 1 to " + most + ", not " + value);
        }
        return (int) value;
    }
}
