package dev.tidemill.nexmark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemill.data.Batch;
import dev.tidemill.data.Schema;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EventGeneratorTest {
    private static final Schema WITH_ENGINE =
            Events.schema(null, List.of(Schema.KEY, Schema.PARTITION, Schema.OFFSET));

    @Test
    void wholeStreamHasTheReferenceChecksum() throws Exception {
        EventGenerator generator = EventGenerator.ofAllColumns(42, 10);
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        int[] sizes = {1, 7, 4096, 50, 49, 1000};
        int n = 0;
        for (int i = 0; n < 100_000; i++) {
            int rows = Math.min(sizes[i % sizes.length], 100_000 - n);
            digest.update(text(generator.generate(n, 1, rows)));
            n += rows;
        }
        assertThat(HexFormat.of().formatHex(digest.digest()))
                .isEqualTo("5c3caa6a24a6e4e84c92c2f95d3663b37223b9c5fcf4ca9cc5cf7caf1637ebc2");
    }

    private static byte[] text(Batch batch) {
        StringBuilder text = new StringBuilder();
        for (int row = 0; row < batch.rows(); row++) {
            for (int c = 0; c < batch.columnCount(); c++) {
                Object value = batch.column(c).value(row);
                text.append(c == 0 ? "" : "|").append(value == null ? "" : value);
            }
            text.append('\n');
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void knownRows() {
        EventGenerator generator = EventGenerator.ofAllColumns(42, 10);
        assertThat(generator.generate(0, 1, 1).row(0))
                .containsEntry("type", "person")
                .containsEntry("id", 1000L)
                .containsEntry("city", "Boise")
                .containsEntry("state", "AZ")
                .containsEntry("creditCard", "2172 7803 7043 3278")
                .containsEntry("name", "person-1000")
                .containsEntry("emailAddress", "person-1000@example.com")
                .containsEntry("auction", null);
        assertThat(generator.generate(1, 1, 1).row(0))
                .containsEntry("id", 1000L)
                .containsEntry("initialBid", 166L)
                .containsEntry("reserve", 533L)
                .containsEntry("category", 3L)
                .containsEntry("seller", 1000L)
                .containsEntry("expires", 1064796L);
        assertThat(generator.generate(4, 1, 1).row(0))
                .containsEntry("auction", 1002L)
                .containsEntry("bidder", 1000L)
                .containsEntry("price", 9312L)
                .containsEntry("channel", "Facebook")
                .containsEntry("url", "https://www.nexmark.com/kma4/6te1/rjvs/item.htm?query=1");
        assertThat(generator.generate(50, 1, 1).row(0))
                .containsEntry("id", 1001L)
                .containsEntry("city", "Sacramento")
                .containsEntry("state", "NV")
                .containsEntry("creditCard", "0905 6287 0028 8090");
    }

    @Test
    void anyStrideGivesTheSameEventsAsTheWholeStream() {
        List<Map<String, Object>> all =
                rows(EventGenerator.ofAllColumns(7, 3).generate(0, 1, 2000));
        Random random = new Random(1);
        for (int round = 0; round < 200; round++) {
            int stride = 1 + random.nextInt(round % 4 == 0 ? 200 : 8);
            int first = random.nextInt(1000);
            int count = Math.min(1 + random.nextInt(300), (1999 - first) / stride + 1);
            Batch batch = EventGenerator.ofAllColumns(7, 3).generate(first, stride, count);
            for (int i = 0; i < count; i++) {
                assertThat(batch.row(i)).isEqualTo(all.get(first + i * stride));
            }
        }
    }

    @Test
    void projectedColumnsAreThoseOfTheWholeRow() {
        List<Map<String, Object>> all =
                rows(new EventGenerator(42, 10, WITH_ENGINE).generate(0, 1, 500));
        Random random = new Random(2);
        for (int round = 0; round < 200; round++) {
            List<String> wanted = new ArrayList<>(WITH_ENGINE.names());
            wanted.removeIf(name -> random.nextInt(3) > 0);
            List<String> visible = wanted.stream().filter(n -> !Schema.isEngineColumn(n)).toList();
            List<String> engine = wanted.stream().filter(Schema::isEngineColumn).toList();
            Batch batch =
                    new EventGenerator(42, 10, Events.schema(visible, engine)).generate(0, 1, 500);
            assertThat(batch.schema().names()).isEqualTo(wanted);
            for (int i = 0; i < 500; i += 1 + random.nextInt(5)) {
                assertThat(all.get(i)).containsAllEntriesOf(batch.row(i));
            }
        }
    }

    private static List<Map<String, Object>> rows(Batch batch) {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (int i = 0; i < batch.rows(); i++) {
            rows.add(batch.row(i));
        }
        return rows;
    }

    @Test
    void engineColumnsNameKindTaskAndPlace() {
        Batch batch =
                new EventGenerator(
                                42,
                                10,
                                Events.schema(List.of("type"), WITH_ENGINE.names().subList(19, 22)))
                        .generate(2, 3, 3);
        assertThat(batch.row(0))
                .containsEntry(Schema.KEY, "a1001")
                .containsEntry(Schema.PARTITION, 2L)
                .containsEntry(Schema.OFFSET, 0L);
        assertThat(batch.row(1)).containsEntry("type", "bid").containsEntry(Schema.OFFSET, 1L);
    }

    @Test
    void referencesAreValidFarOut() {
        long far = 40_000_000_000L;
        Batch batch = EventGenerator.ofAllColumns(-5, 1).generate(far, 1, 5000);
        for (int i = 0; i < batch.rows(); i++) {
            Map<String, Object> row = batch.row(i);
            if (row.get("auction") != null) {
                assertThat((Long) row.get("auction"))
                        .isBetween(1000L, 1000 + 3 * ((far + i) / 50 + 1) - 1);
                assertThat((Long) row.get("bidder")).isBetween(1000L, 1000 + (far + i) / 50);
            }
        }
    }

    @Test
    void remainderByReciprocalIsExact() {
        Random random = new Random(3);
        for (int i = 0; i < 1_000_000; i++) {
            long bound = 1 + (random.nextLong() >>> 16 + random.nextInt(48));
            long draw = random.nextLong() >>> 16 + (i % 3 == 0 ? random.nextInt(48) : 0);
            if (i % 5 == 0) {
                draw =
                        Math.min(
                                draw / bound * bound + (i % 2 == 0 ? 0 : bound - 1),
                                (1L << 48) - 1);
            }
            assertThat(Lcg.below(draw, bound, 1.0 / bound)).isEqualTo(draw % bound);
        }
    }
}
