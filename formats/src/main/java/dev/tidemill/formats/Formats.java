package dev.tidemill.formats;

import dev.tidemill.data.DataType;
import dev.tidemill.data.Field;
import dev.tidemill.data.Schema;
import dev.tidemill.describe.Description;
import dev.tidemill.describe.Nearest;
import dev.tidemill.describe.Option;
import dev.tidemill.describe.OptionType;
import dev.tidemill.formats.csv.CsvDecoder;
import dev.tidemill.formats.csv.CsvOptions;
import dev.tidemill.formats.json.JsonDecoder;
import dev.tidemill.formats.json.JsonOptions;
import dev.tidemill.spi.ConfigException;
import dev.tidemill.spi.OptionValues;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The formats there are: their options, their decoders and encoders, and what users are told of them. Stateless and thread-safe. */
public final class Formats {
    /** The column of the raw format when no schema names it. */
    public static final String RAW_COLUMN = "value";

    /** The greatest size and count that options accept: what fits an array. */
    static final int MOST = 1 << 30;

    /** What a thread's stack bears, with room to spare: nested values are read by recursion. */
    public static final int MOST_DEPTH = 500;

    private static final List<String> WORDS = List.of("json", "csv", "raw");
    private static final List<String> NOT_YET = List.of("arrow", "parquet");
    private static final Pattern DECIMAL =
            Pattern.compile("decimal\\s*\\(\\s*(\\d{1,4})\\s*,\\s*(\\d{1,4})\\s*\\)");

    private static final Map<String, DataType> TYPES =
            new TreeMap<>(
                    Map.ofEntries(
                            Map.entry("string", DataType.UTF8),
                            Map.entry("utf8", DataType.UTF8),
                            Map.entry("int", DataType.INT64),
                            Map.entry("int64", DataType.INT64),
                            Map.entry("integer", DataType.INT64),
                            Map.entry("float", DataType.FLOAT64),
                            Map.entry("float64", DataType.FLOAT64),
                            Map.entry("double", DataType.FLOAT64),
                            Map.entry("number", DataType.FLOAT64),
                            Map.entry("bool", DataType.BOOL),
                            Map.entry("boolean", DataType.BOOL),
                            Map.entry("timestamp", DataType.TIMESTAMP),
                            Map.entry("date", DataType.DATE),
                            Map.entry("bytes", DataType.BYTES),
                            Map.entry("json", DataType.JSON)));

    private static final Option FORMAT =
            Option.of(
                            "format",
                            OptionType.CHOICE,
                            "What a record looks like: a JSON object, CSV, or one value as it is. `arrow` and `parquet` are not in this version yet.")
                    .oneOf("json", "csv", "raw", "arrow", "parquet")
                    .withExample("\"csv\"");
    private static final Option DELIMITER =
            Option.of(
                            "delimiter",
                            OptionType.STRING,
                            "The character between the fields of a CSV record.")
                    .withDefault(",")
                    .withExample("\";\"");
    private static final Option MAX_MESSAGE_BYTES =
            Option.of(
                            "maxMessageBytes",
                            OptionType.BYTES,
                            "Formats with many rows in a message stay below this size when they write.")
                    .withDefault(900_000)
                    .atLeast(1)
                    .atMost(MOST);
    private static final List<Option> READING =
            List.of(
                    Option.of(
                                    "schema",
                                    OptionType.TABLE_LIST,
                                    "The columns and their types; without it they are inferred from the first records. In CSV "
                                            + "without a header they are the fields in"
                                            + " their order.")
                            .withChildren(
                                    Option.of("name", OptionType.STRING, "The column's name.")
                                            .mandatory(),
                                    Option.of(
                                                    "type",
                                                    OptionType.STRING,
                                                    "`string` (also `utf8`), `int64` (`int`, `integer`), `float64` (`float`, "
                                                            + "`double`, `number`), `bool` (`boolean`),"
                                                            + " `decimal(p,s)`, `timestamp`, `date`, `bytes`, `json`.")
                                            .withDefault("string"))
                            .withExample(
                                    "[{ name = \"id\", type = \"int64\" }, { name = \"city\" }]"),
                    Option.of(
                                    "inferSample",
                                    OptionType.INT,
                                    "The number of records that decide the types when there is no `schema`.")
                            .withDefault(5000)
                            .atLeast(1)
                            .atMost(MOST)
                            .formerly("infer_sample"),
                    Option.of(
                                    "onBadData",
                                    OptionType.CHOICE,
                                    "What happens to a record that cannot be decoded or a value that does not fit its column: "
                                            + "`drop` counts it, `rescue` keeps the"
                                            + " text in the column `_rescued_data`, `fail` stops the run, `deadLetter` sends "
                                            + "the record to another dataset.")
                            .oneOf("drop", "rescue", "fail", "deadLetter")
                            .withDefault("drop")
                            .formerly("on_bad_data")
                            .withExample("\"rescue\""),
                    Option.of(
                                    "deadLetter",
                                    OptionType.STRING,
                                    "The dataset that takes bad records, with the columns `dataset`, `partition`, `offset`, `reason` and `record`.")
                            .withExample("\"rejected\""),
                    Option.of("maxRecordBytes", OptionType.BYTES, "A longer record is bad.")
                            .withDefault(JsonOptions.DEFAULT_MAX_RECORD_BYTES)
                            .atLeast(1)
                            .atMost(MOST),
                    Option.of(
                                    "maxDepth",
                                    OptionType.INT,
                                    "A JSON record with deeper nesting is bad.")
                            .withDefault(JsonOptions.DEFAULT_MAX_DEPTH)
                            .atLeast(1)
                            .atMost(MOST_DEPTH));

