package dev.tidemill.file;

import dev.tidemill.data.Schema;
import dev.tidemill.describe.Description;
import dev.tidemill.formats.BadDataException;
import dev.tidemill.formats.FormatOptions;
import dev.tidemill.formats.FormatOptions.Format;
import dev.tidemill.formats.Formats;
import dev.tidemill.spi.ConfigException;
import dev.tidemill.spi.Connector;
import dev.tidemill.spi.OptionValues;
import dev.tidemill.spi.PipelineContext;
import dev.tidemill.spi.Sink;
import dev.tidemill.spi.Source;
import dev.tidemill.spi.SourceRequest;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Files as inputs and outputs, and standard input. */
public final class FileConnector implements Connector {
    private static final long STDIN_WAIT_MS = 100;

    private static final Description SOURCE =
            new Description(
                    "connector",
                    "file",
                    "Reads files, or standard input.",
                    """
            The format follows from the extension (`.json`, `.jsonl`, `.ndjson`; `.csv`; `.txt`, `.raw`; each with `.gz` or `.zst` behind) \
            unless `format` says it; for \
            standard input it is JSON. With `format`, only files with an extension of that format are read from a directory. All files of a \
            dataset have one schema: declared, or \
            inferred from the first `inferSample` records.

            Large JSON and raw files that are not packed are divided between the tasks, line by line. A CSV file is read by one task, since \
            its quotes may hold line breaks.""",
                    FileOptions.SOURCE,
                    """
            [datasets.events]
            connector = "file"
            path = "events.jsonl"
            """);
    private static final Description SINK =
            new Description(
                    "connector",
                    "file",
                    "Writes files.",
                    """
            A path with an extension is one file. Any other path is a directory, where task `n` writes `part-<n>-000001.jsonl` and so on. \
            What is being written is hidden (`_staging`, or a name that \
            begins with a point) and takes its name when it is whole and on the disk, so that a half-written file is never read. CSV files \
            have a header.""",
                    FileOptions.SINK,
                    """
            [datasets.out]
            sink = "file"
            path = "out"
            format = "csv"
            """);

    private final Supplier<InputStream> stdin;

    public FileConnector() {
        this(() -> new FileInputStream(FileDescriptor.in));
    }

    FileConnector(Supplier<InputStream> stdin) {
        this.stdin = stdin;
    }

    @Override
    public String name() {
        return "file";
    }

    @Override
    public Optional<Description> sourceDescription() {
        return Optional.of(SOURCE);
    }

    @Override
    public Optional<Description> sinkDescription() {
        return Optional.of(SINK);
    }

    @Override
    public void check(String dataset, boolean asSource, OptionValues options)
            throws ConfigException {
        if (asSource) {
            FileOptions.of(options);
            FormatOptions.of(options, Format.JSON);
            checkPath(options);
        } else {
            FileSink.check(options);
        }
    }

    private static void checkPath(OptionValues options) throws ConfigException {
        String path = options.requireString("path");
        if (path.equals("-")) {
            return;
        }
        Location.resolve(path, Path.of(""));
        if (options.string("format").isEmpty()) {
            FileFormat.of(path.substring(path.lastIndexOf('/') + 1));
        }
    }

    @Override
    public Source source(SourceRequest request, OptionValues options, PipelineContext context)
            throws Exception {
        FileOptions fileOptions = FileOptions.of(options);
        Location location = Location.of(options.requireString("path"), context.directory());
        EngineColumns engine = new EngineColumns(request.engineColumns());
        if (location.isStdin()) {
            FormatOptions format = FormatOptions.of(options, Format.JSON);
            PumpedInput input = new PumpedInput(stdin.get(), STDIN_WAIT_MS);
            Schema start =
                    Formats.isFinal(format)
                            ? Formats.startSchema(format)
                            : sampleStdin(format, input, context);
            return new FileSource(
                    request.dataset(),
                    fileOptions,
                    format,
                    location,
                    List.of(),
                    start,
                    request.columns(),
                    engine,
                    input,
                    null);
        }
        Found found = find(location, options, fileOptions);
        Schema start =
                Formats.isFinal(found.format())
                        ? Formats.startSchema(found.format())
                        : sample(found, location, request, context);
        Discovery discovery =
                fileOptions.watch() && !location.isOneFile()
                        ? new Discovery(
                                location,
                                file -> reads(file, location, found.format().format()),
                                found.files(),
                                fileOptions.watchMs(),
                                context.clock())
                        : null;
        return new FileSource(
                request.dataset(),
                fileOptions,
                found.format(),
                location,
                found.files(),
                start,
                request.columns(),
                engine,
                null,
                discovery);
    }

