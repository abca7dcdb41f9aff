package dev.tidemill.pipeline.plan;

import dev.tidemill.data.DataType;
import dev.tidemill.data.Schema;
import dev.tidemill.describe.Nearest;
import dev.tidemill.expr.Expression;
import dev.tidemill.operators.AggregateKind;
import dev.tidemill.operators.AggregateSpec;
import dev.tidemill.operators.ApplyExpression;
import dev.tidemill.operators.Filter;
import dev.tidemill.operators.Projection;
import dev.tidemill.operators.Transform;
import dev.tidemill.operators.WindowSpec;
import dev.tidemill.operators.WindowedAggregateSpec;
import dev.tidemill.operators.window.WindowedAggregate;
import dev.tidemill.pipeline.spec.PipelineSpec.Step;
import dev.tidemill.pipeline.spec.Position;
import dev.tidemill.pipeline.spec.Problem;
import dev.tidemill.runtime.Dataflow.SidePort;
import dev.tidemill.runtime.Dataflow.TimeSpec;
import dev.tidemill.spi.Notices;
import dev.tidemill.spi.OptionValues;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;

/** What the steps of a file are for the engine, and what can be said of them once the columns are known. */
final class Steps {
    private static final String INGEST_TIME = Schema.ENGINE_PREFIX + "ingest";

    private final OptionValues settings;
    private final Set<Step> broken = new HashSet<>();
    private final Set<String> warned = new HashSet<>();

    Steps(OptionValues settings) {
        this.settings = settings;
    }

    Supplier<Transform> transform(Step step) {
        OptionValues options = step.options();
        return switch (step.op()) {
            case "select" -> () -> Projection.select(options.strings("columns"));
            case "drop" -> () -> Projection.drop(Set.copyOf(options.strings("columns")));
            case "rename" -> () -> Projection.rename(options.map("mapping"));
            case "filter" -> {
                Expression expression = Columns.expression(step);
                yield () -> new Filter(expression);
            }
            case "applyExpression" -> {
                Expression expression = Columns.expression(step);
                yield () -> new ApplyExpression(options.requireString("column"), expression);
            }
            default -> throw new IllegalStateException(step.op());
        };
    }

    WindowedAggregateSpec windows(Step step, boolean rowKeys) {
        OptionValues options = step.options();
        long size = options.requireLong("windowMs");
        WindowSpec window =
                new WindowSpec(
                        size,
                        options.integer("slideMs").orElse(size),
                        options.requireLong("offsetMs"),
                        options.string("timezone").map(ZoneId::of).orElse(null));
        List<AggregateSpec> aggregates = new ArrayList<>();
        for (OptionValues aggregate : options.tables("aggs")) {
            aggregates.add(
                    new AggregateSpec(
                            AggregateKind.byLabel(aggregate.requireString("op")).orElseThrow(),
                            aggregate.string("column").orElse(null),
                            aggregate.requireString("alias")));
        }
        return new WindowedAggregateSpec(
                step.id(),
                options.string("timeColumn").orElse(INGEST_TIME),
                window,
                options.strings("groupBy"),
                aggregates,
                options.requireLong("allowedLatenessMs"),
                options.requireLong("correctForMs"),
                options.table("emit").flatMap(emit -> emit.integer("everyRows")).orElse(0L),
                options.table("emit").flatMap(emit -> emit.integer("everyMs")).orElse(0L),
                rowKeys,
                options.string("lateOutput").isPresent());
    }

