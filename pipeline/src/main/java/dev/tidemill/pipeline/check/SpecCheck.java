package dev.tidemill.pipeline.check;

import dev.tidemill.describe.Nearest;
import dev.tidemill.pipeline.read.Node;
import dev.tidemill.pipeline.read.OptionReader;
import dev.tidemill.pipeline.read.Problems;
import dev.tidemill.pipeline.settings.Address;
import dev.tidemill.pipeline.settings.SettingsReader;
import dev.tidemill.pipeline.spec.InvalidPipelineException;
import dev.tidemill.pipeline.spec.PipelineSpec;
import dev.tidemill.pipeline.spec.PipelineSpec.Dataset;
import dev.tidemill.pipeline.spec.Position;
import dev.tidemill.spi.OptionValues;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Turns the tree of a file into a spec, and says all that is wrong with it. For one file and one thread. */
final class SpecCheck {
    private static final List<String> KEYS =
            List.of("name", "settings", "brokers", "datasets", "transforms", "sql");
    private static final String DEFAULT_BROKERS = "localhost:9092";

    private final String file;
    private final Path directory;
    private final Catalogue catalogue;
    private final Problems problems;
    private final OptionReader options;

    SpecCheck(String file, Path directory, Catalogue catalogue, Problems problems) {
        this.file = file;
        this.directory = directory;
        this.catalogue = catalogue;
        this.problems = problems;
        this.options = new OptionReader(problems);
    }

    PipelineSpec check(
            Node.Table root, Map<String, String> environment, Map<String, Node.Text> overrides)
            throws InvalidPipelineException {
        options.checkKeys("a pipeline file", root, List.of(), KEYS);
        String name = name(root);
        String brokers = brokers(root);
        OptionValues settings =
                new SettingsReader(problems).read(table(root, "settings"), environment, overrides);
        sql(root);
        List<StageDraft> stages = stages(root);
        Node.Table tables = table(root, "datasets");
        Map<String, Node.Entry> entries = tables == null ? Map.of() : tables.entries();
        Flow flow = new Flow(stages, problems);
        deadLetters(entries, flow);
        Map<String, Dataset> datasets = datasets(entries, flow);
        checkInputs(stages, entries.keySet(), flow);
        checkOutputs(entries.keySet(), flow);
        List<StageDraft> ordered = flow.ordered();
        problems.throwIfAny();
        return new PipelineSpec(
                name,
                file,
                directory,
                brokers,
                settings,
                datasets,
                ordered.stream().map(StageDraft::stage).toList(),
                problems.warnings());
    }

    private Node.Table table(Node.Table root, String key) {
        Node node = root.get(key);
        if (node == null || node instanceof Node.Table) {
            return (Node.Table) node;
        }
        problems.error(node.at(), key + " must be a table, found " + node.shown());
        return null;
    }

    private String name(Node.Table root) {
        Node node = root.get("name");
        if (node == null) {
            String stem = stem();
            if (!Names.isPathSegment(stem)) {
                problems.error(
                        Position.of(file),
                        "the file's name cannot be the pipeline's name: give it one with name = \"…\"");
            }
            return stem;
        }
        if (!(node instanceof Node.Text text)) {
            problems.error(node.at(), "name must be a string, found " + node.shown());
            return "";
        }
        if (!Names.isPathSegment(text.value())) {
            problems.error(
                    node.at(),
                    "name must do as the name of a folder: 1 to "
                            + Names.MAX_LENGTH
                            + " characters without / and \\, not . or .., found "
                            + node.shown());
        }
        return text.value();
    }

    private String stem() {
        String last = file.substring(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
        int dot = last.lastIndexOf('.');
        return dot < 0 ? last : last.substring(0, dot);
    }

    private String brokers(Node.Table root) {
        Node.Table table = table(root, "brokers");
        if (table == null) {
            return DEFAULT_BROKERS;
        }
        options.checkKeys("brokers", table, List.of(), List.of("default"));
        Node node = table.get("default");
        if (node == null) {
            return DEFAULT_BROKERS;
        }
        if (node instanceof Node.Text text && areAddresses(text.value())) {
            return text.value();
        }
        problems.error(
                node.at(),
                "brokers.default must be host:port, or several with commas between them, found "
                        + node.shown());
        return DEFAULT_BROKERS;
    }

    private static boolean areAddresses(String list) {
        for (String address : list.split(",", -1)) {
            String host = address.strip();
            if (!host.contains(":") || host.startsWith(":") || !Address.isValid(host)) {
                return false;
            }
        }
        return true;
    }

    private void sql(Node.Table root) {
        Node.Entry sql = root.entries().get("sql");
        if (sql == null) {
            return;
        }
        String both =
                root.has("transforms")
                        ? "sql and transforms exclude each other: keep one. And "
                        : "";
        problems.error(sql.at(), both + "SQL is not in this version yet: say it in [[transforms]]");
    }

    private List<StageDraft> stages(Node.Table root) {
        Node node = root.get("transforms");
        if (node == null) {
            if (!root.has("sql")) {
                problems.error(
                        root.at(), "a pipeline needs at least one stage, a table [[transforms]]");
            }
            return List.of();
        }
        if (!(node instanceof Node.Items items)) {
            problems.error(
                    node.at(),
                    "transforms must be a list of tables, as [[transforms]] makes it, found "
                            + node.shown());
            return List.of();
        }
        if (items.items().isEmpty()) {
            problems.error(
                    node.at(), "a pipeline needs at least one stage, a table [[transforms]]");
        }
        return new StageReader(catalogue, problems).read(items);
    }

    private static void deadLetters(Map<String, Node.Entry> datasets, Flow flow) {
        for (Node.Entry entry : datasets.values()) {
            if (entry.value() instanceof Node.Table table
                    && table.get("deadLetter") instanceof Node.Text text) {
                flow.addDeadLetters(entry.key(), text);
            }
        }
    }

    private Map<String, Dataset> datasets(Map<String, Node.Entry> entries, Flow flow) {
        DatasetReader reader = new DatasetReader(catalogue, flow, problems);
        Map<String, Dataset> out = new LinkedHashMap<>();
        entries.forEach(
                (name, entry) -> reader.read(entry).ifPresent(dataset -> out.put(name, dataset)));
        return out;
    }

    private void checkInputs(List<StageDraft> stages, Set<String> declared, Flow flow) {
        Set<String> known = new LinkedHashSet<>(declared);
        known.addAll(flow.written());
        Set<String> shown = new LinkedHashSet<>(declared);
        shown.addAll(flow.writtenInTheOpen());
        for (StageDraft stage : stages) {
            for (Node.Text input : stage.inputs()) {
                if (!known.contains(input.value())) {
                    problems.error(
                            input.at(),
                            "stage "
                                    + stage.number()
                                    + " reads "
                                    + input.shown()
                                    + ", which no stage writes and which has no table [datasets.…]"
                                    + near(input, shown));
                }
            }
        }
    }

    private void checkOutputs(Set<String> declared, Flow flow) {
        for (String output : flow.written()) {
            if (!flow.isRead(output) && !declared.contains(output)) {
                Node.Text text = flow.firstWritten(output);
                problems.error(
                        text.at(),
                        flow.writerOf(output)
                                + " writes "
                                + text.shown()
                                + ", which no stage reads and which has no table [datasets.…] with a sink"
                                + near(text, declared));
            }
        }
    }

    private static String near(Node.Text text, Set<String> names) {
        if (text.origin() == Node.Origin.SECRET) {
            return "";
        }
        return Nearest.to(text.value(), names)
                .map(name -> "; did you mean \"" + name + "\"?")
                .orElse("");
    }
}