    private Formats() {}

    /** The options of a source of messages. */
    public static List<Option> messageOptions() {
        List<Option> options = new ArrayList<>(messageSinkOptions());
        options.addAll(READING);
        return List.copyOf(options);
    }

    /** The options of a sink of messages. */
    public static List<Option> messageSinkOptions() {
        return List.of(FORMAT.withDefault("json"), DELIMITER, MAX_MESSAGE_BYTES);
    }

    /** The options of a source of files: their format has no default, since their names tell it. */
    public static List<Option> fileOptions() {
        List<Option> options = new ArrayList<>(fileSinkOptions());
        options.addAll(READING);
        return List.copyOf(options);
    }

    /** The options of a sink of files. */
    public static List<Option> fileSinkOptions() {
        return List.of(FORMAT, DELIMITER);
    }

    /**
     * The format of that name.
     *
     * @throws ConfigException when there is none, or not in this version
     */
    public static FormatOptions.Format named(String word) throws ConfigException {
        if (NOT_YET.contains(word)) {
            throw new ConfigException(
                    "format",
                    "the format "
                            + word
                            + " is not in this version yet; there are "
                            + String.join(", ", WORDS));
        }
        if (!WORDS.contains(word)) {
            throw new ConfigException("format", unknown(word, WORDS));
        }
        return FormatOptions.Format.valueOf(word.toUpperCase(Locale.ROOT));
    }

    /** The formats of the reference that are refused as not in this version yet. */
    public static List<String> notYet() {
        return NOT_YET;
    }

    static String unknown(String word, List<String> known) {
        String list = "; there are " + String.join(", ", known);
        return "\""
                + word
                + "\" is not known"
                + Nearest.to(word, known).map(n -> " (did you mean \"" + n + "\"?)").orElse("")
                + list;
    }

    /** The columns that the option {@code schema} declares, or empty when there is none. */
    public static Optional<Schema> schema(OptionValues options) throws ConfigException {
        if (!options.has("schema")) {
            return Optional.empty();
        }
        List<Field> fields = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (OptionValues column : options.tables("schema")) {
            String name = column.string("name").orElse("");
            if (name.isEmpty()) {
                throw new ConfigException("schema", "a column needs a name");
            }
            if (Schema.isEngineColumn(name) || name.equals(JsonOptions.RESCUED)) {
                throw new ConfigException("schema", "the column name " + name + " is reserved");
            }
            if (!names.add(name)) {
                throw new ConfigException("schema", "the column " + name + " is declared twice");
            }
            fields.add(new Field(name, type(name, column.string("type").orElse("string"))));
        }
        if (fields.isEmpty()) {
            throw new ConfigException("schema", "declares no columns; leave it out to infer them");
        }
        return Optional.of(new Schema(fields));
    }

    private static DataType type(String column, String text) throws ConfigException {
        String word = text.strip().toLowerCase(Locale.ROOT);
        DataType type = TYPES.get(word);
        if (type != null) {
            return type;
        }
        Matcher decimal = DECIMAL.matcher(word);
        if (decimal.matches()) {
            return decimalType(
                    column, Integer.parseInt(decimal.group(1)), Integer.parseInt(decimal.group(2)));
        }
        List<String> known = new ArrayList<>(TYPES.keySet());
        known.add("decimal(p,s)");
        throw new ConfigException("schema", "the type of " + column + ": " + unknown(text, known));
    }

    private static DataType decimalType(String column, int precision, int scale)
            throws ConfigException {
        try {
            return new DataType.Decimal(precision, scale);
        } catch (IllegalArgumentException e) {
            throw new ConfigException(
                    "schema",
                    "the type of "
                            + column
                            + ": decimal("
                            + precision
                            + ","
                            + scale
                            + ") needs 1 to 38 digits, and not more of them behind the point than there are",
                    e);
        }
    }