    TimeSpec time(Step step, Planner.Stream stream, SidePort side) {
        OptionValues options = step.options();
        boolean ingest = options.requireBool("ingestTime");
        String column = ingest ? INGEST_TIME : options.requireString("timeColumn");
        TimeSpec.Mode mode =
                ingest
                        ? TimeSpec.Mode.INGEST
                        : stream.inheritedTimes().contains(column)
                                ? TimeSpec.Mode.INHERITED
                                : TimeSpec.Mode.ROWS;
        OptionalLong skew =
                options.integer("maxFutureSkewMs")
                        .map(OptionalLong::of)
                        .orElse(OptionalLong.empty());
        return new TimeSpec(
                step.id(),
                mode,
                column,
                TimeSpec.Unit.valueOf(options.requireString("timeUnit").toUpperCase(Locale.ROOT)),
                options.integer("idleTimeoutMs").orElse(settings.requireLong("idleTimeoutMs")),
                skew,
                skewPolicy(options.requireString("onFutureSkew")),
                stream.synthetic(),
                side);
    }

    private static TimeSpec.SkewPolicy skewPolicy(String word) {
        return switch (word) {
            case "clamp" -> TimeSpec.SkewPolicy.CLAMP;
            case "deadLetter" -> TimeSpec.SkewPolicy.DEAD_LETTER;
            default -> TimeSpec.SkewPolicy.DROP;
        };
    }

    /** Whether a problem was found that leaves nothing to say of what comes behind. */
    boolean isBroken(Step step) {
        return broken.contains(step);
    }

    /** @param known the names of all columns there, wanted by anyone or not */
    void check(
            Step step,
            Planner.Stream stream,
            Set<String> known,
            List<Problem> problems,
            Notices notices) {
        int before = problems.size();
        OptionValues options = step.options();
        switch (step.op()) {
            case "select" ->
                    named(
                            step,
                            "columns",
                            options.strings("columns"),
                            stream,
                            known,
                            problems,
                            notices);
            case "filter" -> {
                Expression expression = Columns.expression(step);
                read(step, expression, stream, known, problems, notices);
                if (!expression.bind(stream.schema()).canBeBoolean()) {
                    problems.add(
                            new Problem(
                                    step.place("expression"),
                                    "a filter needs a boolean, and this is "
                                            + expression.bind(stream.schema()).type()));
                }
            }
            case "applyExpression" ->
                    read(step, Columns.expression(step), stream, known, problems, notices);
            case "rename" -> rename(step, stream, problems);
            case "windowedAggregate" -> windows(step, stream, known, problems, notices);
            default -> {}
        }
        if (problems.size() > before && step.op().equals("rename")) {
            broken.add(step);
        }
    }

    private void named(
            Step step,
            String option,
            List<String> names,
            Planner.Stream stream,
            Set<String> known,
            List<Problem> problems,
            Notices notices) {
        for (int i = 0; i < names.size(); i++) {
            column(
                    step.place(option + "[" + i + "]"),
                    names.get(i),
                    stream,
                    known,
                    problems,
                    notices);
        }
    }

    private void read(
            Step step,
            Expression expression,
            Planner.Stream stream,
            Set<String> known,
            List<Problem> problems,
            Notices notices) {
        for (String name : expression.columns()) {
            column(step.place("expression"), name, stream, known, problems, notices);
        }
    }

    /** A column that is not there is an error where all columns are known, else worth a word. */
    private void column(
            Position at,
            String name,
            Planner.Stream stream,
            Set<String> known,
            List<Problem> problems,
            Notices notices) {
        if (stream.schema().indexOf(name) >= 0 || Schema.isEngineColumn(name)) {
            return;
        }
        if (stream.schemaIsKnown() && !known.contains(name)) {
            String nearest =
                    Nearest.to(name, known)
                            .map(candidate -> "; did you mean " + candidate + "?")
                            .orElse(".");
            problems.add(
                    new Problem(
                            at,
                            "there is no column "
                                    + name
                                    + " here"
                                    + nearest
                                    + " The columns are "
                                    + String.join(", ", visible(known))));
        } else if (!stream.schemaIsKnown() && !known.isEmpty() && warned.add(at + name)) {
            String nearest =
                    Nearest.to(name, known)
                            .map(candidate -> " (the nearest is " + candidate + ")")
                            .orElse("");
            notices.warn(
                    at
                            + ": no column "
                            + name
                            + " has been seen yet"
                            + nearest
                            + "; until it comes it reads as null");
        }
    }

