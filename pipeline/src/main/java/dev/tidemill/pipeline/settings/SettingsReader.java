package dev.tidemill.pipeline.settings;

import dev.tidemill.describe.Nearest;
import dev.tidemill.describe.OptionType;
import dev.tidemill.pipeline.read.Node;
import dev.tidemill.pipeline.read.OptionReader;
import dev.tidemill.pipeline.read.Problems;
import dev.tidemill.pipeline.settings.Setting.Effect;
import dev.tidemill.pipeline.spec.Position;
import dev.tidemill.spi.OptionValues;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Finds the value of every setting: that of the command line, else of the environment, else of the file, else the default. All given values are checked. */
public final class SettingsReader {
    /** Variables of the launcher and the terminal, which are no settings. */
    private static final Set<String> NO_SETTINGS =
            Set.of(
                    "TIDEMILL_HOME",
                    "TIDEMILL_JAVA_HOME",
                    "TIDEMILL_JAVA_OPTS",
                    "TIDEMILL_TTY",
                    "TIDEMILL_STARTED",
                    "TIDEMILL_COLUMNS",
                    "TIDEMILL_LOG",
                    "TIDEMILL_SERVE_TOKEN");

    private static final List<String> PREFIXES = List.of("STREAM_", "TIDEMILL_", "FV_");

    private static final Set<String> ADDRESSES =
            Set.of("serve", "controlAddr", "exchangeAddr", "join");

    private final Problems problems;
    private final OptionReader options;
    private final Map<String, Object> values = new LinkedHashMap<>();
    private final Map<String, Given> given = new LinkedHashMap<>();

    private record Given(Setting setting, String spelling, Node node) {
        Position at() {
            return node.at();
        }
    }

    public SettingsReader(Problems problems) {
        this.problems = problems;
        this.options = new OptionReader(problems);
    }

    /**
     * @param table       {@code [settings]}, or null
     * @param environment all variables
     * @param overrides   texts of the command line by the spelling used there
     * @return every setting by its camelCase name
     */
    public OptionValues read(
            Node.Table table, Map<String, String> environment, Map<String, Node.Text> overrides) {
        for (Setting setting : Settings.list()) {
            values.put(setting.name(), OptionReader.defaultOf(setting.option()));
        }
        if (table != null) {
            file(table);
        }
        environment(new TreeMap<>(environment));
        overrides.forEach(
                (spelling, text) ->
                        known(spelling, text.at(), "unknown setting ")
                                .ifPresent(setting -> put(setting, spelling, text)));
        checkTogether();
        note();
        return new OptionValues(values);
    }

    private void file(Node.Table table) {
        Map<String, Node.Entry> seen = new HashMap<>();
        for (Node.Entry entry : table.entries().values()) {
            Optional<Setting> setting = known(entry.key(), entry.at(), "unknown setting ");
            if (setting.isEmpty()) {
                continue;
            }
            Node.Entry before = seen.putIfAbsent(setting.get().name(), entry);
            if (before == null) {
                put(setting.get(), entry.key(), entry.value());
                continue;
            }
            problems.error(
                    entry.at(),
                    entry.key()
                            + " is the same setting as "
                            + before.key()
                            + " in line "
                            + before.at().line()
                            + ": keep one");
        }
    }

    private void environment(Map<String, String> environment) {
        Map<String, String> seen = new HashMap<>();
        environment.forEach(
                (name, value) -> {
                    Setting setting =
                            Settings.named(name).filter(s -> !s.name().equals(name)).orElse(null);
                    Position at = Position.of("environment " + name);
                    if (setting == null) {
                        warnOfUnknown(name, at);
                        return;
                    }
                    if (value.isEmpty()) {
                        return;
                    }
                    String before = seen.putIfAbsent(setting.name(), name);
                    if (before == null) {
                        put(setting, name, new Node.Text(at, value, Node.Origin.OUTSIDE));
                    } else if (!environment.get(before).equals(value)) {
                        problems.error(
                                at,
                                "is the same setting as "
                                        + before
                                        + ", with another value: keep one");
                    }
                });
    }

    private void warnOfUnknown(String name, Position at) {
        if (isSettingLike(name) && !NO_SETTINGS.contains(name)) {
            problems.warning(at, "there is no such setting" + hint(name));
        }
    }

    private static boolean isSettingLike(String name) {
        return name.startsWith("STREAM_") || name.startsWith("TIDEMILL_");
    }

    private Optional<Setting> known(String spelling, Position at, String message) {
        Optional<Setting> setting = Settings.named(spelling);
        if (setting.isEmpty()) {
            problems.error(at, message + "\"" + spelling + "\"" + hint(spelling));
        }
        return setting;
    }

