package dev.tidemill.pipeline.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.tidemill.describe.Option;
import dev.tidemill.pipeline.read.Document;
import dev.tidemill.pipeline.read.Node;
import dev.tidemill.pipeline.read.OptionReader;
import dev.tidemill.pipeline.read.Problems;
import dev.tidemill.pipeline.spec.InvalidPipelineException;
import dev.tidemill.pipeline.spec.Position;
import dev.tidemill.spi.OptionValues;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SettingsTest {
    /** Section 1 of the reference. */
    private static final List<String> REFERENCE =
            List.of(
                    "STREAM_CONSUMERS",
                    "STREAM_TASKS",
                    "STREAM_VNODES",
                    "STREAM_WINDOW_SHARDS",
                    "STREAM_EDGE_CAPACITY",
                    "STREAM_CHAIN_SINK",
                    "STREAM_IDLE_TIMEOUT_MS",
                    "STREAM_LOOKUP_BROADCAST_MAX",
                    "STREAM_CHECKPOINT_MS",
                    "STREAM_CHECKPOINT_MIN_PAUSE_MS",
                    "STREAM_EXACTLY_ONCE",
                    "STREAM_STATE_STORE",
                    "STREAM_CHECKPOINTS_KEEP",
                    "STREAM_RESET_STATE",
                    "STREAM_MEMORY_LIMIT_MB",
                    "STREAM_STATE_DIR",
                    "FV_TRANSFORMS_DIR",
                    "STREAM_WORKERS",
                    "STREAM_JOIN",
                    "STREAM_CONTROL_ADDR",
                    "STREAM_EXCHANGE_ADDR",
                    "STREAM_FLOWS",
                    "STREAM_EXCHANGE_WINDOW",
                    "STREAM_JOIN_TIMEOUT_SECONDS",
                    "STREAM_EPOCH_TIMEOUT_MS",
                    "STREAM_HEARTBEAT_SECONDS",
                    "STREAM_TRACE_CPU",
                    "STREAM_TRACE_TASKS",
                    "STREAM_TRACE_RESTORE",
                    "STREAM_BATCH_MAX",
                    "STREAM_OFFSET_RESET",
                    "STREAM_MAX_CONSUMERS",
                    "STREAM_BATCH_WAIT_MS",
                    "STREAM_SESSION_TIMEOUT_MS",
                    "STREAM_FETCH_QUEUE_MESSAGES",
                    "STREAM_FETCH_QUEUE_KBYTES",
                    "STREAM_FETCH_MAX_BYTES",
                    "STREAM_FETCH_WAIT_MS",
                    "STREAM_FETCH_MIN_BYTES",
                    "STREAM_PRODUCE_LINGER_MS",
                    "STREAM_SINK_FLUSH",
                    "STREAM_TXN_TIMEOUT_MS",
                    "STREAM_FLIGHT_BUFFER",
                    "STREAM_HTTP_TIMEOUT_MS",
                    "STREAM_SERVE");

    @Test
    void everySettingOfTheReferenceIsThere() {
        Set<String> compatible = new HashSet<>();
        Settings.list().stream()
                .filter(setting -> setting.compatible() != null)
                .forEach(setting -> compatible.add(setting.compatible()));
        assertThat(compatible).containsExactlyInAnyOrderElementsOf(REFERENCE);
    }

    @Test
    void namesDifferAndDefaultsAreOfTheirType() {
        assertThat(Settings.descriptions())
                .extracting(Option::name)
                .doesNotHaveDuplicates()
                .contains("threads", "batchRows");
        for (Option option : Settings.descriptions()) {
            assertThatCode(() -> OptionReader.defaultOf(option))
                    .as(option.name())
                    .doesNotThrowAnyException();
            assertThat(option.doc()).as(option.name()).endsWith(".");
        }
        assertThat(Settings.groups().values().stream().mapToInt(List::size).sum())
                .isEqualTo(Settings.list().size());
    }

    @Test
    void allSpellingsMeanTheSame() throws Exception {
        for (Setting setting : Settings.list()) {
            assertThat(Settings.named(setting.name())).contains(setting);
            assertThat(Settings.named(setting.variable())).contains(setting);
        }
        assertThat(Settings.named("fetchQueueKbytes").orElseThrow().variable())
                .isEqualTo("TIDEMILL_FETCH_QUEUE_KBYTES");
        for (String spelling :
                List.of("checkpointMs", "STREAM_CHECKPOINT_MS", "TIDEMILL_CHECKPOINT_MS")) {
            assertThat(read(spelling + " = 7", Map.of(), Map.of()).requireLong("checkpointMs"))
                    .isEqualTo(7);
            assertThat(read(spelling + " = '7'", Map.of(), Map.of()).requireLong("checkpointMs"))
                    .isEqualTo(7);
            assertThat(read("", Map.of(), Map.of(spelling, "7")).requireLong("checkpointMs"))
                    .isEqualTo(7);
        }
        assertThat(
                        read("", Map.of("STREAM_CHECKPOINT_MS", "7"), Map.of())
                                .requireLong("checkpointMs"))
                .isEqualTo(7);
        assertThat(
                        read("", Map.of("TIDEMILL_CHECKPOINT_MS", "7"), Map.of())
                                .requireLong("checkpointMs"))
                .isEqualTo(7);
        assertThat(read("", Map.of("checkpointMs", "7"), Map.of()).requireLong("checkpointMs"))
                .isEqualTo(5000);
    }

    @Test
    void commandLineThenEnvironmentThenFileThenDefault() throws Exception {
        assertThat(read("", Map.of(), Map.of()).requireLong("consumers")).isZero();
        assertThat(read("consumers = 1", Map.of(), Map.of()).requireLong("consumers")).isEqualTo(1);
        assertThat(
                        read("STREAM_CONSUMERS = 1", Map.of("TIDEMILL_CONSUMERS", "2"), Map.of())
                                .requireLong("consumers"))
                .isEqualTo(2);
        assertThat(
                        read(
                                        "consumers = 1",
                                        Map.of("STREAM_CONSUMERS", "2"),
                                        Map.of("consumers", "3"))
                                .requireLong("consumers"))
                .isEqualTo(3);
        assertThat(
                        read("consumers = 1", Map.of("STREAM_CONSUMERS", ""), Map.of())
                                .requireLong("consumers"))
                .isEqualTo(1);
    }

    @Test
    void switchesTakeNoughtAndOne() throws Exception {
        for (String on : List.of("1", "'1'", "true")) {
            assertThat(read("exactlyOnce = " + on, Map.of(), Map.of()).requireBool("exactlyOnce"))
                    .as(on)
                    .isTrue();
        }
        for (String off : List.of("0", "'0'", "false")) {
            assertThat(read("exactlyOnce = " + off, Map.of(), Map.of()).requireBool("exactlyOnce"))
                    .as(off)
                    .isFalse();
        }
        assertThat(
                        read("", Map.of("STREAM_EXACTLY_ONCE", "1"), Map.of())
                                .requireBool("exactlyOnce"))
                .isTrue();
    }

    @Test
    void textSettingsTakeNumbersToo() throws Exception {
        assertThat(read("sinkFlush = 64", Map.of(), Map.of()).requireString("sinkFlush"))
                .isEqualTo("64");
        assertThat(read("sinkFlush = 'epoch'", Map.of(), Map.of()).requireString("sinkFlush"))
                .isEqualTo("epoch");
        assertThat(read("serve = 8080", Map.of(), Map.of()).requireString("serve"))
                .isEqualTo("8080");
        assertThat(read("serve = '[::1]:0'", Map.of(), Map.of()).requireString("serve"))
                .isEqualTo("[::1]:0");
    }

    private static OptionValues read(
            String settings, Map<String, String> environment, Map<String, String> overrides)
            throws InvalidPipelineException {
        Problems problems = new Problems();
        Node.Table table = Document.parse("[settings]\n" + settings + "\n", "p.toml");
        Map<String, Node.Text> texts = new LinkedHashMap<>();
        overrides.forEach(
                (key, value) ->
                        texts.put(
                                key,
                                new Node.Text(
                                        Position.of("--set " + key), value, Node.Origin.OUTSIDE)));
        OptionValues values =
                new SettingsReader(problems)
                        .read((Node.Table) table.get("settings"), environment, texts);
        problems.throwIfAny();
        return values;
    }
}
