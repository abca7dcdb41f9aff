package dev.tidemill.file;

import dev.tidemill.spi.Clock;
import dev.tidemill.spi.Notices;
import dev.tidemill.spi.OptionValues;
import dev.tidemill.spi.PipelineContext;
import dev.tidemill.spi.SinkContext;
import dev.tidemill.spi.Source;
import dev.tidemill.spi.SourceContext;
import dev.tidemill.spi.SourceReader;
import dev.tidemill.spi.SourceRequest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Opens file sources and sinks below a directory. */
final class Harness implements Notices {
    final Path directory;
    final List<String> warnings = new ArrayList<>();

    Harness(Path directory) {
        this.directory = directory;
    }

    static OptionValues options(Object... namesAndValues) {
        Map<String, Object> values = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            values.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return new OptionValues(values);
    }

    static List<OptionValues> columns(String... namesAndTypes) {
        List<OptionValues> out = new ArrayList<>();
        for (int i = 0; i < namesAndTypes.length; i += 2) {
            out.add(options("name", namesAndTypes[i], "type", namesAndTypes[i + 1]));
        }
        return out;
    }

    PipelineContext context() {
        return new PipelineContext("test", directory, null, options(), Clock.SYSTEM, this);
    }

    SinkContext sinkContext() {
        return new SinkContext("test", Clock.SYSTEM, this);
    }

    Source source(Object... options) throws Exception {
        return source(null, List.of(), options);
    }

    Source source(List<String> wanted, List<String> engine, Object... options) throws Exception {
        return new FileConnector()
                .source(new SourceRequest("in", wanted, engine, 1024), options(options), context());
    }

    SourceReader open(Source source, int task, int tasks, int batchRows) throws Exception {
        return source.open(task, tasks, new SourceContext(Clock.SYSTEM, batchRows, this));
    }

    /** Reads a bounded source to its end with so many tasks. */
    List<Collected> read(Source source, int tasks, int batchRows) throws Exception {
        List<Collected> all = new ArrayList<>();
        for (int task = 0; task < tasks; task++) {
            Collected out = new Collected();
            try (SourceReader reader = open(source, task, tasks, batchRows)) {
                while (reader.poll(out) != SourceReader.Status.FINISHED) {
                    // until the end
                }
            }
            if (!out.open.isEmpty()) {
                throw new AssertionError("unfinished splits " + out.open);
            }
            if (out.largest > batchRows) {
                throw new AssertionError("a batch of " + out.largest + " rows");
            }
            all.add(out);
        }
        return all;
    }

    Collected readAll(Object... options) throws Exception {
        return read(source(options), 1, 1000).getFirst();
    }

    Path write(String name, String text) throws IOException {
        return write(name, text.getBytes(StandardCharsets.UTF_8));
    }

    Path write(String name, byte[] data) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream out = Compression.of(name).pack(packed)) {
            out.write(data);
        }
        return Files.write(file, packed.toByteArray());
    }

    String text(String name) throws IOException {
        try (InputStream in =
                Compression.of(name)
                        .unpack(
                                new ByteArrayInputStream(
                                        Files.readAllBytes(directory.resolve(name))))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    List<String> names() throws IOException {
        try (var all = Files.walk(directory)) {
            return all.filter(Files::isRegularFile)
                    .map(file -> directory.relativize(file).toString())
                    .sorted()
                    .toList();
        }
    }

    @Override
    public void info(String line) {}

    @Override
    public void warn(String line) {
        warnings.add(line);
    }
}
