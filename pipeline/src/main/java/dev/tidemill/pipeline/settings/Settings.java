package dev.tidemill.pipeline.settings;

import static dev.tidemill.describe.OptionType.BOOL;
import static dev.tidemill.describe.OptionType.BYTES;
import static dev.tidemill.describe.OptionType.CHOICE;
import static dev.tidemill.describe.OptionType.DURATION_MS;
import static dev.tidemill.describe.OptionType.INT;
import static dev.tidemill.describe.OptionType.STRING;
import static dev.tidemill.pipeline.settings.Setting.Effect.CLUSTER;
import static dev.tidemill.pipeline.settings.Setting.Effect.NOT_YET;
import static dev.tidemill.pipeline.settings.Setting.Effect.WORKS;

import dev.tidemill.describe.Option;
import dev.tidemill.describe.OptionType;
import dev.tidemill.pipeline.settings.Setting.Effect;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The settings there are. Stateless and thread-safe. */
public final class Settings {
    /** About 30 years: what is longer is a slip, and would overflow in nanoseconds. */
    private static final long LONGEST_MS = 1_000_000_000_000L;

    private static final long MANY = 1_000_000_000;
    private static final long LARGE = 1L << 50;

    private static final List<Setting> ALL = all();
    private static final Map<String, Setting> BY_SPELLING = bySpelling();

    private Settings() {}

    /** All settings, group by group. */
    public static List<Setting> list() {
        return ALL;
    }

    /** What users are told of all settings, group by group. */
    public static List<Option> descriptions() {
        return ALL.stream().map(Setting::option).toList();
    }

    /** The settings under their headings, in the order to show them. */
    public static Map<String, List<Setting>> groups() {
        Map<String, List<Setting>> groups = new LinkedHashMap<>();
        ALL.forEach(
                setting ->
                        groups.computeIfAbsent(setting.group(), _ -> new ArrayList<>())
                                .add(setting));
        return groups;
    }

    /** A setting by any of its spellings. */
    public static Optional<Setting> named(String spelling) {
        return Optional.ofNullable(BY_SPELLING.get(spelling));
    }

    private static Map<String, Setting> bySpelling() {
        Map<String, Setting> out = new HashMap<>();
        for (Setting setting : ALL) {
            out.put(setting.name(), setting);
            out.put(setting.variable(), setting);
            if (setting.compatible() != null) {
                out.put(setting.compatible(), setting);
            }
        }
        return out;
    }

    private static List<Setting> all() {
        List<Setting> all = new ArrayList<>();
        all.addAll(tasks());
        all.addAll(checkpoints());
        all.addAll(memory());
        all.addAll(cluster());
        all.addAll(observability());
        all.addAll(sources());
        all.addAll(kafka());
        all.addAll(others());
        return List.copyOf(all);
    }

    private static List<Setting> tasks() {
        String group = "Tasks";
        return List.of(
                own(
                        group,
                        whole(
                                "threads",
                                0,
                                0,
                                1024,
                                "Worker threads that run the tasks; 0 for one per core.")),
                own(
                        group,
                        whole(
                                "batchRows",
                                4096,
                                1,
                                65_536,
                                "The most rows that move through the tasks at once.")),
                of(
                        group,
                        WORKS,
                        whole(
                                "consumers",
                                0,
                                0,
                                32_768,
                                "Tasks that read each input; 0 for the input's own number.")),
                of(
                        group,
                        WORKS,
                        whole(
                                "tasks",
                                0,
                                0,
                                32_768,
                                "Tasks of each keyed step, at most `vnodes`; 0 for as many as the tasks before it.")),
                of(
                        group,
                        WORKS,
                        whole(
                                "vnodes",
                                128,
                                1,
                                32_768,
                                "Slots that keys are spread over; fixed for the life of stored state.")),
                of(
                        group,
                        NOT_YET,
                        whole(
                                "windowShards",
                                64,
                                1,
                                65_536,
                                "State files per task with windows, under a memory limit.")),
                of(
                        group,
                        WORKS,
                        whole(
                                "edgeCapacity",
                                4,
                                1,
                                65_536,
                                "Batches that wait between two tasks before the first of them waits.")),
                of(
                        group,
                        NOT_YET,
                        flag(
                                "chainSink",
                                "Runs a sink in the task before it. It is done without asking wherever it is safe.")),
                of(
                        group,
                        WORKS,
                        millis(
                                "idleTimeoutMs",
                                0,
                                "A partition that is silent for so long does not hold time back; 0 is never. Steps may say otherwise.")),
                of(
                        group,
                        NOT_YET,
                        bytes(
                                "lookupBroadcastMax",
                                67_108_864,
                                "A lookup table up to this size goes to every task, a larger one is spread by key.")));
    }