    private record Found(List<Path> files, FormatOptions format) {}

    private static Found find(Location location, OptionValues options, FileOptions fileOptions)
            throws ConfigException {
        List<Path> all = list(location);
        Optional<String> said = options.string("format");
        Format format = said.isPresent() ? Formats.named(said.get()) : formatOf(all, location);
        List<Path> files = new ArrayList<>();
        for (Path file : all) {
            if (reads(file, location, format)) {
                files.add(file);
            }
        }
        if (files.isEmpty() && !fileOptions.watch()) {
            String others =
                    all.isEmpty()
                            ? ""
                            : ", although there are "
                                    + all.size()
                                    + " others, such as "
                                    + location.nameOf(all.getFirst());
            throw new ConfigException(
                    "path",
                    location.text() + " has no " + format.word() + " files to read" + others);
        }
        for (Path file : files) {
            if (fileOptions.follow()
                    && Compression.of(file.getFileName().toString()) != Compression.NONE) {
                throw new ConfigException("follow", file + " is packed and cannot be followed");
            }
        }
        return new Found(files, FormatOptions.of(options, format));
    }

    private static List<Path> list(Location location) throws ConfigException {
        try {
            return location.list();
        } catch (FileSystemException e) {
            String why = e.getReason() == null ? e.getClass().getSimpleName() : e.getReason();
            throw new ConfigException("path", e.getFile() + ": " + why, e);
        } catch (IOException e) {
            throw new ConfigException(
                    "path", location.text() + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** The one format that the names of all files tell. */
    private static Format formatOf(List<Path> files, Location location) throws ConfigException {
        Format format = null;
        Path first = null;
        for (Path file : files) {
            String name = file.getFileName().toString();
            Optional<Format> told = FileFormat.of(name);
            if (told.isEmpty()) {
                throw new ConfigException(
                        "format",
                        "the name "
                                + name
                                + " tells no format: set format = \"json\", \"csv\" or \"raw\"; known extensions are "
                                + FileFormat.EXTENSIONS);
            }
            if (format != null && format != told.get()) {
                throw new ConfigException(
                        "format",
                        location.text()
                                + " holds "
                                + location.nameOf(first)
                                + " and "
                                + location.nameOf(file)
                                + ": set format to say which are read");
            }
            format = told.get();
            first = file;
        }
        return format == null ? Format.JSON : format;
    }

    /** Whether a file is read with this format: a file or pattern names its files itself, in a directory their extensions decide. */
    private static boolean reads(Path file, Location location, Format format) {
        if (location.isOneFile() || location.glob() != null) {
            return true;
        }
        try {
            return FileFormat.of(file.getFileName().toString())
                    .filter(told -> told == format)
                    .isPresent();
        } catch (ConfigException e) {
            return false;
        }
    }

    private static Schema sample(
            Found found, Location location, SourceRequest request, PipelineContext context)
            throws ConfigException {
        SchemaSample sample = new SchemaSample(found.format());
        for (Path file : found.files()) {
            if (sample.isEnough()) {
                break;
            }
            try (ByteInput input = FileSource.input(file, 0)) {
                sample.read(FileSplit.whole(file, location.nameOf(file)), input);
            } catch (BadDataException e) {
                throw new ConfigException("path", file + ": " + e.getMessage(), e);
            } catch (AccessDeniedException e) {
                throw new ConfigException("path", file + ": permission denied", e);
            } catch (IOException e) {
                throw new ConfigException("path", file + " cannot be read: " + e.getMessage(), e);
            }
        }
        warnWhenAllBad(sample, request.dataset(), context);
        return sample.schema();
    }

    private static Schema sampleStdin(
            FormatOptions format, PumpedInput input, PipelineContext context)
            throws ConfigException {
        SchemaSample sample = new SchemaSample(format);
        input.keep();
        try {
            sample.read(FileSplit.STDIN, input);
        } catch (BadDataException | IOException e) {
            throw new ConfigException("path", "standard input: " + e.getMessage(), e);
        }
        input.rewind();
        warnWhenAllBad(sample, "standard input", context);
        return sample.schema();
    }

    private static void warnWhenAllBad(SchemaSample sample, String name, PipelineContext context) {
        if (sample.rows() == 0 && sample.firstBadReason() != null) {
            context.notices()
                    .warn(
                            name
                                    + ": no record could be read so far; the first is bad because "
                                    + sample.firstBadReason());
        }
    }

    @Override
    public Sink sink(String dataset, OptionValues options, PipelineContext context)
            throws ConfigException {
        return FileSink.of(options, context.directory());
    }
}
