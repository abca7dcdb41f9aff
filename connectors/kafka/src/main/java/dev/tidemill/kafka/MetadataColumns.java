package dev.tidemill.kafka;

import dev.tidemill.data.DataType;
import dev.tidemill.data.Field;
import dev.tidemill.data.Schema;
import dev.tidemill.describe.Option;
import dev.tidemill.describe.OptionType;
import dev.tidemill.formats.FormatOptions;
import dev.tidemill.formats.json.JsonOptions;
import dev.tidemill.spi.ConfigException;
import dev.tidemill.spi.OptionValues;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The columns that come from the message around the value, in the order in which they stand behind the value's columns.
 */
record MetadataColumns(List<Entry> entries) {
    /** What a column holds. */
    enum Kind {
        KEY(
                "keyColumn",
                DataType.UTF8,
                "The column that takes the message's key as text, null when there is none."),
        PARTITION(
                "partitionColumn",
                DataType.INT64,
                "The column that takes the number of the message's partition."),
        OFFSET(
                "offsetColumn",
                DataType.INT64,
                "The column that takes the message's offset in its partition."),
        TIMESTAMP(
                "timestampColumn",
                DataType.TIMESTAMP,
                "The column that takes the message's timestamp."),
        HEADERS(
                "headersColumn",
                DataType.JSON,
                "The column that takes the message's headers as a JSON object from name to text, null when there are none. A name that occurs"
                        + " more than once has a list; a value that is not UTF-8 is in base64.");

        private final String option;
        private final DataType type;
        private final String doc;

        Kind(String option, DataType type, String doc) {
            this.option = option;
            this.type = type;
            this.doc = doc;
        }

        DataType type() {
            return type;
        }
    }

    record Entry(String name, Kind kind) {
        Field field() {
            return new Field(name, kind.type());
        }
    }

    MetadataColumns {
        entries = List.copyOf(entries);
    }

    static List<Option> options() {
        List<Option> options = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            options.add(
                    Option.of(kind.option, OptionType.STRING, kind.doc)
                            .withExample(
                                    "\"_" + kind.name().toLowerCase(java.util.Locale.ROOT) + "\""));
        }
        return options;
    }

    static MetadataColumns of(OptionValues options) {
        List<Entry> entries = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            options.string(kind.option).ifPresent(name -> entries.add(new Entry(name, kind)));
        }
        return new MetadataColumns(entries);
    }

    /** Checks that names are fit for columns and occur once, also in a declared schema. */
    static void check(OptionValues options, FormatOptions format) throws ConfigException {
        Set<String> names = new HashSet<>();
        for (Kind kind : Kind.values()) {
            String name = options.string(kind.option).orElse(null);
            if (name == null) {
                continue;
            }
            if (name.isBlank() || Schema.isEngineColumn(name) || name.equals(JsonOptions.RESCUED)) {
                throw new ConfigException(
                        kind.option, "\"" + name + "\" cannot be the name of a column");
            }
            if (!names.add(name)) {
                throw new ConfigException(
                        kind.option, "another option puts something else into the column " + name);
            }
            if (format.declared().isPresent() && format.declared().get().indexOf(name) >= 0) {
                throw new ConfigException(
                        kind.option, "the schema declares a column " + name + " already");
            }
        }
    }

    /** The columns of the value among those wanted; null stays "all". */
    List<String> without(List<String> wanted) {
        if (wanted == null) {
            return null;
        }
        Set<String> own = new HashSet<>();
        entries.forEach(e -> own.add(e.name));
        return wanted.stream().filter(name -> !own.contains(name)).toList();
    }

    /** The columns for a request: those wanted, and behind them the engine's. */
    MetadataColumns requested(List<String> wanted, List<String> engine) {
        List<Entry> out = new ArrayList<>();
        for (Entry entry : entries) {
            if (wanted == null || wanted.contains(entry.name)) {
                out.add(entry);
            }
        }
        for (String name : engine) {
            switch (name) {
                case Schema.KEY -> out.add(new Entry(name, Kind.KEY));
                case Schema.PARTITION -> out.add(new Entry(name, Kind.PARTITION));
                case Schema.OFFSET -> out.add(new Entry(name, Kind.OFFSET));
                default ->
                        throw new IllegalArgumentException(
                                "a Kafka source does not make the column " + name);
            }
        }
        return new MetadataColumns(out);
    }

    /** The schema of rows whose value has these columns. A column of the message wins over one of the same name in the value. */
    Schema behind(Schema value) {
        if (entries.isEmpty()) {
            return value;
        }
        List<Field> fields = new ArrayList<>(value.fields());
        for (Entry entry : entries) {
            int index = value.indexOf(entry.name);
            if (index >= 0) {
                fields.set(index, entry.field());
            } else {
                fields.add(entry.field());
            }
        }
        return new Schema(fields);
    }
}
