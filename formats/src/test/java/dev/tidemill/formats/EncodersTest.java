package dev.tidemill.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemill.data.Batch;
import dev.tidemill.data.BytesColumn;
import dev.tidemill.data.Column;
import dev.tidemill.data.ColumnBuilder;
import dev.tidemill.data.Columns;
import dev.tidemill.data.DataType;
import dev.tidemill.data.Field;
import dev.tidemill.data.Schema;
import dev.tidemill.data.Selection;
import dev.tidemill.formats.json.JsonDecoder;
import dev.tidemill.formats.json.JsonOptions;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EncodersTest {
    private static final Schema SCHEMA =
            Schema.of(
                    new Field("i", DataType.INT64),
                    new Field("f", DataType.FLOAT64),
                    new Field("s \"\u00e9\n", DataType.UTF8),
                    new Field("b", DataType.BOOL),
                    new Field("t", DataType.TIMESTAMP),
                    new Field("d", DataType.DATE),
                    new Field("m", new DataType.Decimal(30, 4)),
                    new Field("l", new DataType.ListOf(DataType.INT64)),
                    new Field("j", DataType.JSON));

    private static String text(RowEncoder encoder, Batch batch) {
        EncodedRows out = new EncodedRows();
        encoder.encode(batch, out);
        assertThat(out.count()).isEqualTo(batch.rows());
        return new String(out.data(), 0, out.size(), StandardCharsets.UTF_8);
    }

    private static Batch random(Random random, int rows) {
        ColumnBuilder[] builders =
                SCHEMA.fields().stream()
                        .map(field -> ColumnBuilder.of(field.type()))
                        .toArray(ColumnBuilder[]::new);
        for (int row = 0; row < rows; row++) {
            builders[0].append(
                    random.nextInt(3) == 0
                            ? random.nextLong()
                            : Long.valueOf(random.nextInt(100) - 50));
            builders[1].append(
                    random.nextInt(2) == 0 ? Double.valueOf(random.nextInt(1000)) : finite(random));
            builders[2].append(string(random));
            builders[3].append(random.nextBoolean());
            builders[4].append(random.nextLong(4_000_000_000_000L) - 1_000_000_000_000L);
            builders[5].append(
                    Math.floorDiv(random.nextLong(4_000_000_000_000L), 86_400_000L) * 86_400_000L);
            builders[6].append(BigDecimal.valueOf(random.nextLong(), 4));
            builders[7].append(List.of(random.nextLong(), 0L).subList(0, random.nextInt(3)));
            builders[8].append("{\"x\":[1,null,\"\\n\"]}");
        }
        Column[] columns = new Column[builders.length];
        for (int i = 0; i < columns.length; i++) {
            columns[i] = builders[i].build();
            if (random.nextBoolean()) {
                long[] validity = new long[rows / 64 + 1];
                for (int w = 0; w < validity.length; w++) {
                    validity[w] = random.nextLong();
                }
                columns[i] = Columns.withValidity(columns[i], validity);
            }
        }
        return Batch.of(SCHEMA, columns, rows);
    }

    private static double finite(Random random) {
        double value = Double.longBitsToDouble(random.nextLong());
        return Double.isFinite(value) ? value : -0.0;
    }

    private static String string(Random random) {
        StringBuilder out = new StringBuilder();
        for (int i = random.nextInt(random.nextBoolean() ? 5 : 30); i > 0; i--) {
            int kind = random.nextInt(10);
            out.append(
                    kind == 0
                            ? "\ud83d\ude00"
                            : kind == 1
                                    ? "\u00e9"
                                    : String.valueOf(
                                            (char) random.nextInt(kind < 4 ? 0x20 : 0x7f)));
        }
        return out.toString();
    }

    /** Each row read back with the declared schema is the row that was written. */
    @ParameterizedTest
    @ValueSource(ints = {1, 63, 64, 65, 1000})
    void jsonReadsBackTheSame(int rows) throws Exception {
        Random random = new Random(rows);
        for (int round = 0; round < 10; round++) {
            Batch batch = random(random, rows);
            byte[] data = text(new JsonEncoder(true), batch).getBytes(StandardCharsets.UTF_8);
            JsonDecoder decoder =
                    new JsonDecoder(
                            JsonOptions.inferred()
                                    .withSchema(SCHEMA, true)
                                    .withPolicy(OnBadData.FAIL),
                            new Recorder());
            assertThat(decoder.lines(data, 0, data.length, true, 0, Integer.MAX_VALUE))
                    .isEqualTo(data.length);
            Batch read = decoder.take();
            assertThat(read.rows()).isEqualTo(rows);
            for (int i = 0; i < rows; i++) {
                assertThat(read.row(i)).isEqualTo(batch.row(i));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "12, 12.0",
        "0, 0.0",
        "-0.0, -0.0",
        "1.7e12, 1.7e12",
        "1e10, 1e10",
        "9999999999, 9999999999.0",
        "0.1, 0.1",
        "0.00001, 0.00001",
        "1e-6, 1e-6",
        "1.5e-7, 1.5e-7",
        "123456.789, 123456.789",
        "1e300, 1e300",
        "4.9e-324, 4.9e-324",
        "-2.5, -2.5",
        "NaN, ",
        "Infinity, ",
        "-Infinity, "
    })
    void writesFloatsAsPromised(double value, String expected) {
        ColumnBuilder builder = ColumnBuilder.of(DataType.FLOAT64);
        builder.append(value);
        Batch batch = Batch.of(Schema.of(new Field("f", DataType.FLOAT64)), builder.build());
        assertThat(text(new JsonEncoder(false), batch))
                .isEqualTo(expected == null ? "{\"f\":null}" : "{\"f\":" + expected + "}");
    }

    @Test
    void leavesOutEngineColumnsAndRowsThatDoNotLive() {
        Batch batch =
                Batch.of(
                                Schema.of(
                                        new Field("a", DataType.UTF8),
                                        new Field(Schema.KEY, DataType.UTF8)),
                                BytesColumn.of("x", "y", null),
                                BytesColumn.of("k", "k", "k"))
                        .select(new Selection(new int[] {1, 2}, 2));
        assertThat(text(new JsonEncoder(true), batch)).isEqualTo("{\"a\":\"y\"}\n{}\n");
        assertThat(text(new CsvEncoder(',', true), batch)).isEqualTo("y\n\n");
        assertThat(text(new RawEncoder(true), batch)).isEqualTo("y\n\n");
        Batch two = batch.withColumn("b", Columns.allNull(DataType.INT64, 3));
        assertThatThrownBy(() -> text(new RawEncoder(true), two))
                .hasMessageContaining("exactly one column");
    }

    @Test
    void csvQuotesWhatItMust() {
        Batch batch =
                Batch.of(
                        Schema.of(new Field("a;b", DataType.UTF8), new Field("c", DataType.UTF8)),
                        BytesColumn.of("x;y", "\"", "", null),
                        BytesColumn.of("a\nb", "\r", ",", ""));
        CsvEncoder encoder = new CsvEncoder(';', true);
        assertThat(new String(encoder.header(batch.schema()), StandardCharsets.UTF_8))
                .isEqualTo("\"a;b\";c\n");
        assertThat(text(encoder, batch))
                .isEqualTo("\"x;y\";\"a\nb\"\n\"\"\"\";\"\r\"\n\"\";,\n;\"\"\n");
    }

    @Test
    void jsonInsideListsIsNotQuotedTwice() {
        ColumnBuilder builder = ColumnBuilder.of(new DataType.ListOf(DataType.JSON));
        builder.append(new ArrayList<>(List.of("{\"x\":1}", "\"s\"", "2")));
        Batch batch = Batch.of(Schema.of(new Field("l", builder.type())), builder.build());
        assertThat(text(new JsonEncoder(false), batch)).isEqualTo("{\"l\":[{\"x\":1},\"s\",2]}");
        assertThat(batch.row(0)).isEqualTo(Map.of("l", List.of("{\"x\":1}", "\"s\"", "2")));
    }
}
