package dev.tidemill.stdout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemill.data.Batch;
import dev.tidemill.data.BytesColumn;
import dev.tidemill.data.DataType;
import dev.tidemill.data.Field;
import dev.tidemill.data.LongColumn;
import dev.tidemill.data.Schema;
import dev.tidemill.data.Selection;
import dev.tidemill.formats.JsonEncoder;
import dev.tidemill.formats.RowEncoder;
import dev.tidemill.spi.ClosedPipeException;
import dev.tidemill.spi.ConfigException;
import dev.tidemill.spi.Connector;
import dev.tidemill.spi.OptionValues;
import dev.tidemill.spi.SinkWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class StdoutConnectorTest {
    private static final Schema SCHEMA =
            Schema.of(
                    new Field("name", DataType.UTF8),
                    new Field("count", DataType.INT64),
                    new Field(Schema.KEY, DataType.UTF8));

    private static Batch batch(String name, long count) {
        return Batch.of(
                        SCHEMA,
                        BytesColumn.of(name, null, "dropped"),
                        new LongColumn(DataType.INT64, new long[] {count, 7, 8}, null, 3),
                        BytesColumn.of("k1", "k2", "k3"))
                .select(new Selection(new int[] {0, 1}, 2));
    }

    private static String print(Supplier<RowEncoder> encoder, Batch... batches) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (SinkWriter writer =
                new ConsoleSink(new Console(bytes, "test"), encoder, false).open(0, 1, null)) {
            for (Batch batch : batches) {
                writer.write(batch);
            }
            writer.prepare(true);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Test
    void printsLivingRowsAsJsonLines() throws Exception {
        assertThat(print(() -> new JsonEncoder(true), batch("a", 1), batch("b", 2)))
                .isEqualTo(
                        """
                        {"name":"a","count":1}
                        {"count":7}
                        {"name":"b","count":2}
                        {"count":7}
                        """);
    }

    @Test
    void tableIsAlignedAndSaysItsHeaderAgainWhenItGrows() throws Exception {
        assertThat(
                        print(
                                TableEncoder::new,
                                batch("ab", 1),
                                batch("ä\n", 12),
                                batch("longer", 123456)))
                .isEqualTo(
                        """
                        name  count
                        ----  -----
                        ab        1
                                  7
                        ä        12
                                  7
                        name     count
                        ------  ------
                        longer  123456
                                     7
                        """);
    }

    @Test
    void tableCutsLongValues() throws Exception {
        String line =
                print(TableEncoder::new, batch("x".repeat(100), 1))
                        .lines()
                        .skip(2)
                        .findFirst()
                        .orElseThrow();
        assertThat(line).startsWith("x".repeat(59) + "…  ");
    }

    @Test
    void aClosedPipeIsToldApartFromOtherFailures() {
        assertThatThrownBy(() -> failing("Broken pipe").write(batch("a", 1)))
                .isInstanceOf(ClosedPipeException.class);
        assertThatThrownBy(() -> failing("No space left on device").write(batch("a", 1)))
                .isNotInstanceOf(ClosedPipeException.class)
                .hasMessage("cannot write to standard output: No space left on device");
    }

    private static SinkWriter failing(String message) {
        OutputStream broken =
                new OutputStream() {
                    @Override
                    public void write(int b) throws IOException {
                        throw new IOException(message);
                    }
                };
        return new ConsoleSink(
                        new Console(broken, "standard output"), () -> new JsonEncoder(true), false)
                .open(0, 1, null);
    }

    @Test
    void isFoundAndChecksItsDelimiter() throws Exception {
        Connector connector =
                ServiceLoader.load(Connector.class).stream()
                        .map(ServiceLoader.Provider::get)
                        .filter(c -> c.name().equals("stdout"))
                        .findFirst()
                        .orElseThrow();
        Map<String, Object> values = Map.of("format", "csv", "delimiter", "ab", "stderr", false);
        assertThatThrownBy(() -> connector.check("out", false, new OptionValues(values)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("one ASCII character");
        assertThat(
                        connector
                                .sink(
                                        "out",
                                        new OptionValues(
                                                Map.of(
                                                        "format",
                                                        "table",
                                                        "delimiter",
                                                        ",",
                                                        "stderr",
                                                        true)),
                                        null)
                                .maxTasks())
                .isEqualTo(1);
    }
}
