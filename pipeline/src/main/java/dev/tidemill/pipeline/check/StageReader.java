package dev.tidemill.pipeline.check;

import dev.tidemill.describe.Description;
import dev.tidemill.describe.Nearest;
import dev.tidemill.pipeline.read.Node;
import dev.tidemill.pipeline.read.OptionReader;
import dev.tidemill.pipeline.read.Problems;
import dev.tidemill.pipeline.spec.PipelineSpec;
import dev.tidemill.pipeline.spec.Position;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads {@code [[transforms]]}: each stage for itself, and its steps. */
final class StageReader {
    private static final List<String> KEYS = List.of("inputs", "output", "steps");
    private static final Set<String> JOINS = Set.of("streamJoin", "lookupJoin");
    private static final List<String> SIDE_OUTPUTS = List.of("lateOutput", "errorOutput");

    private final Catalogue catalogue;
    private final Problems problems;
    private final OptionReader options;
    private final StepRules rules;
    private final Map<String, Position> ids = new HashMap<>();

    StageReader(Catalogue catalogue, Problems problems) {
        this.catalogue = catalogue;
        this.problems = problems;
        this.options = new OptionReader(problems);
        this.rules = new StepRules(problems);
    }

    List<StageDraft> read(Node.Items transforms) {
        List<StageDraft> stages = new ArrayList<>();
        for (Node item : transforms.items()) {
            int number = stages.size() + 1;
            if (item instanceof Node.Table table) {
                stages.add(stage(number, table));
            } else {
                problems.error(item.at(), "a stage must be a table, found " + item.shown());
            }
        }
        return stages;
    }

    private StageDraft stage(int number, Node.Table table) {
        String what = "stage " + number;
        Set<String> meant = options.checkKeys(what, table, List.of(), KEYS);
        List<Node> steps = steps(what, table);
        List<Node.Text> inputs =
                meant.contains("inputs")
                        ? List.of()
                        : inputs(what, table, steps.stream().anyMatch(StageReader::isJoin));
        Node.Text output = meant.contains("output") ? null : output(what, table);
        List<PipelineSpec.Step> read = new ArrayList<>();
        List<StageDraft.Side> sides = new ArrayList<>();
        for (int i = 0; i < steps.size(); i++) {
            step(number, i + 1, steps.get(i), sides).ifPresent(read::add);
        }
        checkHeavy(what, read);
        return new StageDraft(number, inputs, output, read, sides, table.at());
    }

    private static boolean isJoin(Node step) {
        return step instanceof Node.Table table
                && table.get("op") instanceof Node.Text op
                && JOINS.contains(op.value());
    }

    private List<Node> steps(String what, Node.Table table) {
        Node node = table.get("steps");
        if (node == null) {
            return List.of();
        }
        if (node instanceof Node.Items items) {
            return items.items();
        }
        problems.error(
                node.at(), "steps of " + what + " must be a list of tables, found " + node.shown());
        return List.of();
    }

    private List<Node.Text> inputs(String what, Node.Table table, boolean joins) {
        Node node = table.get("inputs");
        if (node == null) {
            problems.error(table.at(), what + " needs inputs: a list with the name of a dataset");
            return List.of();
        }
        if (!(node instanceof Node.Items items)) {
            problems.error(
                    node.at(),
                    "inputs of " + what + " must be a list of strings, found " + node.shown());
            return List.of();
        }
        List<Node.Text> out = new ArrayList<>();
        for (Node item : items.items()) {
            if (item instanceof Node.Text text && !text.value().isEmpty()) {
                out.add(text);
            } else {
                problems.error(
                        item.at(),
                        "an input of "
                                + what
                                + " must be the name of a dataset, found "
                                + item.shown());
            }
        }
        if (!joins && items.items().size() != 1) {
            problems.error(
                    node.at(),
                    what
                            + " takes one input, found "
                            + (items.items().isEmpty() ? "none" : items.items().size()));
        }
        return out;
    }

    private Node.Text output(String what, Node.Table table) {
        Node node = table.get("output");
        if (node == null) {
            problems.error(table.at(), what + " needs output: the name of a dataset");
            return null;
        }
        if (node instanceof Node.Text text && !text.value().isEmpty()) {
            return text;
        }
        problems.error(
                node.at(),
                "output of " + what + " must be the name of a dataset, found " + node.shown());
        return null;
    }

    private void checkHeavy(String what, List<PipelineSpec.Step> steps) {
        String first = null;
        for (PipelineSpec.Step step : steps) {
            if (catalogue.isInline(step.op())) {
                continue;
            }
            if (first != null) {
                problems.error(
                        step.at(),
                        what
                                + " has "
                                + first
                                + " already, and only one step of a stage may keep state: put "
                                + step.op()
                                + " into a stage of its own");
            }
            first = step.op();
        }
    }

    private Optional<PipelineSpec.Step> step(
            int stage, int number, Node node, List<StageDraft.Side> sides) {
        if (!(node instanceof Node.Table table)) {
            problems.error(node.at(), "a step must be a table, found " + node.shown());
            return Optional.empty();
        }
        Optional<Description> found = description(table);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        Description description = found.get();
        String op = description.name();
        Set<String> meant = options.checkKeys(op, table, description.options(), List.of("op"));
        OptionReader.Read read = options.read(op, table, description.options(), meant);
        String id = id(table, read, stage + "." + number + "-" + op);
        rules.check(description, table, read, meant);
        for (String option : SIDE_OUTPUTS) {
            if (read.values().has(option) && table.get(option) instanceof Node.Text dataset) {
                sides.add(new StageDraft.Side(option, dataset));
            }
        }
        return Optional.of(
                new PipelineSpec.Step(
                        op, id, read.values(), Map.copyOf(read.places()), table.at()));
    }

    private Optional<Description> description(Node.Table table) {
        Node node = table.get("op");
        if (!(node instanceof Node.Text op)) {
            String found = node == null ? "" : ", found " + node.shown();
            problems.error(
                    node == null ? table.at() : node.at(),
                    "a step needs op: the name of a step" + found);
            return Optional.empty();
        }
        Optional<Description> description = catalogue.step(op.value());
        if (description.isEmpty()) {
            problems.error(op.at(), refusal(op));
        }
        return description;
    }

    private String refusal(Node.Text op) {
        String names = String.join(", ", catalogue.steps());
        if (Catalogue.STEPS_TO_COME.contains(op.value())) {
            return "the step " + op.shown() + " is not in this version yet, which has " + names;
        }
        List<String> all = new ArrayList<>(catalogue.steps());
        all.addAll(Catalogue.STEPS_TO_COME);
        String near =
                op.origin() == Node.Origin.SECRET
                        ? "; there are "
                        : Nearest.to(op.value(), all)
                                .map(name -> "; did you mean \"" + name + "\"? There are ")
                                .orElse("; there are ");
        return "unknown step " + op.shown() + near + names;
    }

    private String id(Node.Table table, OptionReader.Read read, String otherwise) {
        String id = read.values().string("id").orElse(otherwise);
        Position at = read.places().getOrDefault("id", table.at());
        Position before = ids.putIfAbsent(id, at);
        if (before != null) {
            problems.error(
                    at, "another step has this id, in line " + before.line() + ": ids must differ");
        }
        if (read.values().has("id") && !Names.isName(id)) {
            problems.error(
                    at,
                    "id must be 1 to "
                            + Names.MAX_LENGTH
                            + " characters without control characters");
        }
        return id;
    }
}
