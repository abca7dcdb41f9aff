package dev.tidemill.pipeline.check;

import dev.tidemill.describe.Nearest;
import dev.tidemill.pipeline.read.Node;
import dev.tidemill.pipeline.read.Problems;
import dev.tidemill.pipeline.spec.Position;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code KEY=VALUE} of the command line: settings, {@code name}, {@code brokers.default} and {@code datasets.NAME.OPTION}. The last of equal keys counts. */
final class Overrides {
    private static final String DATASETS = "datasets.";

    private final Map<String, Node.Text> settings = new LinkedHashMap<>();
    private final Map<String, Node.Text> file = new LinkedHashMap<>();
    private final Problems problems;

    private Overrides(Problems problems) {
        this.problems = problems;
    }

    static Overrides of(List<String> texts, Problems problems) {
        Overrides overrides = new Overrides(problems);
        texts.forEach(overrides::add);
        return overrides;
    }

    private void add(String text) {
        int equals = text.indexOf('=');
        if (equals <= 0) {
            problems.error(
                    Position.of("--set"),
                    "expected KEY=VALUE, found " + (equals < 0 ? "no =" : "no key before ="));
            return;
        }
        String key = text.substring(0, equals).strip();
        Node.Text value =
                new Node.Text(
                        Position.of("--set " + key),
                        text.substring(equals + 1),
                        Node.Origin.OUTSIDE);
        boolean ofFile =
                key.equals("name") || key.equals("brokers.default") || key.startsWith(DATASETS);
        (ofFile ? file : settings).put(key, value);
    }

    /** By the spelling on the command line. */
    Map<String, Node.Text> settings() {
        return settings;
    }

    Node.Table apply(Node.Table table) {
        Node.Table out = table;
        for (Map.Entry<String, Node.Text> override : file.entrySet()) {
            List<String> path = path(out, override.getKey(), override.getValue().at());
            out = path.isEmpty() ? out : put(out, path, override.getValue());
        }
        return out;
    }

    /** Empty when there is no such place. */
    private List<String> path(Node.Table table, String key, Position at) {
        if (!key.startsWith(DATASETS)) {
            return List.of(key.split("\\."));
        }
        String rest = key.substring(DATASETS.length());
        List<String> names =
                table.get("datasets") instanceof Node.Table datasets
                        ? List.copyOf(datasets.entries().keySet())
                        : List.of();
        String dataset = longestBefore(rest, names);
        if (dataset == null) {
            String word = rest.contains(".") ? rest.substring(0, rest.indexOf('.')) : rest;
            String near =
                    Nearest.to(word, names)
                            .map(name -> "; did you mean \"" + name + "\"?")
                            .orElse("");
            problems.error(
                    at,
                    "expected datasets.NAME.OPTION with a dataset of the file, found \""
                            + word
                            + "\""
                            + near);
            return List.of();
        }
        List<String> path = new ArrayList<>(List.of("datasets", dataset));
        String option = rest.substring(dataset.length() + 1);
        int dot = option.indexOf('.');
        path.add(dot < 0 ? option : option.substring(0, dot));
        if (dot >= 0) {
            path.add(option.substring(dot + 1));
        }
        return path;
    }

    private static String longestBefore(String rest, List<String> names) {
        String found = null;
        for (String name : names) {
            boolean longer = found == null || name.length() > found.length();
            if (longer && rest.startsWith(name + ".") && rest.length() > name.length() + 1) {
                found = name;
            }
        }
        return found;
    }

    private static Node.Table put(Node.Table table, List<String> path, Node.Text value) {
        String key = path.getFirst();
        Map<String, Node.Entry> entries = new LinkedHashMap<>(table.entries());
        Node inner =
                path.size() == 1
                        ? value
                        : put(
                                table(table.get(key), value.at()),
                                path.subList(1, path.size()),
                                value);
        entries.put(key, new Node.Entry(key, value.at(), inner));
        return new Node.Table(table.at(), entries);
    }

    private static Node.Table table(Node node, Position at) {
        return node instanceof Node.Table table ? table : new Node.Table(at, Map.of());
    }
}