    private static List<String> visible(Set<String> names) {
        return names.stream().filter(name -> !Schema.isEngineColumn(name)).toList();
    }

    private static void rename(Step step, Planner.Stream stream, List<Problem> problems) {
        Map<String, String> mapping = step.options().map("mapping");
        mapping.forEach(
                (old, name) -> {
                    boolean taken =
                            stream.schema().indexOf(name) >= 0 && !mapping.containsKey(name);
                    if (taken && stream.schema().indexOf(old) >= 0 && !old.equals(name)) {
                        problems.add(
                                new Problem(
                                        step.place("mapping." + old),
                                        "the name "
                                                + name
                                                + " is taken by another column: rename or drop that one as well"));
                    }
                });
    }

    private void windows(
            Step step,
            Planner.Stream stream,
            Set<String> known,
            List<Problem> problems,
            Notices notices) {
        OptionValues options = step.options();
        named(step, "groupBy", options.strings("groupBy"), stream, known, problems, notices);
        options.string("timeColumn")
                .ifPresent(
                        name -> {
                            Position at = step.place("timeColumn");
                            column(at, name, stream, known, problems, notices);
                            int index = stream.schema().indexOf(name);
                            if (index >= 0 && !canBeTime(stream.schema().type(index))) {
                                problems.add(
                                        new Problem(
                                                at,
                                                "timeColumn "
                                                        + name
                                                        + " is "
                                                        + stream.schema().type(index)
                                                        + ": a time is a number, a timestamp, a date or text of a whole number; epochMs(text) makes one of RFC 3339"));
                            }
                        });
        WindowedAggregateSpec windows = windows(step, false);
        for (int i = 0; i < windows.aggregates().size(); i++) {
            AggregateSpec aggregate = windows.aggregates().get(i);
            if (aggregate.column() == null) {
                continue;
            }
            Position at =
                    step.places()
                            .getOrDefault("aggs[" + i + "].column", step.place("aggs[" + i + "]"));
            column(at, aggregate.column(), stream, known, problems, notices);
            String refusal = WindowedAggregate.refusal(aggregate, stream.schema());
            if (refusal != null && stream.schemaIsKnown()) {
                problems.add(new Problem(at, refusal));
            } else if (refusal != null && warned.add(at + refusal)) {
                notices.warn(at + ": " + refusal);
            }
        }
    }

    private static boolean canBeTime(DataType type) {
        return type.isNumeric()
                || type.isTemporal()
                || type instanceof DataType.Utf8
                || type instanceof DataType.Null
                || type instanceof DataType.Json;
    }

    /** The columns among {@code times} that are the same after a step. */
    Set<String> timesAfter(Step step, Set<String> times) {
        Set<String> after = new LinkedHashSet<>(times);
        switch (step.op()) {
            case "applyExpression" -> after.remove(step.options().requireString("column"));
            case "rename" -> {
                Map<String, String> mapping = step.options().map("mapping");
                after.removeAll(mapping.values());
                mapping.forEach(
                        (old, name) -> {
                            if (times.contains(old)) {
                                after.remove(old);
                                after.add(name);
                            }
                        });
            }
            default -> {}
        }
        return after;
    }

    /** The columns that there are after a step. */
    Set<String> namesAfter(Step step, Set<String> names) {
        OptionValues options = step.options();
        Set<String> after = new LinkedHashSet<>(names);
        switch (step.op()) {
            case "select" -> {
                return new LinkedHashSet<>(options.strings("columns"));
            }
            case "drop" -> after.removeAll(options.strings("columns"));
            case "applyExpression" -> after.add(options.requireString("column"));
            case "rename" -> {
                Map<String, String> mapping = options.map("mapping");
                after.removeAll(mapping.keySet());
                mapping.forEach(
                        (old, name) -> {
                            if (names.contains(old)) {
                                after.add(name);
                            }
                        });
            }
            default -> {}
        }
        return after;
    }
}
