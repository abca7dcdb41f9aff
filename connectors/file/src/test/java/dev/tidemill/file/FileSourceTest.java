package dev.tidemill.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemill.data.DataType;
import dev.tidemill.data.Field;
import dev.tidemill.data.Schema;
import dev.tidemill.formats.BadDataException;
import dev.tidemill.spi.BadRecords;
import dev.tidemill.spi.Clock;
import dev.tidemill.spi.ConfigException;
import dev.tidemill.spi.Source;
import dev.tidemill.spi.SourceContext;
import dev.tidemill.spi.SourceReader;
import dev.tidemill.spi.SourceRequest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class FileSourceTest {
    @TempDir Path directory;

    private Harness files;

    @BeforeEach
    void open() {
        files = new Harness(directory);
    }

    private static final String LINES = "{\"a\":1,\"b\":\"x\"}\n{\"a\":2.5}\n\n{\"c\":true}\n";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "in.jsonl",
                "in.json",
                "in.ndjson",
                "in.jsonl.gz",
                "in.json.zst",
                "\u00fcml\u00e4ut.jsonl"
            })
    void readsOneFile(String name) throws Exception {
        files.write(name, LINES);
        Source source = files.source("path", name);
        assertThat(source.schema())
                .isEqualTo(
                        Schema.of(
                                new Field("a", DataType.FLOAT64),
                                new Field("b", DataType.UTF8),
                                new Field("c", DataType.BOOL)));
        assertThat(source.bounded()).isTrue();
        assertThat(source.mayBlock()).isFalse();
        Collected out = files.read(source, 1, 1000).getFirst();
        assertThat(out.values("a")).containsExactly(1.0, 2.5, null);
        assertThat(out.values("c")).containsExactly(null, null, true);
        assertThat(out.splits).containsExactly(directory.resolve(name).toString());
        assertThat(out.bad).isZero();
    }

    @Test
    void readsDirectoriesBelowAndPatterns() throws Exception {
        files.write("d/b.jsonl", "{\"n\":2}");
        files.write("d/a/x.jsonl", "{\"n\":1}\n");
        files.write("d/_hidden/y.jsonl", "{\"n\":9}\n");
        files.write("d/.z.jsonl", "{\"n\":9}\n");
        files.write("d/c.jsonl.gz", "{\"n\":3}\n");
        assertThat(files.readAll("path", "d").values("n")).containsExactly(1L, 2L, 3L);
        assertThat(files.readAll("path", "d/").values("n")).containsExactly(1L, 2L, 3L);
        assertThat(files.readAll("path", directory + "/d/*.jsonl").values("n")).containsExactly(2L);
        assertThat(files.readAll("path", "d/**/*.jsonl").values("n")).containsExactly(1L, 2L);
        assertThat(files.readAll("path", "d/{a,q}/x.json?").values("n")).containsExactly(1L);
        assertThat(files.readAll("path", "file://" + directory + "/d/b.jsonl").values("n"))
                .containsExactly(2L);
    }

    @Test
    void aHiddenParentHidesNothing() throws Exception {
        files.write(".cache/_in/a.jsonl", "{\"n\":1}\n");
        assertThat(files.readAll("path", ".cache/_in").values("n")).containsExactly(1L);
        files.write("odd{/a.jsonl", "{\"n\":3}\n");
        assertThat(new Harness(directory.resolve("odd{")).readAll("path", "*.jsonl").values("n"))
                .containsExactly(3L);
        files.write("odd[1].jsonl", "{\"n\":2}\n");
        assertThat(files.readAll("path", "odd[1].jsonl").values("n")).containsExactly(2L);
    }

    @Test
    void readsCsvWithAHeaderAndTextLines() throws Exception {
        files.write("in.csv", "\uFEFFid;name\r\n1;\"a;b\"\r\n2;\r\n");
        Collected csv = files.readAll("path", "in.csv", "delimiter", ";");
        assertThat(csv.rows)
                .containsExactly(Map.of("id", 1L, "name", "a;b"), row("id", 2L, "name", null));
        files.write("in.txt", "one\r\n\ntwo");
        assertThat(files.readAll("path", "in.txt").values("value"))
                .containsExactly("one", "", "two");
    }

    private static Map<String, Object> row(Object... namesAndValues) {
        Map<String, Object> out = new java.util.LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            out.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return out;
    }

    @Test
    void hasOneSchemaForAllFiles() throws Exception {
        files.write("d/1.csv", "a,b\n1,x\n");
        files.write("d/2.csv", "b,a,c\ny,2.5,z\n");
        Collected out = files.readAll("path", "d");
        assertThat(out.values("a")).containsExactly(1.0, 2.5);
        assertThat(out.values("b")).containsExactly("x", "y");
        assertThat(out.values("c")).containsExactly(null, "z");
    }

    @Test
    void infersFromTheSampleAndWidensBehindIt() throws Exception {
        files.write("in.jsonl", "{\"a\":1}\n{\"a\":2.5,\"b\":3}\n");
        Source source = files.source("path", "in.jsonl", "inferSample", 1L);
        assertThat(source.schema()).isEqualTo(Schema.of(new Field("a", DataType.INT64)));
        assertThat(source.schemaIsFinal()).isFalse();
        List<Map<String, Object>> rows = files.read(source, 1, 1).getFirst().rows;
        assertThat(rows).containsExactly(Map.of("a", 1L), Map.of("a", 2.5, "b", 3L));
    }

    @Test
    void readsDeclaredAndWantedColumnsOnly() throws Exception {
        files.write("in.jsonl", "{\"a\":1,\"b\":\"x\",\"c\":[1]}\n{\"a\":\"no\"}\n{\"a\":");
        Source source =
                files.source(
                        List.of("a", "ghost"),
                        List.of(),
                        "path",
                        "in.jsonl",
                        "schema",
                        Harness.columns("a", "int", "b", "string"));
        assertThat(source.schemaIsFinal()).isTrue();
        assertThat(source.schema())
                .isEqualTo(
                        Schema.of(
                                new Field("a", DataType.INT64), new Field("ghost", DataType.NULL)));
        Collected out = files.read(source, 1, 10).getFirst();
        assertThat(out.rows)
                .containsExactly(row("a", 1L, "ghost", null), row("a", null, "ghost", null));
        assertThat(out.bad).isEqualTo(1);
        assertThat(out.misfits).isEqualTo(1);
    }

    @Test
    void sendsBadRecordsWhereTheUserSays() throws Exception {
        files.write("in.jsonl", "{\"a\":1}\n{\"a\":}\n{\"a\":327267367867168100000}\n{\"a\":4}\n");
        Collected rescued = files.readAll("path", "in.jsonl", "onBadData", "rescue");
        assertThat(rescued.values("a")).containsExactly(1L, null, null, 4L);
        assertThat(rescued.values("_rescued_data"))
                .containsExactly(null, "{\"a\":}", "{\"a\":327267367867168100000}", null);

        Collected letters =
                files.readAll(
                        "path", "in.jsonl", "onBadData", "deadLetter", "deadLetter", "rejects");
        assertThat(letters.values("a")).containsExactly(1L, 4L);
        assertThat(letters.bad).isEqualTo(2);
        assertThat(letters.letters.getFirst().schema()).isEqualTo(BadRecords.SCHEMA);
        Map<String, Object> letter = letters.letters.getFirst().row(0);
        assertThat(letter).containsEntry("dataset", "in").containsEntry("offset", 8L);
        assertThat(letter).containsEntry("partition", directory.resolve("in.jsonl").toString());
        assertThat((byte[]) letter.get("record"))
                .isEqualTo("{\"a\":}".getBytes(StandardCharsets.UTF_8));

        assertThatThrownBy(() -> files.readAll("path", "in.jsonl", "onBadData", "fail"))
                .isInstanceOf(BadDataException.class)
                .hasMessageStartingWith(
                        "dataset in, "
                                + directory.resolve("in.jsonl")
                                + ": bad record at offset 8: ");
    }

    @Test
    void saysWhatIsWrong() throws Exception {
        refused("path", "nothing.jsonl: there is no such file", "path", "nothing.jsonl");
        Files.createDirectory(directory.resolve("empty"));
        refused("path", "empty has no json files to read", "path", "empty");
        files.write("mixed/a.csv", "a\n");
        files.write("mixed/b.jsonl", "{}\n");
        refused("format", "mixed holds a.csv and b.jsonl: set format", "path", "mixed");
        assertThat(files.readAll("path", "mixed", "format", "json").rows).hasSize(1);
        refused("path", "the pattern a[.jsonl is wrong", "path", "a[.jsonl");
        refused("path", "there is no such directory", "path", "nowhere/*.jsonl");
        files.write("in.parquet", "PAR1");
        refused("path", "parquet is not in this version yet", "path", "in.parquet");
        refused(
                "format",
                "parquet is not in this version yet",
                "path",
                "in.parquet",
                "format",
                "parquet");
        files.write("in.log", "x\n");
        refused("format", "in.log tells no format", "path", "in.log");
        assertThat(files.readAll("path", "in.log", "format", "raw").rows).hasSize(1);
        refused("path", "s3:// is not in this version yet", "path", "s3://bucket/x");
        refused("format", "did you mean \"json\"", "path", "in.log", "format", "jsn");
        refused(
                "schema",
                "did you mean \"float64\"",
                "path",
                "mixed",
                "format",
                "json",
                "schema",
                Harness.columns("a", "flot64"));
        refused(
                "follow",
                "packed and cannot be followed",
                "path",
                files.write("x.jsonl.gz", "{}").toString(),
                "follow",
                true);
        files.write("dup.csv", "a,a\n1,2\n");
        refused("path", "names the column a twice", "path", "dup.csv");
        files.write("broken.jsonl.gz", "{}\n");
        Files.write(directory.resolve("broken.jsonl.gz"), new byte[] {1, 2, 3});
        refused(
                "path",
                "broken.jsonl.gz cannot be read: Not in GZIP format",
                "path",
                "broken.jsonl.gz");
    }

    private void refused(String option, String message, Object... options) {
        assertThatThrownBy(() -> files.source(options))
                .isInstanceOfSatisfying(
                        ConfigException.class, e -> assertThat(e.option()).isEqualTo(option))
                .hasMessageContaining(message);
    }

    @Test
    void aTruncatedPackedFileFailsWithItsName() throws Exception {
        StringBuilder text = new StringBuilder();
        Random random = new Random(1);
        for (int i = 0; i < 20_000; i++) {
            text.append("{\"n\":").append(random.nextLong()).append("}\n");
        }
        for (String name : List.of("in.jsonl.gz", "in.jsonl.zst")) {
            Path file = files.write(name, text.toString());
            byte[] data = Files.readAllBytes(file);
            Files.write(file, java.util.Arrays.copyOf(data, data.length - 20));
            assertThatThrownBy(() -> files.readAll("path", name, "inferSample", 1L))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cannot read " + file);
        }
    }

    @Test
    void emptyFilesHaveNoRows() throws Exception {
        files.write("a.jsonl", "");
        Files.write(directory.resolve("b.jsonl.gz"), new byte[0]);
        Files.write(directory.resolve("c.jsonl.zst"), new byte[0]);
        files.write("d.jsonl.zst", "");
        Collected out = files.readAll("path", ".");
        assertThat(out.rows).isEmpty();
        assertThat(out.splits).hasSize(4);
    }

    @Test
    void warnsWhenNoRecordCanBeRead() throws Exception {
        files.write("in.json", "[\n{\"a\":1},\n{\"a\":2}\n]\n");
        files.source("path", "in.json", "schema", Harness.columns("a", "int"));
        assertThat(files.warnings).isEmpty();
        files.write("list.json", "[1,2]\n");
        files.source("path", "list.json");
        assertThat(files.warnings)
                .containsExactly(
                        "in: no record could be read so far; the first is bad because a list where an object was expected");
    }

    @Test
    void announcesAllSplitsBeforeRowsOrOneAfterTheOtherWhenTimeIsOrdered() throws Exception {
        for (int i = 0; i < 6; i++) {
            files.write("d/" + i + ".jsonl", "{\"n\":" + i + "}\n");
        }
        List<Collected> out = files.read(files.source("path", "d"), 2, 10);
        assertThat(out.get(0).events).containsExactly("+0", "+1", "+2", "-0", "-1", "-2");
        assertThat(out.get(0).values("n")).containsExactly(0L, 2L, 4L);
        assertThat(out.get(1).values("n")).containsExactly(1L, 3L, 5L);
        List<Collected> ordered = files.read(files.source("path", "d", "timeOrdered", true), 2, 10);
        assertThat(ordered.get(0).events).containsExactly("+0", "+1", "-0", "+2", "-1", "-2");
        assertThat(ordered.get(1).values("n")).containsExactly(1L, 3L, 5L);
    }

    @Test
    void givesEachRowAKeyThatDoesNotDependOnTasksAndBatches() throws Exception {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 3000; i++) {
            text.append(i % 7 == 0 ? "\n" : i % 11 == 0 ? "{\n" : "{\"n\":" + i + "}\n");
        }
        files.write("d/a.jsonl", text.toString());
        files.write("d/b.jsonl", text.toString());
        Map<Object, Object> first = null;
        for (int batchRows : new int[] {1, 7, 1000, 5000}) {
            Source source =
                    files.source(List.of("n"), List.of(Schema.KEY, Schema.OFFSET), "path", "d");
            assertThat(source.schema().names()).containsExactly("n", Schema.KEY, Schema.OFFSET);
            Map<Object, Object> byKey = new java.util.HashMap<>();
            for (Collected out : files.read(source, batchRows == 7 ? 2 : 1, batchRows)) {
                out.rows.forEach(
                        row -> assertThat(byKey.put(row.get(Schema.KEY), row.get("n"))).isNull());
            }
            first = first == null ? byKey : first;
            assertThat(byKey).isEqualTo(first);
        }
        assertThat(first).containsEntry("a.jsonl:9", 1L);
    }

    /** Files of random lines, cut into ranges of every size: each line once, in order. */
    @Test
    void rangesTakeEachLineOnce() throws Exception {
        Random random = new Random(3);
        for (int round = 0; round < 400; round++) {
            String lineEnd = random.nextBoolean() ? "\n" : "\r\n";
            StringBuilder text = new StringBuilder();
            List<Object> expected = new ArrayList<>();
            int count = random.nextInt(30);
            for (int i = 0; i < count; i++) {
                if (random.nextInt(5) == 0) {
                    text.append(lineEnd);
                    expected.add("");
                    continue;
                }
                String line = "x".repeat(random.nextInt(9)) + i;
                expected.add(line);
                text.append(line).append(i == count - 1 && random.nextBoolean() ? "" : lineEnd);
            }
            Path file = files.write("in.txt", text.toString());
            List<FileSplit> splits = new ArrayList<>();
            SplitPlan.addRanges(splits, file, "in.txt", 1 + random.nextInt(25));
            List<Object> values = new ArrayList<>();
            for (FileSplit split : splits) {
                Source source = files.source("path", "in.txt");
                Collected out = new Collected();
                FileReader reader =
                        new FileReader(
                                (FileSource) source,
                                List.of(split),
                                0,
                                1,
                                new SourceContext(Clock.SYSTEM, 1 + random.nextInt(9), files));
                while (reader.poll(out) != SourceReader.Status.FINISHED) {
                    // until the end
                }
                values.addAll(out.values("value"));
            }
            assertThat(values).as(text.toString() + splits).isEqualTo(expected);
        }
    }

    /** Lines longer than the buffer, and a file large enough to be divided between tasks. */
    @Test
    void largeFilesAreDividedBetweenTasks() throws Exception {
        Random random = new Random(4);
        StringBuilder text = new StringBuilder();
        int count = 0;
        while (text.length() < (int) (3.3 * SplitPlan.RANGE)) {
            int pad = random.nextInt(200) == 0 ? random.nextInt(800_000) : random.nextInt(200);
            text.append("{\"n\":")
                    .append(count++)
                    .append(",\"p\":\"")
                    .append("p".repeat(pad))
                    .append("\"}\n");
        }
        files.write("in.jsonl", text.toString());
        for (int tasks : new int[] {1, 3, 8}) {
            for (boolean ordered : new boolean[] {false, true}) {
                List<Collected> all =
                        files.read(
                                files.source(
                                        List.of("n"),
                                        List.of(),
                                        "path",
                                        "in.jsonl",
                                        "timeOrdered",
                                        ordered),
                                tasks,
                                1024);
                Set<Object> seen = new HashSet<>();
                int rows = 0;
                int splits = 0;
                for (Collected out : all) {
                    seen.addAll(out.values("n"));
                    rows += out.rows.size();
                    splits += out.splits.size();
                }
                assertThat(rows).isEqualTo(count);
                assertThat(seen).hasSize(count);
                // A task's ranges of one file are one split; the file has three ranges for several
                // tasks.
                assertThat(splits).isEqualTo(Math.min(tasks, 3));
                all.forEach(out -> assertThat(out.open).isEmpty());
            }
        }
    }

    @Test
    void watchesForNewFiles() throws Exception {
        files.write("d/a.jsonl", "{\"n\":1}\n");
        Source source = files.source("path", "d", "watch", true, "watchMs", 1L);
        assertThat(source.bounded()).isFalse();
        assertThat(source.mayBlock()).isTrue();
        List<Collected> out = List.of(new Collected(), new Collected());
        List<SourceReader> readers =
                List.of(files.open(source, 0, 2, 10), files.open(source, 1, 2, 10));
        poll(readers, out, 1);
        files.write("d/0/b.jsonl", "{\"n\":2}\n");
        files.write("d/c.jsonl.gz", "{\"n\":3}\n");
        files.write("d/skip.csv", "n\n4\n");
        poll(readers, out, 3);
        files.write("d/d.jsonl", "{\"n\":5}\n");
        poll(readers, out, 4);
        List<Object> values = new ArrayList<>(out.get(0).values("n"));
        values.addAll(out.get(1).values("n"));
        assertThat(values).containsExactlyInAnyOrder(1L, 2L, 3L, 5L);
        assertThat(out.get(0).open).isEmpty();
    }

    private static void poll(List<SourceReader> readers, List<Collected> out, int rows)
            throws Exception {
        for (int round = 0;
                round < 2000 && out.stream().mapToInt(each -> each.rows.size()).sum() < rows;
                round++) {
            for (int i = 0; i < readers.size(); i++) {
                readers.get(i).poll(out.get(i));
            }
        }
        for (int round = 0; round < 5; round++) {
            for (int i = 0; i < readers.size(); i++) {
                readers.get(i).poll(out.get(i));
            }
        }
    }

    @Test
    void followsFilesThatGrowAndAreReplaced() throws Exception {
        Path file = files.write("in.jsonl", "{\"n\":1}\n{\"n\":");
        Source source =
                files.source(
                        "path",
                        "in.jsonl",
                        "follow",
                        true,
                        "watchMs",
                        1L,
                        "schema",
                        Harness.columns("n", "int"));
        List<Collected> out = List.of(new Collected());
        List<SourceReader> readers = List.of(files.open(source, 0, 1, 10));
        poll(readers, out, 1);
        assertThat(out.getFirst().values("n")).containsExactly(1L);
        Files.writeString(file, "2}\n{\"n\":3}\n", StandardOpenOption.APPEND);
        poll(readers, out, 3);
        // Replaced, as a log is rotated: what was written last to the old one is read, its last
        // line needs no newline.
        Files.writeString(file, "{\"n\":4}", StandardOpenOption.APPEND);
        Files.move(file, directory.resolve("in.jsonl.1"));
        poll(readers, out, 4);
        files.write("in.jsonl", "{\"n\":5}\n");
        poll(readers, out, 5);
        // Truncated and written again.
        Files.writeString(file, "", StandardOpenOption.TRUNCATE_EXISTING);
        poll(readers, out, 5);
        Files.writeString(file, "{\"n\":6}\n", StandardOpenOption.APPEND);
        poll(readers, out, 6);
        assertThat(out.getFirst().values("n")).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
        assertThat(out.getFirst().bad).isZero();
        assertThat(out.getFirst().open).hasSize(1);
    }

    @Test
    void aFileThatIsGoneEndsABoundedRunAndNoOther() throws Exception {
        Path file = files.write("d/a.jsonl", "{\"n\":1}\n");
        files.write("d/b.jsonl", "{\"n\":2}\n");
        Source bounded = files.source("path", "d");
        Source watched = files.source("path", "d", "watch", true, "watchMs", 1L);
        SourceReader reader = files.open(bounded, 0, 1, 10);
        List<SourceReader> watching = List.of(files.open(watched, 0, 1, 10));
        Files.delete(file);
        assertThatThrownBy(() -> reader.poll(new Collected()))
                .isInstanceOf(IOException.class)
                .hasMessage("cannot read " + file + ": it is gone");
        List<Collected> out = List.of(new Collected());
        poll(watching, out, 1);
        assertThat(out.getFirst().values("n")).containsExactly(2L);
        assertThat(files.warnings).hasSize(1);
    }

    @Test
    void readsStandardInput() throws Exception {
        byte[] text = LINES.getBytes(StandardCharsets.UTF_8);
        Collected out = stdin(new ByteArrayInputStream(text));
        assertThat(out.values("a")).containsExactly(1.0, 2.5, null);
        assertThat(out.splits).containsExactly("-");
        assertThat(stdin(new ByteArrayInputStream(new byte[0])).rows).isEmpty();
    }

    private Collected stdin(InputStream in) throws Exception {
        Source source =
                new FileConnector(() -> in)
                        .source(
                                new SourceRequest("in", null, List.of(), 1024),
                                Harness.options("path", "-"),
                                files.context());
        assertThat(source.maxTasks()).isEqualTo(1);
        return files.read(source, 1, 1000).getFirst();
    }

    @Test
    void standardInputIsSampledWithoutWaitingForItsEnd() throws Exception {
        PipedOutputStream to = new PipedOutputStream();
        PipedInputStream in = new PipedInputStream(to, 1 << 16);
        to.write("{\"a\":1}\n{\"a\":2}\n{\"a\":".getBytes(StandardCharsets.UTF_8));
        to.flush();
        Source source =
                new FileConnector(() -> in)
                        .source(
                                new SourceRequest("in", null, List.of(), 1024),
                                Harness.options("path", "-"),
                                files.context());
        assertThat(source.schema()).isEqualTo(Schema.of(new Field("a", DataType.INT64)));
        Collected out = new Collected();
        try (SourceReader reader = files.open(source, 0, 1, 1000)) {
            while (out.rows.size() < 2) {
                reader.poll(out);
            }
            assertThat(reader.poll(out)).isEqualTo(SourceReader.Status.IDLE);
            to.write("3}".getBytes(StandardCharsets.UTF_8));
            to.close();
            while (reader.poll(out) != SourceReader.Status.FINISHED) {
                // until the end
            }
        }
        assertThat(out.values("a")).containsExactly(1L, 2L, 3L);
    }
}
