package dev.tidemill.pipeline.plan;

import dev.tidemill.expr.Expression;
import dev.tidemill.expr.ExpressionException;
import dev.tidemill.pipeline.spec.PipelineSpec;
import dev.tidemill.pipeline.spec.PipelineSpec.Stage;
import dev.tidemill.pipeline.spec.PipelineSpec.Step;
import dev.tidemill.spi.OptionValues;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Which columns of a dataset its readers look at, found by going through their steps from the end. An empty answer stands for all columns. */
final class Columns {
    private final PipelineSpec spec;

    Columns(PipelineSpec spec) {
        this.spec = spec;
    }

    Optional<Set<String>> neededOf(String dataset) {
        PipelineSpec.Dataset declared = spec.datasets().get(dataset);
        if (declared != null && declared.sink() != null) {
            return Optional.empty();
        }
        Set<String> needed = new LinkedHashSet<>();
        for (Stage stage : spec.stages()) {
            if (!stage.inputs().contains(dataset)) {
                continue;
            }
            Optional<Set<String>> ofStage = neededBy(stage);
            if (ofStage.isEmpty()) {
                return Optional.empty();
            }
            needed.addAll(ofStage.get());
        }
        return Optional.of(needed);
    }

    private Optional<Set<String>> neededBy(Stage stage) {
        Optional<Set<String>> needed = neededOf(stage.output());
        for (Step step : stage.steps().reversed()) {
            needed = before(step, needed);
        }
        return needed;
    }

    private static Optional<Set<String>> before(Step step, Optional<Set<String>> after) {
        OptionValues options = step.options();
        // Rows on the side are whole rows.
        if (options.string("errorOutput").isPresent() || options.string("lateOutput").isPresent()) {
            return Optional.empty();
        }
        return switch (step.op()) {
            case "select" -> Optional.of(new LinkedHashSet<>(options.strings("columns")));
            case "filter" -> plus(after, expression(step).columns());
            case "applyExpression" -> {
                Optional<Set<String>> others =
                        without(after, Set.of(options.requireString("column")));
                yield plus(others, expression(step).columns());
            }
            case "drop" -> without(after, Set.copyOf(options.strings("columns")));
            case "rename" -> after.map(names -> oldNames(names, options.map("mapping")));
            case "windowedAggregate" -> Optional.of(aggregated(options));
            default -> throw new IllegalStateException(step.op());
        };
    }

    /** The expression of a step that has been checked. */
    static Expression expression(Step step) {
        try {
            return Expression.parse(step.options().requireString("expression"));
        } catch (ExpressionException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Optional<Set<String>> plus(Optional<Set<String>> names, Set<String> more) {
        return names.map(
                set -> {
                    Set<String> all = new LinkedHashSet<>(set);
                    all.addAll(more);
                    return all;
                });
    }

    private static Optional<Set<String>> without(Optional<Set<String>> names, Set<String> gone) {
        return names.map(
                set -> {
                    Set<String> rest = new LinkedHashSet<>(set);
                    rest.removeAll(gone);
                    return rest;
                });
    }

    private static Set<String> oldNames(Set<String> names, Map<String, String> mapping) {
        Set<String> olds = new LinkedHashSet<>(names);
        olds.removeAll(mapping.values());
        mapping.forEach(
                (old, name) -> {
                    if (names.contains(name)) {
                        olds.add(old);
                    }
                });
        // A new name that no old column takes stays what it was.
        names.stream().filter(name -> mapping.containsValue(name)).forEach(olds::add);
        return olds;
    }

    private static Set<String> aggregated(OptionValues options) {
        Set<String> needed = new LinkedHashSet<>(options.strings("groupBy"));
        options.string("timeColumn").ifPresent(needed::add);
        for (OptionValues aggregate : options.tables("aggs")) {
            aggregate.string("column").ifPresent(needed::add);
        }
        return needed;
    }

    /** The order of stages that read a dataset. */
    List<Stage> readersOf(String dataset) {
        return spec.stages().stream().filter(stage -> stage.inputs().contains(dataset)).toList();
    }
}
