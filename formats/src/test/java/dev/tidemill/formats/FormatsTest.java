package dev.tidemill.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemill.data.Batch;
import dev.tidemill.data.DataType;
import dev.tidemill.data.Field;
import dev.tidemill.data.Schema;
import dev.tidemill.describe.Description;
import dev.tidemill.describe.Option;
import dev.tidemill.spi.BadRecords;
import dev.tidemill.spi.ConfigException;
import dev.tidemill.spi.OptionValues;
import dev.tidemill.spi.SourceOutput;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FormatsTest {
    private static OptionValues options(Object... namesAndValues) {
        Map<String, Object> values = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            values.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return new OptionValues(values);
    }

    private static List<OptionValues> columns(String... types) {
        List<OptionValues> out = new ArrayList<>();
        for (int i = 0; i < types.length; i++) {
            out.add(
                    types[i] == null
                            ? options("name", "c" + i)
                            : options("name", "c" + i, "type", types[i]));
        }
        return out;
    }

    @Test
    void readsEverySpellingOfATypes() throws Exception {
        Schema schema =
                Formats.schema(
                                options(
                                        "schema",
                                        columns(
                                                null,
                                                "string",
                                                "utf8",
                                                "int",
                                                "int64",
                                                "integer",
                                                "float",
                                                "float64",
                                                "double",
                                                "number",
                                                "bool",
                                                "boolean",
                                                "INT64",
                                                "decimal(10,2)",
                                                "Decimal ( 38 , 0 )",
                                                "timestamp",
                                                "date",
                                                "bytes",
                                                "json")))
                        .orElseThrow();
        assertThat(schema.fields().stream().map(Field::type))
                .containsExactly(
                        DataType.UTF8,
                        DataType.UTF8,
                        DataType.UTF8,
                        DataType.INT64,
                        DataType.INT64,
                        DataType.INT64,
                        DataType.FLOAT64,
                        DataType.FLOAT64,
                        DataType.FLOAT64,
                        DataType.FLOAT64,
                        DataType.BOOL,
                        DataType.BOOL,
                        DataType.INT64,
                        new DataType.Decimal(10, 2),
                        new DataType.Decimal(38, 0),
                        DataType.TIMESTAMP,
                        DataType.DATE,
                        DataType.BYTES,
                        DataType.JSON);
        assertThat(Formats.schema(options())).isEmpty();
    }

    @Test
    void refusesWrongOptionsWithTheNearestName() {
        refused("schema", "did you mean \"bool\"", "schema", columns("boole"));
        refused("schema", "decimal(39,1) needs 1 to 38 digits", "schema", columns("decimal(39,1)"));
        refused("schema", "declares no columns", "schema", List.of());
        refused(
                "schema",
                "declared twice",
                "schema",
                List.of(options("name", "a"), options("name", "a")));
        refused("schema", "__fv_key is reserved", "schema", List.of(options("name", "__fv_key")));
        refused(
                "schema",
                "the schema has 2",
                "format",
                "raw",
                "schema",
                columns("string", "string"));
        refused("schema", "c0 is declared int64", "format", "raw", "schema", columns("int"));
        refused("schema", "csv messages have no header", "format", "csv");
        refused("format", "arrow is not in this version yet", "format", "arrow");
        refused("format", "did you mean \"json\"", "format", "jason");
        refused("delimiter", "one ASCII character", "delimiter", "\"");
        refused("onBadData", "did you mean \"rescue\"", "onBadData", "rescu");
        refused("deadLetter", "needs deadLetter", "onBadData", "deadLetter");
        refused("deadLetter", "only", "deadLetter", "x");
        refused("inferSample", "from 1 to", "inferSample", 0L);
    }

    private static void refused(String option, String message, Object... options) {
        assertThatThrownBy(() -> FormatOptions.forMessages(options(options)))
                .isInstanceOfSatisfying(
                        ConfigException.class, e -> assertThat(e.option()).isEqualTo(option))
                .hasMessageContaining(message);
    }

    @Test
    void describesEveryFormatAndOption() {
        assertThat(Formats.descriptions())
                .extracting(Description::name)
                .containsExactly("json", "csv", "raw");
        assertThat(Formats.messageOptions())
                .extracting(Option::name)
                .containsExactly(
                        "format",
                        "delimiter",
                        "maxMessageBytes",
                        "schema",
                        "inferSample",
                        "onBadData",
                        "deadLetter",
                        "maxRecordBytes",
                        "maxDepth");
        assertThat(Formats.messageOptions())
                .allSatisfy(option -> assertThat(option.doc()).endsWith("."));
        assertThat(Formats.notYet()).containsExactly("arrow", "parquet");
    }

    @Test
    void messagesGoThereAndBackInEveryFormat() throws Exception {
        for (String format : List.of("json", "csv", "raw")) {
            boolean raw = format.equals("raw");
            FormatOptions read =
                    FormatOptions.forMessages(
                            options(
                                    "format",
                                    format,
                                    "schema",
                                    raw ? columns("bytes") : columns("int", "string")));
            RecordDecoder decoder =
                    Formats.decoder(read, Formats.startSchema(read), null, new Recorder());
            byte[] text =
                    (raw
                                    ? "\u0000\u00ff\n"
                                    : format.equals("csv")
                                            ? "7,\"a,b\""
                                            : "{\"c0\":7,\"c1\":\"a,b\"}")
                            .getBytes(StandardCharsets.ISO_8859_1);
            assertThat(decoder.record(text, 0, text.length, 0)).isEqualTo(1);
            EncodedRows out = new EncodedRows();
            Batch batch = decoder.take();
            Formats.encoder(read, false).encode(batch, out);
            assertThat(java.util.Arrays.copyOf(out.data(), out.size())).isEqualTo(text);
            assertThat(out.count()).isEqualTo(1);
        }
    }

    @Test
    void rawLinesAreCutAtNewlinesOnly() throws Exception {
        Random random = new Random(2);
        for (int round = 0; round < 200; round++) {
            StringBuilder text = new StringBuilder();
            List<Map<String, Object>> expected = new ArrayList<>();
            int count = random.nextInt(20);
            for (int i = 0; i < count; i++) {
                String line = "\u00e9x,\" \r".substring(0, random.nextInt(6)) + i;
                expected.add(Map.of("value", line));
                text.append(line)
                        .append(
                                i == count - 1 && random.nextBoolean()
                                        ? ""
                                        : random.nextBoolean() ? "\n" : "\r\n");
            }
            Recorder bad = new Recorder();
            RawDecoder decoder =
                    new RawDecoder(
                            new Field("value", DataType.UTF8), null, OnBadData.DROP, 100, bad);
            assertThat(
                            Pieces.decode(
                                    decoder,
                                    text.toString().getBytes(StandardCharsets.UTF_8),
                                    () -> 1 + random.nextInt(7),
                                    1 + random.nextInt(5)))
                    .isEqualTo(expected);
            assertThat(bad.records).isEmpty();
        }
    }

    @Test
    void rawTextIsCheckedAndLongLinesAreBad() throws Exception {
        byte[] data = "ok\n\u00ff\n12345678901\n\nend".getBytes(StandardCharsets.ISO_8859_1);
        Recorder bad = new Recorder();
        RawDecoder decoder =
                new RawDecoder(
                        new Field("value", DataType.UTF8),
                        List.of("value", "ghost", "_rescued_data"),
                        OnBadData.RESCUE,
                        10,
                        bad);
        assertThat(decoder.schema().names()).containsExactly("value", "ghost", "_rescued_data");
        decoder.lines(data, 0, data.length, true, 0, 100);
        Batch batch = decoder.take();
        List<Object> values = new ArrayList<>();
        List<Object> rescued = new ArrayList<>();
        for (int i = 0; i < batch.rows(); i++) {
            values.add(batch.row(i).get("value"));
            rescued.add(batch.row(i).get("_rescued_data"));
        }
        assertThat(values).containsExactly("ok", null, null, "", "end");
        assertThat(rescued).containsExactly(null, "\ufffd", "12345678901", null, null);
        assertThat(bad.misfits).hasSize(2);
    }

    @Test
    void collectsBadRecordsForTheSource() {
        BadDataCollector collector = new BadDataCollector("clicks", true);
        List<Object> told = new ArrayList<>();
        SourceOutput out =
                new SourceOutput() {
                    @Override
                    public void splitAdded(int split, String identity) {}

                    @Override
                    public void batch(Batch batch) {}

                    @Override
                    public void splitCaughtUp(int split) {}

                    @Override
                    public void splitFinished(int split) {}

                    @Override
                    public void badRecords(long count, Batch deadLetters) {
                        told.add(count);
                        told.add(deadLetters);
                    }

                    @Override
                    public void misfits(long count) {
                        told.add(-count);
                    }
                };
        collector.flush(out);
        assertThat(told).isEmpty();
        collector.split("t-3");
        collector.badRecord(7, "why", new byte[] {1, 2, 3}, 1, 3);
        collector.badRecord(8, "why not", new byte[0], 0, 0);
        collector.misfit(9, "c", "r", new byte[0], 0, 0);
        collector.flush(out);
        Batch letters = (Batch) told.get(1);
        assertThat(told).containsExactly(2L, letters, -1L);
        assertThat(letters.schema()).isEqualTo(BadRecords.SCHEMA);
        assertThat(letters.row(0))
                .containsEntry("dataset", "clicks")
                .containsEntry("partition", "t-3")
                .containsEntry("offset", 7L)
                .containsEntry("reason", "why");
        assertThat((byte[]) letters.row(0).get("record")).containsExactly(2, 3);
        collector.flush(out);
        assertThat(told).hasSize(3);
    }
}
