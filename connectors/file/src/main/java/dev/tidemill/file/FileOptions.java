package dev.tidemill.file;

import dev.tidemill.describe.Option;
import dev.tidemill.describe.OptionType;
import dev.tidemill.formats.Formats;
import dev.tidemill.spi.ConfigException;
import dev.tidemill.spi.OptionValues;
import java.util.ArrayList;
import java.util.List;

/**
 * The options of a file source beside those of its format.
 *
 * @param partitions  the number of tasks when the user does not say
 * @param watch       whether files that come later are read too
 * @param watchMs     the time between two looks at the directory
 * @param follow      whether files are read on as they grow
 * @param timeOrdered whether event time never goes back from file to file, in the order of their names
 */
record FileOptions(
        int partitions, boolean watch, long watchMs, boolean follow, boolean timeOrdered) {
    static final List<Option> SOURCE = source();
    static final List<Option> SINK = sink();

    static FileOptions of(OptionValues options) throws ConfigException {
        FileOptions read =
                new FileOptions(
                        Math.toIntExact(options.integer("partitions").orElse(4L)),
                        flag(options, "watch"),
                        options.integer("watchMs").orElse(1000L),
                        flag(options, "follow"),
                        flag(options, "timeOrdered"));
        if (options.requireString("path").equals("-") && (read.watch || read.follow)) {
            throw new ConfigException(
                    read.watch ? "watch" : "follow", "has no meaning for standard input");
        }
        return read;
    }

    static boolean flag(OptionValues options, String name) {
        return options.has(name) && options.requireBool(name);
    }

    /** Whether more can come after what is there now. */
    boolean endless() {
        return watch || follow;
    }

    private static List<Option> source() {
        List<Option> options = new ArrayList<>();
        options.add(
                Option.of(
                                "path",
                                OptionType.STRING,
                                "A file, a directory (read with those below it), a pattern such as `logs/*.jsonl`, or `-` for "
                                        + "standard input. Names that begin with `_` or `.`"
                                        + " are passed over. `.gz` and `.zst` files are unpacked.")
                        .mandatory()
                        .withExample("\"events.jsonl\""));
        options.addAll(Formats.fileOptions());
        options.add(
                Option.of(
                                "partitions",
                                OptionType.INT,
                                "The number of tasks that read. Large JSON and raw files are divided between them.")
                        .withDefault(4)
                        .atLeast(1)
                        .atMost(1024));
        options.add(
                Option.of(
                                "watch",
                                OptionType.BOOL,
                                "Keeps running and reads files that come later. Move files in whole: each is read once.")
                        .withDefault(false)
                        .withExample("true"));
        options.add(
                Option.of(
                                "watchMs",
                                OptionType.DURATION_MS,
                                "The time between two looks at the directory or at a followed file.")
                        .withDefault(1000)
                        .atLeast(1));
        options.add(
                Option.of(
                                "follow",
                                OptionType.BOOL,
                                "Keeps running and reads on as files grow, are truncated, or are replaced, as logs are.")
                        .withDefault(false)
                        .withExample("true"));
        options.add(
                Option.of(
                                "timeOrdered",
                                OptionType.BOOL,
                                "Declares that event time does not go back from a file to the next, in the order of names, nor "
                                        + "within a file. Without it, windows close only when the"
                                        + " last file of a task is being read.")
                        .withDefault(false)
                        .withExample("true"));
        return List.copyOf(options);
    }

    private static List<Option> sink() {
        List<Option> options = new ArrayList<>();
        options.add(
                Option.of(
                                "path",
                                OptionType.STRING,
                                "A file when it has an extension, as `out.jsonl` or `out.csv.gz`, written by one task. "
                                        + "Otherwise a directory, in which each task writes"
                                        + " parts. Either appears only when it is whole.")
                        .mandatory()
                        .withExample("\"out.jsonl\""));
        options.addAll(Formats.fileSinkOptions());
        options.add(
                Option.of(
                                "compression",
                                OptionType.CHOICE,
                                "Packs what is written; by the path's extension when not given.")
                        .oneOf("none", "gzip", "zstd")
                        .withExample("\"zstd\""));
        options.add(
                Option.of(
                                "overwrite",
                                OptionType.BOOL,
                                "Replaces earlier output. Without it, a run refuses to start when there is some.")
                        .withDefault(false)
                        .withExample("true"));
        options.add(
                Option.of(
                                "rollBytes",
                                OptionType.BYTES,
                                "Begins a new part at this size; 0 writes one part a task.")
                        .withDefault(0)
                        .atLeast(0));
        options.add(
                Option.of(
                        "partitionBy",
                        OptionType.STRING_LIST,
                        "Not in this version yet: a folder for each value of these columns."));
        return List.copyOf(options);
    }
}