    private static List<Setting> checkpoints() {
        String group = "Checkpoints";
        return List.of(
                of(
                        group,
                        WORKS,
                        millis(
                                "checkpointMs",
                                5000,
                                "How often an epoch is stored, where there is a `stateStore`; 0 for only at a stop and at the end.")),
                of(
                        group,
                        WORKS,
                        millis("checkpointMinPauseMs", 0, "Quiet time after an epoch stands.")),
                of(
                        group,
                        NOT_YET,
                        flag("exactlyOnce", "Outputs show rows when a checkpoint has them.")),
                of(
                        group,
                        WORKS,
                        text(
                                        "stateStore",
                                        "Where epochs are kept, from which a run goes on after a stop or a crash: a directory, `file://`, `s3://bucket/prefix`, `memory` for failures within one process, or `none`. When it is not set the command keeps them in the user's data directory, or in memory where all rows go to the terminal or nowhere; the library keeps none.")
                                .withExample("\"state\"")),
                of(
                        group,
                        WORKS,
                        whole("checkpointsKeep", 2, 1, 10_000, "How many epochs are kept.")),
                of(
                        group,
                        WORKS,
                        flag(
                                "resetState",
                                "Starts anew, without the stored epochs; once, until a start without it.")),
                own(
                        group,
                        whole(
                                "restartAttempts",
                                10,
                                0,
                                MANY,
                                "How often a job that failed starts again without a new epoch, where there is a `stateStore`. In a file also `restart = { attempts, backoffMs, maxBackoffMs }`.")),
                own(
                        group,
                        millis(
                                "restartBackoffMs",
                                1000,
                                "The pause before the first start again; each further one is twice as long.")),
                own(group, millis("restartMaxBackoffMs", 60_000, "The longest such pause.")));
    }

    private static List<Setting> memory() {
        return List.of(
                of(
                        "Memory",
                        NOT_YET,
                        whole(
                                "memoryLimitMb",
                                0,
                                0,
                                MANY,
                                "State moves to disk above it; 0 for no limit.")),
                of("Memory", NOT_YET, text("stateDir", "Where it moves to.")),
                new Setting(
                        "Compute",
                        text(
                                "transformsDir",
                                "Folders of the registry of transforms, with `:` between them; later ones override."),
                        "FV_TRANSFORMS_DIR",
                        NOT_YET));
    }

    private static List<Setting> cluster() {
        String group = "Cluster";
        return List.of(
                of(group, CLUSTER, whole("workers", 1, 1, 10_000, "Members of a cluster.")),
                of(group, CLUSTER, text("join", "The leader to join.")),
                of(group, CLUSTER, textOr("controlAddr", "0.0.0.0:7100", "The leader's address.")),
                of(group, CLUSTER, textOr("exchangeAddr", "127.0.0.1:0", "The address for data.")),
                of(
                        group,
                        CLUSTER,
                        whole("flows", 4, 1, 10_000, "Sockets for each pair of members.")),
                of(group, CLUSTER, bytes("exchangeWindow", 8_388_608, "Credit of a channel.")),
                of(
                        group,
                        CLUSTER,
                        whole(
                                "joinTimeoutSeconds",
                                120,
                                0,
                                MANY,
                                "How long members are waited for.")),
                of(
                        group,
                        CLUSTER,
                        millis("epochTimeoutMs", 30_000, "How long a checkpoint is waited for.")));
    }

    private static List<Setting> observability() {
        String group = "Observability";
        return List.of(
                of(
                        group,
                        WORKS,
                        whole(
                                "heartbeatSeconds",
                                5,
                                0,
                                86_400,
                                "How often the record is written and a status line printed; 0 for no lines.")),
                of(
                        group,
                        WORKS,
                        text(
                                        "serve",
                                        "The address of the server for health and metrics, `host:port` or `port`; empty for none.")
                                .withExample("\"127.0.0.1:8080\"")),
                of(group, NOT_YET, flag("traceCpu", "Extra lines about CPU time.")),
                of(group, NOT_YET, flag("traceTasks", "Extra lines about tasks.")),
                of(group, NOT_YET, flag("traceRestore", "Extra lines about a restore.")));
    }

