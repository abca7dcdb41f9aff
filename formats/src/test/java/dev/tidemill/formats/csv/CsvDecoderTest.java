package dev.tidemill.formats.csv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.tidemill.data.Batch;
import dev.tidemill.data.Column;
import dev.tidemill.data.ColumnBuilder;
import dev.tidemill.data.DataType;
import dev.tidemill.data.Field;
import dev.tidemill.data.Schema;
import dev.tidemill.formats.BadDataException;
import dev.tidemill.formats.CsvEncoder;
import dev.tidemill.formats.EncodedRows;
import dev.tidemill.formats.OnBadData;
import dev.tidemill.formats.Pieces;
import dev.tidemill.formats.Recorder;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CsvDecoderTest {
    private final Recorder bad = new Recorder();

    private CsvDecoder inferred(OnBadData policy) {
        return new CsvDecoder(
                new CsvOptions(new Schema(List.of()), false, null, null, ',', policy, 1 << 20),
                bad);
    }

    private CsvDecoder declared(OnBadData policy, Field... fields) {
        Schema schema = Schema.of(fields);
        return new CsvDecoder(
                new CsvOptions(schema, true, null, schema.names(), ',', policy, 1 << 20), bad);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Batch file(CsvDecoder decoder, String text) throws BadDataException {
        byte[] data = utf8(text);
        assertThat(decoder.lines(data, 0, data.length, true, 0, Integer.MAX_VALUE))
                .isEqualTo(data.length);
        return decoder.take();
    }

    private static List<Map<String, Object>> rows(Batch batch) {
        List<Map<String, Object>> out = new ArrayList<>();
        for (int i = 0; i < batch.rows(); i++) {
            out.add(batch.row(i));
        }
        return out;
    }

    private static Map<String, Object> row(Object... namesAndValues) {
        Map<String, Object> out = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            out.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return out;
    }

    @Test
    void infersTypesAndKeepsNullsApartFromEmptyStrings() throws Exception {
        Batch batch =
                file(
                        inferred(OnBadData.DROP),
                        """
                id,price,ok,name,zip,none
                1,2,true,"a, ""b""\",007,
                -9223372036854775808,2.5,FALSE,"",0,
                ,,,,,
                """);
        assertThat(batch.schema())
                .isEqualTo(
                        Schema.of(
                                new Field("id", DataType.INT64),
                                new Field("price", DataType.FLOAT64),
                                new Field("ok", DataType.BOOL),
                                new Field("name", DataType.UTF8),
                                new Field("zip", DataType.UTF8),
                                new Field("none", DataType.NULL)));
        assertThat(rows(batch))
                .containsExactly(
                        row(
                                "id",
                                1L,
                                "price",
                                2.0,
                                "ok",
                                true,
                                "name",
                                "a, \"b\"",
                                "zip",
                                "007",
                                "none",
                                null),
                        row(
                                "id",
                                Long.MIN_VALUE,
                                "price",
                                2.5,
                                "ok",
                                false,
                                "name",
                                "",
                                "zip",
                                "0",
                                "none",
                                null),
                        row(
                                "id", null, "price", null, "ok", null, "name", null, "zip", null,
                                "none", null));
        assertThat(bad.records).isEmpty();
    }

    @Test
    void neverRoundsAWholeNumber() throws Exception {
        Batch inferredBatch =
                file(inferred(OnBadData.DROP), "n,m\n228930314431312345,327267367867168100000\n");
        assertThat(rows(inferredBatch))
                .containsExactly(row("n", 228930314431312345L, "m", "327267367867168100000"));

        Batch exact =
                file(
                        declared(
                                OnBadData.DROP,
                                new Field("n", DataType.INT64),
                                new Field("m", new DataType.Decimal(38, 2))),
                        "228930314431312345,327267367867168100000\n327267367867168100000,1\n");
        assertThat(rows(exact))
                .containsExactly(
                        row(
                                "n",
                                228930314431312345L,
                                "m",
                                new BigDecimal("327267367867168100000.00")));
        assertThat(bad.records)
                .containsExactly(
                        new Recorder.Bad(
                                41,
                                null,
                                "the number 327267367867168100000 in n is beyond int64",
                                "327267367867168100000,1"));
    }

    @Test
    void acceptsCarriageReturnsAndLineBreaksInQuotes() throws Exception {
        Batch batch =
                file(inferred(OnBadData.DROP), "a,b\r\n\r\n1,\"x\r\ny\n\"\r\n\n2,z\r\n3,\"\"\"\"");
        assertThat(rows(batch))
                .containsExactly(
                        row("a", 1L, "b", "x\r\ny\n"),
                        row("a", 2L, "b", "z"),
                        row("a", 3L, "b", "\""));
    }

    @Test
    void rejectsRecordsByPolicyAndGoesOn() throws Exception {
        String text = "1,2\n1\n1,2,3\n\"x\"y,2\n\"open,5\n3,4\n";
        Batch batch =
                file(
                        declared(
                                OnBadData.DROP,
                                new Field("a", DataType.UTF8),
                                new Field("b", DataType.INT64)),
                        text);
        assertThat(rows(batch)).containsExactly(row("a", "1", "b", 2L), row("a", "3", "b", 4L));
        assertThat(bad.records)
                .extracting(Recorder.Bad::offset, Recorder.Bad::reason, Recorder.Bad::text)
                .containsExactly(
                        tuple(4L, "the record has 1 fields where 2 were expected", "1"),
                        tuple(6L, "the record has 3 fields where 2 were expected", "1,2,3"),
                        tuple(
                                12L,
                                "found 'y' behind a closing quote where a delimiter or the end of the line was expected",
                                "\"x\"y,2"),
                        tuple(19L, "a quote is never closed", "\"open,5"));
    }

    @Test
    void handlesMisfitsByPolicy() throws Exception {
        Field[] fields = {new Field("a", DataType.UTF8), new Field("b", DataType.INT64)};
        String text = "x,1\ny,1.5\nz,no\nw, 7 \nv,1e2\n";

        assertThat(rows(file(declared(OnBadData.DROP, fields), text)))
                .containsExactly(
                        row("a", "x", "b", 1L),
                        row("a", "y", "b", null),
                        row("a", "z", "b", null),
                        row("a", "w", "b", 7L),
                        row("a", "v", "b", 100L));
        assertThat(bad.misfits)
                .extracting(Recorder.Bad::column, Recorder.Bad::reason)
                .containsExactly(
                        tuple("b", "has a fraction, the column is int64"),
                        tuple("b", "is no int64"));

        Batch rescued = file(declared(OnBadData.RESCUE, fields), text);
        assertThat(rescued.row(0)).containsEntry("_rescued_data", null);
        assertThat(rescued.row(1)).containsEntry("a", "y").containsEntry("_rescued_data", "y,1.5");

        Recorder dead = new Recorder();
        CsvDecoder letters =
                new CsvDecoder(
                        new CsvOptions(
                                Schema.of(fields),
                                true,
                                null,
                                List.of("a", "b"),
                                ',',
                                OnBadData.DEAD_LETTER,
                                1 << 20),
                        dead);
        assertThat(file(letters, text).rows()).isEqualTo(3);
        assertThat(dead.records).extracting(Recorder.Bad::text).containsExactly("y,1.5", "z,no");

        assertThatThrownBy(() -> file(declared(OnBadData.FAIL, fields), text))
                .isInstanceOf(BadDataException.class)
                .hasMessage(
                        "bad record at offset 4: the value of b has a fraction, the column is int64");
    }

    @Test
    void readsEveryDeclaredType() throws Exception {
        Batch batch =
                file(
                        declared(
                                OnBadData.FAIL,
                                new Field("t", DataType.TIMESTAMP),
                                new Field("d", DataType.DATE),
                                new Field("m", new DataType.Decimal(5, 2)),
                                new Field("j", DataType.JSON),
                                new Field("x", DataType.BYTES),
                                new Field("f", DataType.FLOAT64),
                                new Field("o", DataType.BOOL)),
                        "1970-01-01T00:00:01+00:00,1969-12-31,123.4,\"{\"\"a\"\":[1]}\",AQI=,.5,true\n-5,,-0.05,1,,1e3,\n");
        assertThat(rows(batch).get(0))
                .containsEntry("t", 1000L)
                .containsEntry("d", -86_400_000L)
                .containsEntry("m", new BigDecimal("123.40"))
                .containsEntry("j", "{\"a\":[1]}")
                .containsEntry("f", 0.5)
                .containsEntry("o", true);
        assertThat((byte[]) rows(batch).get(0).get("x")).containsExactly(1, 2);
        assertThat(rows(batch).get(1))
                .containsEntry("t", -5L)
                .containsEntry("m", new BigDecimal("-0.05"))
                .containsEntry("f", 1000.0);
    }

    @Test
    void readsOnlyWantedColumnsAndMakesAbsentOnesNull() throws Exception {
        CsvDecoder decoder =
                new CsvDecoder(
                        new CsvOptions(
                                new Schema(List.of()),
                                false,
                                List.of("c", "ghost"),
                                null,
                                ',',
                                OnBadData.DROP,
                                100),
                        bad);
        Batch batch = file(decoder, "a,b,c\nx,y,1\n");
        assertThat(rows(batch)).containsExactly(row("c", 1L, "ghost", null));
    }

    @Test
    void aSingleColumnHasNullsOnEmptyLines() throws Exception {
        assertThat(rows(file(inferred(OnBadData.DROP), "a\n1\n\n2\n")))
                .containsExactly(row("a", 1L), row("a", null), row("a", 2L));
    }

    @Test
    void aMessageIsOneRecord() throws Exception {
        CsvDecoder decoder =
                declared(
                        OnBadData.DROP,
                        new Field("a", DataType.UTF8),
                        new Field("b", DataType.INT64));
        assertThat(decoder.record(utf8("x,1\r\n"), 0, 5, 7)).isEqualTo(1);
        assertThat(decoder.record(utf8("x,1\ny,2"), 0, 7, 8)).isZero();
        assertThat(decoder.record(utf8(""), 0, 0, 9)).isZero();
        assertThat(decoder.record(utf8("\"x"), 0, 2, 10)).isZero();
        assertThat(bad.records)
                .extracting(Recorder.Bad::offset, Recorder.Bad::reason)
                .containsExactly(
                        tuple(8L, "something follows the record"),
                        tuple(9L, "the record has 1 fields where 2 were expected"),
                        tuple(10L, "a quote is never closed"));
    }

    @Test
    void rejectsInvalidUtf8AndLongRecords() throws Exception {
        CsvDecoder decoder =
                new CsvDecoder(
                        new CsvOptions(
                                Schema.of(new Field("a", DataType.UTF8)),
                                true,
                                null,
                                List.of("a"),
                                ',',
                                OnBadData.DROP,
                                10),
                        bad);
        byte[] data =
                "ok\n\u00ff\n12345678901\n\"1234567890123\nx\n"
                        .getBytes(StandardCharsets.ISO_8859_1);
        List<Map<String, Object>> rows = Pieces.decode(decoder, data, () -> 1, 100);
        assertThat(rows).containsExactly(row("a", "ok"), row("a", "x"));
        assertThat(bad.records)
                .extracting(Recorder.Bad::reason)
                .containsExactly(
                        "invalid UTF-8: byte 0xFF", "longer than 10 bytes", "longer than 10 bytes");
    }

    /** Random tables, written and read back in pieces of every size, against the values themselves. */
    @ParameterizedTest
    @ValueSource(ints = {1, 7, 1023, 1024, 1025, 2049})
    void readsBackWhatIsWritten(int batchRows) throws Exception {
        Random random = new Random(batchRows);
        for (int round = 0; round < 12; round++) {
            int width = 1 + random.nextInt(5);
            int count = round == 0 ? 2500 : random.nextInt(60);
            String lineEnd = random.nextBoolean() ? "\n" : "\r\n";
            List<Map<String, Object>> expected = new ArrayList<>();
            StringBuilder text = new StringBuilder();
            for (int row = 0; row < count; row++) {
                Map<String, Object> values = new LinkedHashMap<>();
                for (int c = 0; c < width; c++) {
                    String value = random.nextInt(5) == 0 ? null : randomText(random);
                    text.append(c == 0 ? "" : ",")
                            .append(value == null ? "" : field(random, value));
                    if (value != null) {
                        values.put("c" + c, value);
                    }
                }
                expected.add(values);
                text.append(
                        row == count - 1 && random.nextBoolean() && !values.isEmpty()
                                ? ""
                                : lineEnd);
            }
            List<String> names = new ArrayList<>();
            List<Field> fields = new ArrayList<>();
            for (int c = 0; c < width; c++) {
                names.add("c" + c);
                fields.add(new Field("c" + c, DataType.UTF8));
            }
            CsvDecoder decoder =
                    new CsvDecoder(
                            new CsvOptions(
                                    new Schema(fields),
                                    true,
                                    null,
                                    names,
                                    ',',
                                    OnBadData.DROP,
                                    1 << 20),
                            bad);
            int most = 1 + random.nextInt(40);
            List<Map<String, Object>> rows =
                    count > 1000
                            ? Pieces.decode(
                                    decoder,
                                    utf8(text.toString()),
                                    () -> 20_000 + random.nextInt(20_000),
                                    batchRows)
                            : Pieces.decode(
                                    decoder,
                                    utf8(text.toString()),
                                    () -> 1 + random.nextInt(most),
                                    batchRows);
            assertThat(bad.records).isEmpty();
            assertThat(rows).isEqualTo(expected);
        }
    }

    private static String randomText(Random random) {
        String alphabet = "ab\",\n\r \u00e9\ud83d\ude00" + "0";
        StringBuilder out = new StringBuilder();
        for (int i = random.nextInt(6); i > 0; i--) {
            int at = random.nextInt(9);
            out.append(at == 8 ? "\ud83d\ude00" : alphabet.substring(at, at + 1));
        }
        return out.toString();
    }

    private static String field(Random random, String value) {
        boolean needed = value.isEmpty() || value.chars().anyMatch(c -> "\",\n\r".indexOf(c) >= 0);
        return needed || random.nextInt(4) == 0 ? '"' + value.replace("\"", "\"\"") + '"' : value;
    }

    @Test
    void readsWhatTheEncoderWrites() throws Exception {
        Schema schema =
                Schema.of(
                        new Field("i", DataType.INT64),
                        new Field("f", DataType.FLOAT64),
                        new Field("s", DataType.UTF8),
                        new Field("b", DataType.BOOL));
        ColumnBuilder[] builders =
                schema.fields().stream()
                        .map(field -> ColumnBuilder.of(field.type()))
                        .toArray(ColumnBuilder[]::new);
        Random random = new Random(5);
        for (int i = 0; i < 3000; i++) {
            boolean isNull = random.nextInt(6) == 0;
            builders[0].append(isNull ? null : random.nextLong());
            builders[1].append(
                    random.nextInt(6) == 0
                            ? null
                            : Double.longBitsToDouble(random.nextLong() & 0x7FDFFFFFFFFFFFFFL));
            builders[2].append(randomText(random));
            builders[3].append(random.nextBoolean());
        }
        Batch batch =
                Batch.of(
                        schema,
                        Arrays.stream(builders).map(ColumnBuilder::build).toArray(Column[]::new),
                        3000);
        CsvEncoder encoder = new CsvEncoder(',', true);
        EncodedRows out = new EncodedRows();
        encoder.encode(batch, out);
        byte[] header = encoder.header(schema);
        byte[] data = Arrays.copyOf(header, header.length + out.size());
        System.arraycopy(out.data(), 0, data, header.length, out.size());
        CsvDecoder decoder = inferred(OnBadData.FAIL);
        decoder.lines(data, 0, data.length, true, 0, Integer.MAX_VALUE);
        Batch read = decoder.take();
        assertThat(read.schema()).isEqualTo(schema);
        assertThat(rows(read)).isEqualTo(rows(batch));
    }

    @Test
    @Timeout(20)
    void randomBytesEndInTimeAndNothingIsLost() throws Exception {
        Random random = new Random(9);
        String alphabet = "\"\"\"\",,\n\n\r1a\u00e9";
        for (int round = 0; round < 300; round++) {
            byte[] data = new byte[round == 0 ? 4 << 20 : random.nextInt(2000)];
            for (int i = 0; i < data.length; i++) {
                data[i] =
                        (byte)
                                (round % 3 == 2
                                        ? random.nextInt(256)
                                        : alphabet.charAt(random.nextInt(alphabet.length())));
            }
            Recorder seen = new Recorder();
            CsvDecoder decoder =
                    new CsvDecoder(
                            new CsvOptions(
                                    Schema.of(
                                            new Field("a", DataType.UTF8),
                                            new Field("b", DataType.INT64)),
                                    true,
                                    null,
                                    List.of("a", "b"),
                                    ',',
                                    OnBadData.DROP,
                                    1 << 16),
                            seen);
            int step = round == 0 ? 1 << 18 : 64;
            int rows = Pieces.decode(decoder, data, () -> 1 + random.nextInt(step), 1000).size();
            assertThat(rows + seen.records.size()).isGreaterThan(data.length == 0 ? -1 : 0);
        }
    }
}