    /** Prefixes do not count for likeness: they are most of a short name. */
    private static String hint(String spelling) {
        String prefix = PREFIXES.stream().filter(spelling::startsWith).findFirst().orElse("");
        List<String> rests =
                Settings.list().stream()
                        .map(setting -> spelledLike(setting, prefix))
                        .filter(name -> name.startsWith(prefix))
                        .map(name -> name.substring(prefix.length()))
                        .toList();
        return Nearest.to(spelling.substring(prefix.length()), rests)
                .map(rest -> "; did you mean \"" + prefix + rest + "\"?")
                .orElse("; `tidemill describe settings` lists them");
    }

    private static String spelledLike(Setting setting, String prefix) {
        if (prefix.isEmpty()) {
            return setting.name();
        }
        return prefix.equals("TIDEMILL_") || setting.compatible() == null
                ? setting.variable()
                : setting.compatible();
    }

    private void put(Setting setting, String spelling, Node node) {
        Node fitting =
                setting.option().type() == OptionType.BOOL
                        ? switchOf(setting, spelling, node)
                        : untyped(setting, node);
        if (fitting == null) {
            return;
        }
        String path = fitting.at().line() == 0 ? "the value" : spelling;
        Object value = options.value(setting.option(), fitting, path, new HashMap<>());
        if (value == null || !fits(setting, value, fitting, path)) {
            return;
        }
        values.put(setting.name(), value);
        given.put(setting.name(), new Given(setting, spelling, node));
    }

    /** Settings are text wherever they come from, so text may stand for a number and the other way round. */
    private static Node untyped(Setting setting, Node node) {
        if (node instanceof Node.Text text && text.origin() == Node.Origin.FILE) {
            return new Node.Text(node.at(), text.value(), Node.Origin.OUTSIDE);
        }
        if (node instanceof Node.Whole whole && setting.option().type() == OptionType.STRING) {
            return new Node.Text(node.at(), Long.toString(whole.value()), Node.Origin.OUTSIDE);
        }
        return node;
    }

    private Node switchOf(Setting setting, String spelling, Node node) {
        boolean fromEnvironment = node.at().source().startsWith("environment ");
        boolean words =
                !fromEnvironment
                        && !(node instanceof Node.Text text && text.origin() == Node.Origin.FILE);
        String word = node instanceof Node.Text text ? text.value() : node.shown();
        if (word.equals("0")
                || word.equals("1")
                || words && (word.equals("true") || word.equals("false"))) {
            return new Node.Flag(node.at(), word.equals("1") || word.equals("true"));
        }
        String path = node.at().line() == 0 ? "the value" : spelling;
        String wanted = fromEnvironment ? " must be 0 or 1" : " must be 0 or 1, or true or false";
        problems.error(
                node.at(), path + wanted + ", found " + OptionReader.found(setting.name(), node));
        return null;
    }

    private boolean fits(Setting setting, Object value, Node node, String path) {
        if (ADDRESSES.contains(setting.name())) {
            return holds(
                    value,
                    Address::isValidOrEmpty,
                    node,
                    path + " must be host:port with a port from 0 to 65535");
        }
        if (setting.name().equals("sinkFlush")) {
            return holds(
                    value,
                    SettingsReader::isFlush,
                    node,
                    path + " must be a number of rows from 1, \"batch\" or \"epoch\"");
        }
        return true;
    }

    private static boolean isFlush(String word) {
        return word.equals("batch") || word.equals("epoch") || word.matches("0*[1-9][0-9]{0,9}");
    }

    private boolean holds(Object value, Predicate<String> rule, Node node, String message) {
        if (rule.test((String) value)) {
            return true;
        }
        problems.error(node.at(), message + ", found " + node.shown());
        return false;
    }

    private void checkTogether() {
        long tasks = (Long) values.get("tasks");
        long vnodes = (Long) values.get("vnodes");
        if (tasks > vnodes) {
            Node cause = given.get("tasks").node();
            String slots =
                    given.containsKey("vnodes")
                            ? given.get("vnodes").node().shown()
                            : Long.toString(vnodes);
            problems.error(
                    cause.at(),
                    "tasks is "
                            + cause.shown()
                            + " and vnodes "
                            + slots
                            + ": there cannot be more tasks than slots for keys");
        }
    }

    private void note() {
        note(
                Effect.NOT_YET,
                "accepted, but these settings tune parts that this version does not have: ");
        note(
                Effect.CLUSTER,
                "accepted, but this version runs in one process; more machines are the work of Flink: ");
        Given exactlyOnce = given.get("exactlyOnce");
        if (exactlyOnce != null && values.get("exactlyOnce").equals(Boolean.TRUE)) {
            problems.warning(
                    exactlyOnce.at(),
                    "exactly-once is not in this version yet: after a failure rows may be written again");
        }
    }

    private void note(Effect effect, String message) {
        List<Given> idle =
                given.values().stream().filter(g -> g.setting().effect() == effect).toList();
        if (idle.isEmpty()) {
            return;
        }
        List<String> names = new ArrayList<>();
        idle.forEach(g -> names.add(g.spelling()));
        problems.warning(idle.getFirst().at(), message + String.join(", ", names));
    }
}
