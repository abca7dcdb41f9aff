package dev.tidemill.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemill.data.Batch;
import dev.tidemill.data.BytesColumn;
import dev.tidemill.data.Column;
import dev.tidemill.data.DataType;
import dev.tidemill.data.Field;
import dev.tidemill.data.LongColumn;
import dev.tidemill.data.Schema;
import dev.tidemill.data.Selection;
import dev.tidemill.spi.ConfigException;
import dev.tidemill.spi.Sink;
import dev.tidemill.spi.SinkWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FileSinkTest {
    @TempDir Path directory;

    private Harness files;

    @BeforeEach
    void open() {
        files = new Harness(directory);
    }

    private Sink last;

    private Sink sink(Object... options) throws Exception {
        last = new FileConnector().sink("out", Harness.options(options), files.context());
        return last;
    }

    /** The last epoch of a writer of the sink made last. */
    private void finish(SinkWriter writer) throws Exception {
        String handle = writer.prepare(true);
        if (handle != null) {
            last.commit(List.of(handle));
        }
    }

    private static Batch batch(long from, int rows) {
        long[] n = new long[rows];
        String[] s = new String[rows];
        for (int i = 0; i < rows; i++) {
            n[i] = from + i;
            s[i] = i % 3 == 0 ? null : "s" + (from + i);
        }
        Schema schema =
                Schema.of(
                        new Field("n", DataType.INT64),
                        new Field("s", DataType.UTF8),
                        new Field(Schema.KEY, DataType.UTF8));
        return Batch.of(
                schema,
                new Column[] {
                    new LongColumn(DataType.INT64, n, null, rows),
                    BytesColumn.of(s),
                    BytesColumn.of(s)
                },
                rows);
    }

    @ParameterizedTest
    @CsvSource({
        "out.jsonl,",
        "out.json.gz,",
        "sub/out.ndjson.zst,",
        "out.csv,",
        "out.csv.zst,",
        "plain.jsonl,none"
    })
    void writesOneFileThatAppearsWhole(String path, String compression) throws Exception {
        Sink sink =
                compression == null
                        ? sink("path", path)
                        : sink("path", path, "compression", compression);
        assertThat(sink.maxTasks()).isEqualTo(1);
        try (SinkWriter writer = sink.open(0, 1, files.sinkContext())) {
            writer.write(batch(0, 3));
            writer.flush();
            writer.write(batch(3, 2).select(new Selection(new int[] {1}, 1)));
            assertThat(Files.exists(directory.resolve(path))).isFalse();
            finish(writer);
        }
        String expected =
                path.contains(".csv")
                        ? "n,s\n0,\n1,s1\n2,s2\n4,s4\n"
                        : "{\"n\":0}\n{\"n\":1,\"s\":\"s1\"}\n{\"n\":2,\"s\":\"s2\"}\n{\"n\":4,\"s\":\"s4\"}\n";
        assertThat(files.text(path)).isEqualTo(expected);
        assertThat(files.names()).containsExactly(path);
        assertThat(files.readAll("path", path).values("n")).containsExactly(0L, 1L, 2L, 4L);
    }

    @Test
    void eachTaskWritesParts() throws Exception {
        Sink sink = sink("path", "out", "compression", "gzip", "format", "csv");
        for (int task = 0; task < 3; task++) {
            try (SinkWriter writer = sink.open(task, 3, files.sinkContext())) {
                if (task < 2) {
                    writer.write(batch(10 * task, 5));
                }
                assertThat(files.names())
                        .noneMatch(name -> name.equals("out/part-2-000001.csv.gz"));
                finish(writer);
            }
        }
        assertThat(files.names())
                .containsExactly("out/part-0-000001.csv.gz", "out/part-1-000001.csv.gz");
        assertThat(Files.exists(directory.resolve("out/_staging"))).isFalse();
        assertThat(files.readAll("path", "out").values("n")).hasSize(10);
    }

    @Test
    void rollsToNewParts() throws Exception {
        Sink sink = sink("path", "out", "rollBytes", 40L);
        try (SinkWriter writer = sink.open(0, 1, files.sinkContext())) {
            writer.write(batch(0, 2));
            writer.write(batch(2, 2));
            writer.write(batch(4, 2));
            finish(writer);
        }
        assertThat(files.names())
                .containsExactly("out/part-0-000001.jsonl", "out/part-0-000002.jsonl");
        assertThat(files.readAll("path", "out").values("n"))
                .containsExactly(0L, 1L, 2L, 3L, 4L, 5L);
    }

    @Test
    void withoutFinishNothingIsLeft() throws Exception {
        for (String path : List.of("out", "out.jsonl", "out.jsonl.gz", "dir/out.csv.zst")) {
            try (SinkWriter writer = sink("path", path).open(0, 1, files.sinkContext())) {
                writer.write(batch(0, 100_000));
                writer.flush();
            }
        }
        assertThat(files.names()).isEmpty();
    }

    @Test
    void refusesToReplaceEarlierOutputUnlessTold() throws Exception {
        files.write("out.jsonl", "{\"old\":1}\n");
        files.write("out/part-7-000003.jsonl", "{\"old\":1}\n");
        files.write("out/_staging/part-7-000004.jsonl", "{\"o");
        for (String path : List.of("out.jsonl", "out")) {
            assertThatThrownBy(() -> sink("path", path).open(0, 1, files.sinkContext()))
                    .isInstanceOfSatisfying(
                            ConfigException.class, e -> assertThat(e.option()).isEqualTo("path"))
                    .hasMessageContaining("overwrite = true");
            try (SinkWriter writer =
                    sink("path", path, "overwrite", true).open(0, 1, files.sinkContext())) {
                writer.write(batch(1, 1));
                finish(writer);
            }
        }
        assertThat(files.names()).containsExactly("out.jsonl", "out/part-0-000001.jsonl");
        assertThat(files.text("out.jsonl")).isEqualTo("{\"n\":1}\n");
    }

    @Test
    void neverRemovesWhatNoSinkWrote() throws Exception {
        files.write("home/letter.txt", "dear");
        files.write("home/part-0-000001.jsonl", "{}");
        assertThatThrownBy(
                        () ->
                                sink("path", "home", "overwrite", true)
                                        .open(0, 1, files.sinkContext()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("letter.txt");
        assertThat(files.names()).hasSize(2);
    }

    @Test
    void refusesWhatIsNotInThisVersion() {
        refused(
                "partitionBy",
                "not in this version yet",
                "path",
                "out",
                "partitionBy",
                List.of("day"));
        refused("path", "parquet is not in this version yet", "path", "out.parquet");
        refused("format", "arrow is not in this version yet", "path", "out", "format", "arrow");
        refused(
                "compression",
                "the path ends with .gz",
                "path",
                "out.csv.gz",
                "compression",
                "zstd");
        refused("rollBytes", "needs a directory", "path", "out.csv", "rollBytes", 5L);
        refused("path", "stdout", "path", "-");
    }

    private void refused(String option, String message, Object... options) {
        assertThatThrownBy(() -> sink(options))
                .isInstanceOfSatisfying(
                        ConfigException.class, e -> assertThat(e.option()).isEqualTo(option))
                .hasMessageContaining(message);
    }

    @Test
    void anEmptyResultIsAnEmptyFile() throws Exception {
        for (String path : List.of("a.jsonl", "b.jsonl.gz", "c.jsonl.zst")) {
            try (SinkWriter writer = sink("path", path).open(0, 1, files.sinkContext())) {
                finish(writer);
            }
            assertThat(files.readAll("path", path).rows).isEmpty();
        }
    }

    @Test
    void csvColumnsFollowTheHeader() throws Exception {
        Batch wide = batch(0, 2);
        Batch narrow = Batch.of(Schema.of(new Field("s", DataType.UTF8)), BytesColumn.of("only"));
        try (SinkWriter writer = sink("path", "out.csv").open(0, 1, files.sinkContext())) {
            writer.write(wide);
            writer.write(narrow);
            finish(writer);
        }
        assertThat(files.text("out.csv")).isEqualTo("n,s\n0,\n1,s1\n,only\n");
        try (SinkWriter writer =
                sink("path", "parts", "format", "csv").open(0, 1, files.sinkContext())) {
            writer.write(narrow);
            writer.write(wide);
            writer.write(narrow);
            finish(writer);
        }
        assertThat(files.text("parts/part-0-000001.csv")).isEqualTo("s\nonly\n");
        assertThat(files.text("parts/part-0-000002.csv")).isEqualTo("n,s\n0,\n1,s1\n,only\n");
        try (SinkWriter writer = sink("path", "one.csv").open(0, 1, files.sinkContext())) {
            writer.write(narrow);
            assertThatThrownBy(() -> writer.write(wide))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("column n");
        }
    }

    @Test
    void twoRunsDoNotWriteTheSameOutput() throws Exception {
        for (String path : List.of("out", "out.jsonl")) {
            try (SinkWriter first = sink("path", path).open(0, 1, files.sinkContext())) {
                first.write(batch(0, 1));
                assertThatThrownBy(
                                () -> {
                                    SinkWriter second =
                                            sink("path", path, "overwrite", true)
                                                    .open(0, 1, files.sinkContext());
                                    second.write(batch(0, 1));
                                })
                        .hasMessageContaining("another run is writing");
                first.write(batch(1, 1));
                finish(first);
            }
        }
        assertThat(files.text("out.jsonl")).isEqualTo("{\"n\":0}\n{\"n\":1}\n");
        assertThat(files.text("out/part-0-000001.jsonl")).isEqualTo(files.text("out.jsonl"));
    }

    static boolean hasFullDevice() {
        return Files.isWritable(Path.of("/dev/full"));
    }

    @Test
    @EnabledIf("hasFullDevice")
    void aFullDiskNamesTheFile() throws Exception {
        Path file = directory.resolve("out.jsonl");
        Part part = new Part(Path.of("/dev/full"), file, Compression.NONE);
        assertThatThrownBy(() -> part.write(new byte[1 << 20], 1 << 20))
                .isInstanceOf(IOException.class)
                .hasMessage("cannot write " + file + ": No space left on device");
    }
}
