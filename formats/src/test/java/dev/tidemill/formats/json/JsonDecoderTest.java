package dev.tidemill.formats.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemill.data.Batch;
import dev.tidemill.data.DataType;
import dev.tidemill.data.Field;
import dev.tidemill.data.Schema;
import dev.tidemill.formats.BadDataException;
import dev.tidemill.formats.Formats;
import dev.tidemill.formats.OnBadData;
import dev.tidemill.formats.Pieces;
import dev.tidemill.formats.Recorder;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonDecoderTest {
    private final Recorder bad = new Recorder();

    private JsonDecoder inferred() {
        return new JsonDecoder(JsonOptions.inferred(), bad);
    }

    private JsonDecoder declared(OnBadData policy, Field... fields) {
        return new JsonDecoder(
                JsonOptions.inferred().withSchema(Schema.of(fields), true).withPolicy(policy), bad);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static List<Map<String, Object>> rows(Batch batch) {
        List<Map<String, Object>> out = new ArrayList<>();
        for (int i = 0; i < batch.rows(); i++) {
            out.add(batch.row(i));
        }
        return out;
    }

    private static List<Map<String, Object>> lines(JsonDecoder decoder, String text)
            throws BadDataException {
        byte[] data = utf8(text);
        assertThat(decoder.lines(data, 0, data.length, true, 0, Integer.MAX_VALUE))
                .isEqualTo(data.length);
        return rows(decoder.take());
    }

    private static Map<String, Object> row(Object... namesAndValues) {
        Map<String, Object> out = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            out.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return out;
    }

    // ---- case V3 ----

    @Test
    void neverRoundsAWholeNumber() throws Exception {
        assertThat(
                        lines(
                                inferred(),
                                "{\"n\":228930314431312345}\n{\"n\":327267367867168100000}\n{\"n\":-9223372036854775808}"))
                .containsExactly(row("n", 228930314431312345L), row("n", Long.MIN_VALUE));
        assertThat(bad.records)
                .containsExactly(
                        new Recorder.Bad(
                                25,
                                null,
                                "the number 327267367867168100000 in n is beyond int64",
                                "{\"n\":327267367867168100000}"));
        Field exact = new Field("n", new DataType.Decimal(38, 10));
        assertThat(
                        lines(
                                declared(OnBadData.FAIL, exact),
                                "{\"n\":327267367867168100000}\n{\"n\":\"1.5\"}\n{\"n\":12345678901234567890.0123456789}\n{\"n\":1e3}"))
                .containsExactly(
                        row("n", new BigDecimal("327267367867168100000.0000000000")),
                        row("n", new BigDecimal("1.5000000000")),
                        row("n", new BigDecimal("12345678901234567890.0123456789")),
                        row("n", new BigDecimal("1000.0000000000")));
    }

    // ---- case V4 ----

    @Test
    void survivesEveryKindOfBadLine() throws Exception {
        String deep = "{\"a\":" + "[".repeat(10_000) + "]".repeat(10_000) + "}";
        String long40 = "{\"a\":\"" + "x".repeat(40 << 20) + "\"}";
        String[] input = {
            "{\"a\":1}",
            "",
            "{}",
            "{\"a\":}",
            deep,
            "{\"a\":2,\"a\":3}",
            "{\"s\":\"\\ud800\"}",
            "{\"s\":\"\\udc00\\ud800\"}",
            "[1]",
            "hello",
            "{\"a\":4",
            "{\"a\":01}",
            "{\"a\":1}}",
            "{\"s\":\"\\ud83d\\ude00\"}",
            "  \t\r",
            long40,
            "{\"a\":5}"
        };
        assertThat(lines(inferred(), String.join("\n", input)))
                .containsExactly(
                        row("a", 1L, "s", null),
                        row("a", null, "s", null),
                        row("a", 3L, "s", null),
                        row("a", null, "s", "\ud83d\ude00"),
                        row("a", 5L, "s", null));
        assertThat(bad.records)
                .extracting(Recorder.Bad::reason)
                .containsExactly(
                        "found '}' where a value was expected",
                        "nested more than 256 deep",
                        "half of a surrogate pair in a string",
                        "half of a surrogate pair in a string",
                        "a list where an object was expected",
                        "something that is not JSON where an object was expected",
                        "the record ends too early",
                        "a number begins with 0",
                        "something follows the object",
                        "the record has 41943048 bytes, more than 16777216");
        assertThat(bad.records.get(0))
                .isEqualTo(
                        new Recorder.Bad(
                                12, null, "found '}' where a value was expected", "{\"a\":}"));
    }

    @Test
    void anEmptyMessageIsBadAndAnEmptyObjectIsNot() throws Exception {
        JsonDecoder decoder = inferred();
        assertThat(decoder.record(utf8(""), 0, 0, 7)).isZero();
        assertThat(decoder.record(utf8(" \n"), 0, 2, 8)).isZero();
        assertThat(decoder.record(utf8(" {\n}\n"), 0, 5, 9)).isEqualTo(1);
        assertThat(decoder.record(utf8("{}{}"), 0, 4, 10)).isZero();
        assertThat(decoder.take().rows()).isEqualTo(1);
        assertThat(bad.records).extracting(Recorder.Bad::offset).containsExactly(7L, 8L, 10L);
    }

    @Test
    void invalidUtf8IsBadAndRescuedReadable() throws Exception {
        byte[] data =
                "{\"s\":\"\u00ff\"}\n{\"s\":\"\u00c3\u00a9\"}\n{\"\u00c3\":1}\n"
                        .getBytes(StandardCharsets.ISO_8859_1);
        JsonDecoder decoder =
                new JsonDecoder(JsonOptions.inferred().withPolicy(OnBadData.RESCUE), bad);
        decoder.lines(data, 0, data.length, true, 0, 100);
        List<Map<String, Object>> rows = rows(decoder.take());
        assertThat(rows).extracting(r -> r.get("s")).containsExactly(null, "\u00e9", null);
        assertThat(rows)
                .extracting(r -> r.get("_rescued_data"))
                .containsExactly("{\"s\":\"\ufffd\"}", null, "{\"\ufffd\":1}");
    }

    @Test
    void aLineThatIsTooLongIsSkippedWithBoundedMemory() throws Exception {
        JsonDecoder decoder =
                new JsonDecoder(
                        new JsonOptions(new Schema(List.of()), false, null, OnBadData.DROP, 20, 10),
                        bad);
        byte[] data =
                utf8(
                        "{\"a\":1}\n{\"b\":\""
                                + "x".repeat(500)
                                + "\"}\n{\"a\":2}\n{\"a\":\""
                                + "y".repeat(12)
                                + "\"}\n{\"a\":3}");
        int at = 0;
        for (int to = 1; to <= data.length; to++) {
            at = decoder.lines(data, at, to, to == data.length, at, 100);
            assertThat(to - at).isLessThanOrEqualTo(20);
        }
        assertThat(rows(decoder.take()))
                .extracting(r -> r.get("a"))
                .containsExactly("1", "2", "yyyyyyyyyyyy", "3");
        assertThat(bad.records).hasSize(1);
    }

    // ---- types ----

    @Test
    void widensAsValuesCome() throws Exception {
        JsonDecoder decoder = inferred();
        List<Map<String, Object>> rows =
                lines(
                        decoder,
                        """
                {"n":1,"m":true,"l":[1],"o":{"x":[1, 2]},"z":null}
                {"n":2.5,"m":"text","l":["a"],"o":1}
                {"n":null,"m":-3,"l":7,"late":false}
                """);
        assertThat(decoder.schema())
                .isEqualTo(
                        Schema.of(
                                new Field("n", DataType.FLOAT64),
                                new Field("m", DataType.UTF8),
                                new Field("l", new DataType.ListOf(DataType.UTF8)),
                                new Field("o", DataType.JSON),
                                new Field("z", DataType.NULL),
                                new Field("late", DataType.BOOL)));
        assertThat(rows)
                .containsExactly(
                        row(
                                "n",
                                1.0,
                                "m",
                                "true",
                                "l",
                                List.of("1"),
                                "o",
                                "{\"x\":[1, 2]}",
                                "z",
                                null,
                                "late",
                                null),
                        row(
                                "n",
                                2.5,
                                "m",
                                "text",
                                "l",
                                List.of("a"),
                                "o",
                                "1",
                                "z",
                                null,
                                "late",
                                null),
                        row(
                                "n",
                                null,
                                "m",
                                "-3",
                                "l",
                                List.of("7"),
                                "o",
                                null,
                                "z",
                                null,
                                "late",
                                false));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "int64 | 9 | 9",
                "int64 | \"9\" | 9",
                "int64 | 1e2 | 100",
                "int64 | 1.0 | 1",
                "int64 | 1.7 | misfit",
                "int64 | \"x\" | misfit",
                "int64 | true | misfit",
                "int64 | [1] | misfit",
                "int64 | 9223372036854775808 | bad",
                "int64 | null | null",
                "float64 | 1 | 1.0",
                "float64 | \"1.5\" | 1.5",
                "float64 | 1e400 | bad",
                "float64 | 0.1 | 0.1",
                "float64 | 9007199254740993 | 9.007199254740992E15",
                "float64 | -0.0 | -0.0",
                "bool | true | true",
                "bool | 1 | misfit",
                "string | 12.50 | 12.50",
                "string | true | true",
                "timestamp | 5 | 5",
                "timestamp | \"1970-01-01T00:00:01Z\" | 1000",
                "timestamp | \"soon\" | misfit",
                "date | \"1970-01-02\" | 86400000",
            })
    void fitsValuesToDeclaredTypes(String type, String value, String expected) throws Exception {
        DataType dataType =
                switch (type) {
                    case "int64" -> DataType.INT64;
                    case "float64" -> DataType.FLOAT64;
                    case "bool" -> DataType.BOOL;
                    case "timestamp" -> DataType.TIMESTAMP;
                    case "date" -> DataType.DATE;
                    default -> DataType.UTF8;
                };
        List<Map<String, Object>> rows =
                lines(declared(OnBadData.DROP, new Field("v", dataType)), "{\"v\":" + value + "}");
        switch (expected) {
            case "bad" -> assertThat(bad.records).hasSize(1);
            case "misfit" -> {
                assertThat(rows).containsExactly(row("v", null));
                assertThat(bad.misfits).hasSize(1);
            }
            default -> {
                assertThat(String.valueOf(rows.getFirst().get("v"))).isEqualTo(expected);
                assertThat(bad.misfits).isEmpty();
            }
        }
    }

    @Test
    void handlesMisfitsByPolicy() throws Exception {
        Field field = new Field("n", DataType.INT64);
        String text = "{\"n\":1,\"x\":0}\n{\"x\":0,\"n\":1.5}\n{\"n\":3}";
        assertThat(lines(declared(OnBadData.RESCUE, field), text))
                .containsExactly(
                        row("n", 1L, "_rescued_data", null),
                        row("n", null, "_rescued_data", "{\"x\":0,\"n\":1.5}"),
                        row("n", 3L, "_rescued_data", null));
        assertThat(lines(declared(OnBadData.DEAD_LETTER, field), text))
                .containsExactly(row("n", 1L), row("n", 3L));
        assertThat(bad.records.getFirst().text()).isEqualTo("{\"x\":0,\"n\":1.5}");
        assertThatThrownBy(() -> lines(declared(OnBadData.FAIL, field), text))
                .isInstanceOf(BadDataException.class)
                .hasMessage(
                        "bad record at offset 14: the value of n has a fraction, the column is int64");
    }

    @Test
    void resolvesEscapesAlsoInNames() throws Exception {
        assertThat(
                        lines(
                                inferred(),
                                "{\"\\u0061\\n\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\u20ac\\ud83d\\ude00\\u0000\"}"))
                .containsExactly(row("a\n", "\"\\/\b\f\n\r\t\u00e9\u20ac\ud83d\ude00\0"));
        assertThat(lines(inferred(), "{\"a\":\"\\x\"}")).isEmpty();
        assertThat(lines(inferred(), "{\"a\":\"tab\there\"}")).isEmpty();
    }

    @Test
    void readsOnlyWhatIsWantedAndMakesAbsentColumnsNull() throws Exception {
        JsonDecoder decoder =
                new JsonDecoder(JsonOptions.inferred().withWanted(List.of("b", "ghost")), bad);
        assertThat(lines(decoder, "{\"a\":[{\"b\":1}],\"b\":2,\"c\":\"\\\"\"}\n{\"b\":3,\"a\":}"))
                .containsExactly(row("b", 2L, "ghost", null));
        assertThat(bad.records).hasSize(1);
    }

    @Test
    void aRejectedRecordLeavesNoTrace() throws Exception {
        StringBuilder text = new StringBuilder();
        List<Map<String, Object>> expected = new ArrayList<>();
        Random random = new Random(11);
        for (int i = 0; i < 3000; i++) {
            boolean broken = random.nextInt(3) == 0;
            text.append("{\"s\":\"s")
                    .append(i)
                    .append("\",\"n\":")
                    .append(i)
                    .append(",\"b\":true,\"d\":0.5,\"l\":[")
                    .append(i)
                    .append("]");
            text.append(broken ? ",\n" : "}\n");
            if (!broken) {
                expected.add(
                        row(
                                "s",
                                "s" + i,
                                "n",
                                (long) i,
                                "b",
                                true,
                                "d",
                                0.5,
                                "l",
                                List.of((long) i)));
            }
        }
        assertThat(lines(inferred(), text.toString())).isEqualTo(expected);
    }

    @Test
    void aRejectedRecordChangesNoTypes() throws Exception {
        JsonDecoder decoder = inferred();
        assertThat(
                        lines(
                                decoder,
                                "{\"a\":1}\n{\"a\":\"x\",\"b\":1,\"c\":}\n"
                                        + "{\"a\":2.5,\"a\":327267367867168100000}\n{\"b\":true}\n{\"c\":\"y\",\"a\":2}"))
                .containsExactly(
                        row("a", 1L, "b", null, "c", null),
                        row("a", null, "b", true, "c", null),
                        row("a", 2L, "b", null, "c", "y"));
        assertThat(bad.records).hasSize(2);
    }

    // ---- properties against the slow reference ----

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 1023, 1024, 1025, 2049})
    void agreesWithTheReferenceInPieces(int batchRows) throws Exception {
        Random random = new Random(batchRows);
        for (int round = 0; round < 40; round++) {
            int count = round == 0 ? 4200 : random.nextInt(40);
            StringBuilder text = new StringBuilder();
            List<Map<String, Object>> expected = new ArrayList<>();
            Schema schema = new Schema(List.of());
            RandomJson json = new RandomJson(random, round % 2 == 0);
            for (int i = 0; i < count; i++) {
                String line = json.object();
                text.append(line).append(random.nextInt(10) == 0 ? "\r\n" : "\n");
                if (random.nextInt(10) == 0) {
                    text.append(" \n");
                }
                expected.add(Pieces.withoutNulls(ReferenceJson.object(line)));
            }
            byte[] data = utf8(text.toString());
            int step = count > 1000 ? 100_000 : 1 + random.nextInt(50);
            List<Map<String, Object>> rows =
                    Pieces.decode(inferred(), data, () -> 1 + random.nextInt(step), batchRows);
            assertThat(bad.records).isEmpty();
            assertThat(rows).hasSize(expected.size());
            for (int i = 0; i < rows.size(); i++) {
                assertThat(ReferenceJson.sameValues(rows.get(i), expected.get(i)))
                        .as(rows.get(i) + " for " + expected.get(i))
                        .isTrue();
            }
        }
    }

    @Test
    void everyCutGivesTheSame() throws Exception {
        String text =
                "{\"a\":1,\"b\":\"x\\\"\\u00e9\\ud83d\\ude00\u00e9\"}\r\n\n{\"a\":-2.5e3}\n{\"a\": }\n"
                        + " { \"b\" : null , \"a\" : [ 1 , {} ] }\n{\"a\":12";
        byte[] data = utf8(text);
        List<Map<String, Object>> whole = Pieces.decode(inferred(), data, () -> data.length, 100);
        List<Recorder.Bad> wholeBad = List.copyOf(bad.records);
        for (int cut = 1; cut < data.length; cut++) {
            Recorder seen = new Recorder();
            int first = cut;
            boolean[] given = {false};
            List<Map<String, Object>> rows =
                    Pieces.decode(
                            new JsonDecoder(JsonOptions.inferred(), seen),
                            data,
                            () -> {
                                int size = given[0] ? data.length : first;
                                given[0] = true;
                                return size;
                            },
                            100);
            assertThat(rows).as("cut at " + cut).isEqualTo(whole);
            assertThat(seen.records).isEqualTo(wholeBad);
        }
    }

    /** Case V6: what the decoder takes, the reference takes, and the other way round; and it ends. */
    @Test
    @Timeout(30)
    void agreesWithTheReferenceOnRandomBytes() throws Exception {
        Random random = new Random(17);
        String alphabet = "{{}}[]\"\"::,,\\u0d8e-1.5eEtrufalsn \t/\u00e9\0";
        RandomJson json = new RandomJson(random, false);
        int accepted = 0;
        for (int round = 0; round < 30_000; round++) {
            byte[] data;
            if (round % 3 == 0) {
                StringBuilder text = new StringBuilder();
                for (int i = random.nextInt(30); i > 0; i--) {
                    text.append(alphabet.charAt(random.nextInt(alphabet.length())));
                }
                data =
                        text.toString()
                                .getBytes(
                                        round % 2 == 0
                                                ? StandardCharsets.UTF_8
                                                : StandardCharsets.ISO_8859_1);
            } else {
                data = utf8(json.object());
                for (int i = random.nextInt(3); i > 0; i--) {
                    data[random.nextInt(data.length)] =
                            (byte)
                                    (random.nextBoolean()
                                            ? random.nextInt(256)
                                            : alphabet.charAt(random.nextInt(alphabet.length())));
                }
            }
            Map<String, Object> expected = ReferenceJson.objectOrNull(data);
            if (expected == ReferenceJson.UNFIT) {
                continue;
            }
            Recorder seen = new Recorder();
            JsonDecoder decoder = new JsonDecoder(JsonOptions.inferred(), seen);
            int rows = decoder.record(data, 0, data.length, 0);
            assertThat(rows)
                    .as(new String(data, StandardCharsets.ISO_8859_1))
                    .isEqualTo(expected == null ? 0 : 1);
            // The same when nothing is read but everything is checked.
            JsonDecoder skipping =
                    new JsonDecoder(JsonOptions.inferred().withWanted(List.of()), seen);
            int skipped = skipping.record(data, 0, data.length, 0);
            assertThat(skipped).isEqualTo(rows);
            if (expected != null) {
                accepted++;
                Map<String, Object> row = Pieces.withoutNulls(decoder.take().row(0));
                assertThat(ReferenceJson.sameValues(row, Pieces.withoutNulls(expected)))
                        .as(row + " for " + new String(data, StandardCharsets.UTF_8))
                        .isTrue();
            }
        }
        assertThat(accepted).isBetween(3000, 25_000);
    }

    /** The deepest nesting that the option accepts does not overflow the stack of a thread. */
    @Test
    void theDeepestNestingFitsTheStack() throws Exception {
        int depth = Formats.MOST_DEPTH;
        JsonOptions options =
                new JsonOptions(new Schema(List.of()), false, null, OnBadData.FAIL, 1 << 20, depth);
        for (String open : new String[] {"[", "{\"a\":"}) {
            String value =
                    open.repeat(depth - 2) + "1" + (open.equals("[") ? "]" : "}").repeat(depth - 2);
            byte[] data = utf8("{\"x\":" + value + ",\"y\":[" + value + "]}");
            assertThat(new JsonDecoder(options, bad).record(data, 0, data.length, 0)).isEqualTo(1);
        }
    }

    @Test
    @Timeout(20)
    void randomLinesEndInTime() throws Exception {
        Random random = new Random(19);
        byte[] data = new byte[8 << 20];
        for (int i = 0; i < data.length; i++) {
            data[i] = (byte) "{\"\"[:,\n\\1".charAt(random.nextInt(9));
        }
        byte[] open = utf8("{\"a\":[".repeat(1 << 20));
        byte[] names = new byte[0];
        StringBuilder manyNames = new StringBuilder();
        for (int i = 0; i < 20_000; i++) {
            manyNames.append("{\"k").append(random.nextInt()).append("\":1}\n");
        }
        names = utf8(manyNames.toString());
        for (byte[] each : List.of(data, open, names)) {
            JsonDecoder decoder = new JsonDecoder(JsonOptions.inferred(), bad);
            assertThat(decoder.lines(each, 0, each.length, true, 0, Integer.MAX_VALUE))
                    .isEqualTo(each.length);
            assertThat(decoder.schema().size()).isLessThanOrEqualTo(4096);
            assertThat(decoder.rows() == 20_000 ? bad.misfits.size() : 0)
                    .isEqualTo(decoder.rows() == 20_000 ? 20_000 - 4096 : 0);
        }
    }
}