    /** The columns to start with: the declared ones; for raw its only one; else none, they are inferred. */
    public static Schema startSchema(FormatOptions options) {
        if (options.declared().isPresent()) {
            return options.declared().get();
        }
        return options.format() == FormatOptions.Format.RAW
                ? Schema.of(new Field(RAW_COLUMN, DataType.UTF8))
                : new Schema(List.of());
    }

    /** Whether batches have the columns of {@link #startSchema} for good. */
    public static boolean isFinal(FormatOptions options) {
        return options.declared().isPresent() || options.format() == FormatOptions.Format.RAW;
    }

    /**
     * A decoder of messages.
     *
     * @param schema the declared or inferred columns to start with
     * @param wanted the columns that are read, or null for all
     */
    public static RecordDecoder decoder(
            FormatOptions options, Schema schema, List<String> wanted, BadDataSink bad) {
        return decoder(options, schema, wanted, schema.names(), bad);
    }

    /** A decoder of files from their beginning; CSV files have a header. Otherwise as {@link #decoder}. */
    public static RecordDecoder fileDecoder(
            FormatOptions options, Schema schema, List<String> wanted, BadDataSink bad) {
        return decoder(options, schema, wanted, null, bad);
    }

    private static RecordDecoder decoder(
            FormatOptions options,
            Schema schema,
            List<String> wanted,
            List<String> csvLayout,
            BadDataSink bad) {
        boolean declared = options.declared().isPresent();
        return switch (options.format()) {
            case JSON ->
                    new JsonDecoder(
                            new JsonOptions(
                                    schema,
                                    declared,
                                    wanted,
                                    options.onBadData(),
                                    options.maxRecordBytes(),
                                    options.maxDepth()),
                            bad);
            case CSV ->
                    new CsvDecoder(
                            new CsvOptions(
                                    schema,
                                    declared,
                                    wanted,
                                    csvLayout,
                                    options.delimiter(),
                                    options.onBadData(),
                                    options.maxRecordBytes()),
                            bad);
            case RAW ->
                    new RawDecoder(
                            schema.field(0),
                            wanted,
                            options.onBadData(),
                            options.maxRecordBytes(),
                            bad);
        };
    }

    /**
     * An encoder.
     *
     * @param newline whether a newline ends each record, as in files
     */
    public static RowEncoder encoder(FormatOptions options, boolean newline) {
        return switch (options.format()) {
            case JSON -> new JsonEncoder(newline);
            case CSV -> new CsvEncoder(options.delimiter(), newline);
            case RAW -> new RawEncoder(newline);
        };
    }

    /** The media type of records, as HTTP names it. */
    public static String mediaType(FormatOptions.Format format) {
        return switch (format) {
            case JSON -> "application/x-ndjson";
            case CSV -> "text/csv; charset=utf-8";
            case RAW -> "text/plain; charset=utf-8";
        };
    }

    /** What users are told of each format. */
    public static List<Description> descriptions() {
        return List.of(
                new Description(
                        "format",
                        "json",
                        "A JSON object for each record.",
                        """
                        A field that is missing is null, a field twice keeps its last value. Without a schema, whole numbers are int64 and \
                        become float64 when a \
                        fraction appears; fields that come later join the columns; lists of one type are lists, objects are json. A number \
                        beyond int64 makes its \
                        record bad unless the column is declared `decimal(p,s)`: numbers are never rounded. In a file there is one object a \
                        line, and empty lines \
                        are passed over.

                        Written, nulls are left out, a float64 always has a point or an exponent (`12.0`, `1.7e12`), and NaN and infinities \
                        are null.""",
                        READING,
                        "format = \"json\"\n"),
                new Description(
                        "format",
                        "csv",
                        "Comma-separated values by RFC 4180.",
                        """
                        A file has a header, a message has none: its fields are the columns of `schema` by position. An empty field is \
                        null, `""` is the empty \
                        string. Without a schema, types are inferred: int64, float64, bool, else string. A text such as `007` stays a \
                        string. A record with \
                        another number of fields is bad. A CSV file is always read by one task, since a line break may be within quotes.""",
                        withDelimiter(),
                        "format = \"csv\"\ndelimiter = \";\"\n"),
                new Description(
                        "format",
                        "raw",
                        "One value as it is.",
                        """
                        The only column is named `value`, or as the schema names it, and is a string, or bytes when declared so. A string \
                        is checked to be UTF-8. \
                        In a file each line is a value. Written, exactly one column is expected, and a null is an empty record.""",
                        READING,
                        "format = \"raw\"\nschema = [{ name = \"line\" }]\n"));
    }

    private static List<Option> withDelimiter() {
        List<Option> options = new ArrayList<>(READING);
        options.addFirst(DELIMITER);
        return options;
    }
}