    private static List<Setting> sources() {
        String group = "Sources";
        return List.of(
                of(
                        group,
                        WORKS,
                        whole("batchMax", 5000, 1, MANY, "The most rows a source takes at once.")),
                of(
                        group,
                        WORKS,
                        Option.of(
                                        "offsetReset",
                                        CHOICE,
                                        "Where an input starts that no position is known of.")
                                .oneOf("latest", "earliest")
                                .withDefault("latest")
                                .withExample("\"earliest\"")));
    }

    private static List<Setting> kafka() {
        String group = "Kafka";
        return List.of(
                of(
                        group,
                        WORKS,
                        whole(
                                "maxConsumers",
                                16,
                                1,
                                32_768,
                                "The most tasks that read one topic.")),
                of(
                        group,
                        WORKS,
                        millis(
                                "batchWaitMs",
                                0,
                                "How long a batch is waited for after its first message.")),
                of(
                        group,
                        WORKS,
                        millis(
                                        "sessionTimeoutMs",
                                        45_000,
                                        "The client property `session.timeout.ms`.")
                                .atLeast(1)),
                of(
                        group,
                        NOT_YET,
                        whole("fetchQueueMessages", 1_000_000, 1, MANY, "Messages fetched ahead.")),
                of(
                        group,
                        WORKS,
                        whole("fetchQueueKbytes", 524_288, 1, MANY, "Kilobytes fetched ahead.")),
                of(
                        group,
                        WORKS,
                        bytes(
                                        "fetchMaxBytes",
                                        4_194_304,
                                        "The client property `max.partition.fetch.bytes`.")
                                .atLeast(1)
                                .atMost(Integer.MAX_VALUE)),
                of(
                        group,
                        WORKS,
                        millis("fetchWaitMs", 100, "The client property `fetch.max.wait.ms`.")
                                .atMost(Integer.MAX_VALUE)),
                of(
                        group,
                        WORKS,
                        bytes("fetchMinBytes", 1, "The client property `fetch.min.bytes`.")
                                .atMost(Integer.MAX_VALUE)),
                of(
                        group,
                        WORKS,
                        millis("produceLingerMs", 5, "The client property `linger.ms`.")
                                .atMost(Integer.MAX_VALUE)),
                of(
                        group,
                        WORKS,
                        Option.of(
                                        "sinkFlush",
                                        STRING,
                                        "When a sink waits for the broker: after so many rows, after each `batch`, or only at each `epoch`.")
                                .withDefault("512")
                                .withExample("\"batch\"")),
                of(
                        group,
                        NOT_YET,
                        millis(
                                        "txnTimeoutMs",
                                        60_000,
                                        "The client property `transaction.timeout.ms`.")
                                .atLeast(1)));
    }

    private static List<Setting> others() {
        String group = "Others";
        return List.of(
                of(
                        group,
                        NOT_YET,
                        whole(
                                "flightBuffer",
                                64,
                                1,
                                MANY,
                                "Batches a Flight sink holds for its clients.")),
                of(
                        group,
                        NOT_YET,
                        millis(
                                        "httpTimeoutMs",
                                        30_000,
                                        "How long an HTTP server may take to answer.")
                                .atLeast(1)));
    }

    private static Setting own(String group, Option option) {
        return new Setting(group, option, null, WORKS);
    }

    private static Setting of(String group, Effect effect, Option option) {
        Setting named = new Setting(group, option, null, effect);
        return new Setting(group, option, named.variable().replace("TIDEMILL_", "STREAM_"), effect);
    }

    private static Option whole(String name, long otherwise, long least, long most, String doc) {
        return number(name, INT, otherwise, doc).atLeast(least).atMost(most);
    }

    private static Option millis(String name, long otherwise, String doc) {
        return number(name, DURATION_MS, otherwise, doc).atLeast(0).atMost(LONGEST_MS);
    }

    private static Option bytes(String name, long otherwise, String doc) {
        return number(name, BYTES, otherwise, doc).atLeast(0).atMost(LARGE);
    }

    private static Option number(String name, OptionType type, long otherwise, String doc) {
        return Option.of(name, type, doc)
                .withDefault(otherwise)
                .withExample(Long.toString(otherwise));
    }

    private static Option flag(String name, String doc) {
        return Option.of(name, BOOL, doc).withDefault(false).withExample("true");
    }

    private static Option text(String name, String doc) {
        return textOr(name, "", doc);
    }

    private static Option textOr(String name, String otherwise, String doc) {
        return Option.of(name, STRING, doc).withDefault(otherwise);
    }
}
