package dev.tidemill.file;

import dev.tidemill.data.Schema;
import dev.tidemill.formats.FormatOptions;
import dev.tidemill.formats.Formats;
import dev.tidemill.spi.Source;
import dev.tidemill.spi.SourceContext;
import dev.tidemill.spi.SourceReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Files, or standard input. Thread-safe: what tasks share is fixed, or guards itself. */
final class FileSource implements Source {
    private final String dataset;
    private final FileOptions options;
    private final FormatOptions format;
    private final Location location;
    private final List<Path> files;
    private final Schema start;
    private final Schema schema;
    private final List<String> wanted;
    private final EngineColumns engineColumns;
    private final PumpedInput stdin;
    private final Discovery discovery;
    private List<FileSplit> plan;

    /**
     * @param files     those to read, in order
     * @param start     the columns that decoders start with
     * @param wanted    the columns that are read, or null for all
     * @param stdin     when that is read, else null
     * @param discovery when new files are looked for, else null
     */
    FileSource(
            String dataset,
            FileOptions options,
            FormatOptions format,
            Location location,
            List<Path> files,
            Schema start,
            List<String> wanted,
            EngineColumns engineColumns,
            PumpedInput stdin,
            Discovery discovery) {
        this.dataset = dataset;
        this.options = options;
        this.format = format;
        this.location = location;
        this.files = files;
        this.start = start;
        this.wanted = wanted;
        this.engineColumns = engineColumns;
        this.stdin = stdin;
        this.discovery = discovery;
        schema =
                engineColumns.extend(
                        Formats.fileDecoder(format, start, wanted, new Ignored()).schema());
    }

    @Override
    public Schema schema() {
        return schema;
    }

    @Override
    public boolean schemaIsFinal() {
        return Formats.isFinal(format);
    }

    @Override
    public boolean bounded() {
        return !options.endless();
    }

    @Override
    public int defaultTasks(int workers) {
        return stdin != null ? 1 : options.partitions();
    }

    @Override
    public int maxTasks() {
        return stdin != null ? 1 : Integer.MAX_VALUE;
    }

    @Override
    public boolean mayBlock() {
        return stdin != null || options.endless();
    }

    @Override
    public SourceReader open(int task, int tasks, SourceContext context) throws IOException {
        List<FileSplit> all = plan(tasks);
        List<FileSplit> mine = new ArrayList<>();
        for (int i = task; i < all.size(); i += tasks) {
            mine.add(all.get(i));
        }
        return new FileReader(this, mine, task, tasks, context);
    }

    /** Made once, since files may grow while tasks open. */
    private synchronized List<FileSplit> plan(int tasks) throws IOException {
        if (plan == null) {
            plan = stdin != null ? List.of(FileSplit.STDIN) : splits(tasks);
        }
        return plan;
    }

    private List<FileSplit> splits(int tasks) throws IOException {
        if (!options.follow()) {
            return SplitPlan.of(location, files, format.format(), tasks);
        }
        return files.stream().map(file -> FileSplit.whole(file, location.nameOf(file))).toList();
    }

    String dataset() {
        return dataset;
    }

    FileOptions options() {
        return options;
    }

    FormatOptions format() {
        return format;
    }

    Schema start() {
        return start;
    }

    List<String> wanted() {
        return wanted;
    }

    EngineColumns engineColumns() {
        return engineColumns;
    }

    PumpedInput stdin() {
        return stdin;
    }

    Discovery discovery() {
        return discovery;
    }

    /** The bytes of a split, from the byte before it on when it does not begin its file. */
    ByteInput input(FileSplit split) throws IOException {
        if (split.file() == null) {
            return stdin;
        }
        if (options.follow()) {
            return FileInput.followed(split.file());
        }
        return input(split.file(), split.from());
    }

    static ByteInput input(Path file, long from) throws IOException {
        Compression compression = Compression.of(file.getFileName().toString());
        if (compression != Compression.NONE) {
            return FileInput.unpacked(file, compression);
        }
        return FileInput.plain(file, Math.max(0, from - 1));
    }
}
