package dev.tidemill.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemill.spi.OptionValues;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SettingsTest {
    private static Settings settings(Map<String, ?> values) {
        return new Settings(new OptionValues(values));
    }

    @Test
    void absentSettingsHaveTheirDefaults() {
        Settings none = settings(Map.of());
        assertThat(none.consumer())
                .containsEntry("max.partition.fetch.bytes", "4194304")
                .containsEntry("fetch.max.bytes", "52428800")
                .containsEntry("fetch.max.wait.ms", "100")
                .containsEntry("fetch.min.bytes", "1")
                .containsEntry("session.timeout.ms", "45000");
        assertThat(none.producer()).isEqualTo(Map.of("linger.ms", "5"));
        assertThat(none.sinkFlush()).isEqualTo(new SinkFlush(512));
        assertThat(none.maxConsumers()).isEqualTo(16);
        assertThat(none.fromEarliest()).isFalse();
        assertThat(none.pollRows(4096)).isEqualTo(4096);
    }

    @Test
    void settingsBecomeClientProperties() {
        Settings given =
                settings(
                        Map.of(
                                "fetchMaxBytes",
                                100L,
                                "fetchQueueKbytes",
                                2048L,
                                "fetchWaitMs",
                                7L,
                                "fetchMinBytes",
                                9L,
                                "produceLingerMs",
                                0L,
                                "sinkFlush",
                                "epoch",
                                "maxConsumers",
                                3L,
                                "offsetReset",
                                "earliest",
                                "batchMax",
                                10L));
        assertThat(given.consumer())
                .containsEntry("max.partition.fetch.bytes", "100")
                .containsEntry("fetch.max.bytes", "2097152")
                .containsEntry("fetch.max.wait.ms", "7")
                .containsEntry("fetch.min.bytes", "9");
        assertThat(given.producer()).containsEntry("linger.ms", "0");
        assertThat(given.sinkFlush().rows()).isEqualTo(Long.MAX_VALUE);
        assertThat(given.maxConsumers()).isEqualTo(3);
        assertThat(given.fromEarliest()).isTrue();
        assertThat(given.pollRows(4096)).isEqualTo(10);
        assertThat(settings(Map.of("batchMax", 5000L)).pollRows(4096)).isEqualTo(4096);
    }

    @Test
    void eachKindOfClientGetsItsOwnPropertiesAndTheUnknownOnes() {
        Cluster cluster =
                new Cluster(
                        "h:1",
                        Map.of(
                                "compression.type",
                                "zstd",
                                "fetch.min.bytes",
                                "5",
                                "sasl.jaas.config",
                                "password=s3cret",
                                "plugin.x",
                                "1"),
                        1);
        assertThat(cluster.consumer(Map.of("fetch.min.bytes", "1")))
                .containsEntry("fetch.min.bytes", "5")
                .containsEntry("plugin.x", "1")
                .containsEntry("bootstrap.servers", "h:1")
                .containsKey("sasl.jaas.config")
                .doesNotContainKey("compression.type");
        assertThat(cluster.producer(Map.of()))
                .containsEntry("compression.type", "zstd")
                .containsKey("sasl.jaas.config")
                .doesNotContainKey("fetch.min.bytes");
        assertThat(cluster).hasToString("Cluster[h:1]");
    }
}
