package dev.tidemill.file;

import dev.tidemill.formats.FormatOptions;
import dev.tidemill.formats.FormatOptions.Format;
import dev.tidemill.spi.ConfigException;
import dev.tidemill.spi.Notices;
import dev.tidemill.spi.OptionValues;
import dev.tidemill.spi.Sink;
import dev.tidemill.spi.SinkContext;
import dev.tidemill.spi.SinkWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** One file, or a directory of parts. Thread-safe. */
final class FileSink implements Sink {
    private final FormatOptions format;
    private final Output output;
    private final boolean overwrite;
    private final long rollBytes;
    private boolean prepared;
    private int closed;
    private boolean isDone;

    private FileSink(FormatOptions format, Output output, boolean overwrite, long rollBytes) {
        this.format = format;
        this.output = output;
        this.overwrite = overwrite;
        this.rollBytes = rollBytes;
    }

    /** Checks what can be checked without a look at the disk. */
    static void check(OptionValues options) throws ConfigException {
        if (!options.strings("partitionBy").isEmpty()) {
            throw new ConfigException("partitionBy", "is not in this version yet");
        }
        if (options.requireString("path").equals("-")) {
            throw new ConfigException("path", "to print rows use sink = \"stdout\"");
        }
        format(options);
        compression(options);
    }

    static FileSink of(OptionValues options, Path directory) throws ConfigException {
        check(options);
        String text = options.requireString("path");
        Path path = Location.resolve(text, directory);
        FormatOptions format = format(options);
        Compression compression = compression(options);
        boolean single =
                !text.endsWith("/")
                        && !Files.isDirectory(path)
                        && !FileFormat.extension(path.getFileName().toString()).isEmpty();
        Output output =
                single
                        ? new Output.SingleFile(path, compression)
                        : new Output.Directory(
                                path, compression, FileFormat.extensionOf(format.format()));
        long rollBytes = options.integer("rollBytes").orElse(0L);
        if (single && rollBytes > 0) {
            throw new ConfigException(
                    "rollBytes", "needs a directory, and the path " + text + " is one file");
        }
        return new FileSink(format, output, FileOptions.flag(options, "overwrite"), rollBytes);
    }

    private static String fileName(OptionValues options) {
        String path = options.requireString("path");
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private static FormatOptions format(OptionValues options) throws ConfigException {
        Optional<Format> told = FileFormat.of(fileName(options));
        return FormatOptions.of(options, told.orElse(Format.JSON));
    }

    private static Compression compression(OptionValues options) throws ConfigException {
        Compression told = Compression.of(fileName(options));
        Optional<String> said = options.string("compression");
        if (said.isEmpty()) {
            return told;
        }
        Compression chosen =
                switch (said.get()) {
                    case "none" -> Compression.NONE;
                    case "gzip" -> Compression.GZIP;
                    case "zstd" -> Compression.ZSTD;
                    default ->
                            throw new ConfigException(
                                    "compression",
                                    "\""
                                            + said.get()
                                            + "\" is not known; there are none, gzip, zstd");
                };
        if (told != Compression.NONE && told != chosen) {
            throw new ConfigException(
                    "compression",
                    "is " + said.get() + ", but the path ends with " + told.suffix());
        }
        return chosen;
    }

    @Override
    public Delivery delivery() {
        return Delivery.EXACTLY_ONCE;
    }

    @Override
    public boolean mayBlock() {
        return true;
    }

    @Override
    public int maxTasks() {
        return output instanceof Output.SingleFile ? 1 : Integer.MAX_VALUE;
    }

    @Override
    public SinkWriter open(int task, int tasks, SinkContext context)
            throws IOException, ConfigException {
        List<Handle> restored = context.restored().stream().map(Handle::parse).toList();
        prepare(restored, context.notices());
        return new FileWriter(
                format, output, rollBytes, task, context.durable(), restored, () -> closed(tasks));
    }

    /** Before the first task writes: earlier output is refused or removed, or what goes on is found. */
    private synchronized void prepare(List<Handle> restored, Notices notices)
            throws IOException, ConfigException {
        if (prepared) {
            return;
        }
        if (restored.isEmpty()) {
            output.prepare(overwrite);
        } else {
            output.resume(restored, notices);
        }
        prepared = true;
    }

    private synchronized void closed(int tasks) throws IOException {
        closed++;
        isDone = closed == tasks;
        if (isDone) {
            output.tidy();
        }
    }

    @Override
    public void commit(List<String> handles) throws IOException {
        for (String handle : handles) {
            output.publish(Handle.parse(handle));
        }
        if (isDone()) {
            output.tidy();
        }
    }

    private synchronized boolean isDone() {
        return isDone;
    }
}
