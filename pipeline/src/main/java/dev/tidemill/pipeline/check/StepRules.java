package dev.tidemill.pipeline.check;

import dev.tidemill.describe.Description;
import dev.tidemill.describe.Option;
import dev.tidemill.describe.OptionType;
import dev.tidemill.expr.Expression;
import dev.tidemill.expr.ExpressionException;
import dev.tidemill.operators.WindowedAggregateSpec;
import dev.tidemill.pipeline.read.Node;
import dev.tidemill.pipeline.read.OptionReader;
import dev.tidemill.pipeline.read.Problems;
import dev.tidemill.pipeline.spec.Position;
import dev.tidemill.spi.OptionValues;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a step's options must be beyond their types: expressions, and rules between options. */
final class StepRules {
    private static final long DAY_MS = 86_400_000;

    private final Problems problems;

    StepRules(Problems problems) {
        this.problems = problems;
    }

    /** @param meant options that are there under a misspelt key */
    void check(Description step, Node.Table table, OptionReader.Read read, Set<String> meant) {
        for (Option option : step.options()) {
            if (option.type() == OptionType.EXPRESSION
                    && table.get(option.name()) instanceof Node.Text text
                    && !text.value().isEmpty()) {
                expression(option.name(), text);
            }
        }
        Places places = new Places(read.places(), table.at());
        errorOutput(read.values(), places);
        switch (step.name()) {
            case "select" -> select(read.values(), places);
            case "rename" -> rename(read.values(), places);
            case "windowedAggregate" -> windows(table, read.values(), places, meant);
            default -> {}
        }
    }

    /** Where an option stands, or else its step. */
    private record Places(Map<String, Position> places, Position step) {
        Position of(String option) {
            return places.getOrDefault(option, step);
        }

        boolean has(String option) {
            return places.containsKey(option);
        }
    }

    private void expression(String name, Node.Text text) {
        try {
            for (String warning : Expression.parse(text.value()).warnings()) {
                problems.warning(text.at(), name + ": " + warning);
            }
        } catch (ExpressionException e) {
            String where =
                    text.content() == null ? " (at character " + (e.position() + 1) + ")" : "";
            problems.error(text.place(e.position()), name + ": " + e.getMessage() + where);
        }
    }

    private void errorOutput(OptionValues values, Places places) {
        if (places.has("errorOutput") && values.string("onError").orElse("").equals("fail")) {
            problems.error(
                    places.of("errorOutput"),
                    "errorOutput gets no rows when onError is \"fail\": keep one of the two");
        }
    }

    private void select(OptionValues values, Places places) {
        if (values.has("columns") && values.strings("columns").isEmpty()) {
            problems.error(places.of("columns"), "columns must name at least one column");
        }
        distinct("columns", values.strings("columns"), places);
    }

    private void distinct(String option, List<String> names, Places places) {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < names.size(); i++) {
            if (!seen.add(names.get(i))) {
                problems.error(
                        places.of(option + "[" + i + "]"), option + " has this column twice");
            }
        }
    }

    private void rename(OptionValues values, Places places) {
        Map<String, String> olds = new HashMap<>();
        values.map("mapping")
                .forEach(
                        (old, target) -> {
                            Position at = places.of("mapping." + old);
                            if (target.isEmpty()) {
                                problems.error(at, "mapping." + old + " must not be empty");
                                return;
                            }
                            String before = olds.putIfAbsent(target, old);
                            if (before != null) {
                                problems.error(
                                        at,
                                        "two columns would get one name: "
                                                + before
                                                + " and "
                                                + old);
                            }
                        });
    }

    private void windows(Node.Table table, OptionValues values, Places places, Set<String> meant) {
        if (!meant.contains("timeColumn") && !meant.contains("ingestTime")) {
            time(values, places);
        }
        lengths(table, values, places);
        zone(table, values, places);
        emit(values, places);
        skew(values, places);
        distinct("groupBy", values.strings("groupBy"), places);
        outputNames(values, places);
    }

    private void time(OptionValues values, Places places) {
        boolean ingest = values.has("ingestTime") && values.requireBool("ingestTime");
        if (ingest && places.has("timeColumn")) {
            problems.error(
                    places.of("ingestTime"),
                    "timeColumn and ingestTime exclude each other: keep one");
        } else if (!ingest
                && !places.has("timeColumn")
                && !(places.has("ingestTime") && !values.has("ingestTime"))) {
            problems.error(
                    places.of("ingestTime"),
                    "windowedAggregate needs a time: timeColumn, or ingestTime = true");
        }
        values.string("timeColumn")
                .filter(String::isEmpty)
                .ifPresent(
                        _ ->
                                problems.error(
                                        places.of("timeColumn"), "timeColumn must not be empty"));
    }

    private void lengths(Node.Table table, OptionValues values, Places places) {
        if (!values.has("windowMs") || !values.has("slideMs")) {
            return;
        }
        if (values.requireLong("slideMs") > values.requireLong("windowMs")) {
            problems.error(
                    places.of("slideMs"),
                    "slideMs must be at most windowMs, which is "
                            + table.get("windowMs").shown()
                            + ", found "
                            + table.get("slideMs").shown()
                            + ": rows between windows would be lost");
        }
    }

    private void zone(Node.Table table, OptionValues values, Places places) {
        if (!values.has("timezone")) {
            return;
        }
        try {
            ZoneId.of(values.requireString("timezone"));
        } catch (DateTimeException e) {
            problems.error(
                    places.of("timezone"),
                    "timezone must be the name of a time zone such as \"Europe/Berlin\" or \"UTC\"");
        }
        fitsDays("windowMs", table, values, places);
        fitsDays("slideMs", table, values, places);
    }

    private void fitsDays(String option, Node.Table table, OptionValues values, Places places) {
        if (!values.has(option)) {
            return;
        }
        long length = values.requireLong(option);
        if (length % DAY_MS != 0 && DAY_MS % length != 0) {
            problems.error(
                    places.of(option),
                    option
                            + " with a timezone must be whole days or divide a day, found "
                            + table.get(option).shown());
        }
    }

    private void emit(OptionValues values, Places places) {
        if (values.table("emit")
                .filter(emit -> emit.has("everyRows") && emit.has("everyMs"))
                .isPresent()) {
            problems.error(
                    places.of("emit"), "emit takes one of everyRows and everyMs, found both");
        }
    }

    private void skew(OptionValues values, Places places) {
        if (values.string("onFutureSkew").orElse("").equals("deadLetter")
                && !places.has("errorOutput")) {
            problems.error(
                    places.of("onFutureSkew"),
                    "onFutureSkew = \"deadLetter\" needs errorOutput, where such rows go");
        }
        if (places.has("onFutureSkew") && !places.has("maxFutureSkewMs")) {
            problems.error(
                    places.of("onFutureSkew"),
                    "onFutureSkew needs maxFutureSkewMs, without which no row is too far ahead");
        }
    }

    /** The columns of the result must have names of their own. */
    private void outputNames(OptionValues values, Places places) {
        Map<String, String> taken = new HashMap<>();
        taken.put(WindowedAggregateSpec.WINDOW_START, "the window's start");
        taken.put(WindowedAggregateSpec.WINDOW_END, "the window's end");
        List<String> groups = values.strings("groupBy");
        for (int i = 0; i < groups.size(); i++) {
            String before = taken.putIfAbsent(groups.get(i), "a group column");
            if (before != null && !before.equals("a group column")) {
                problems.error(
                        places.of("groupBy[" + i + "]"),
                        "groupBy has the name of "
                                + before
                                + ", "
                                + groups.get(i)
                                + ": rename the column before");
            }
        }
        List<OptionValues> aggregates = values.tables("aggs");
        for (int i = 0; i < aggregates.size(); i++) {
            aggregate("aggs[" + i + "]", aggregates.get(i), taken, places);
        }
    }

    private void aggregate(
            String path, OptionValues values, Map<String, String> taken, Places places) {
        String op = values.string("op").orElse("count");
        if (!places.has(path + ".column") && !op.equals("count")) {
            problems.error(
                    places.of(path), path + " needs column: " + op + " is taken of a column");
        }
        if (!values.has("alias")) {
            return;
        }
        String before = taken.putIfAbsent(values.requireString("alias"), "another aggregate");
        if (before != null) {
            problems.error(
                    places.of(path + ".alias"),
                    path
                            + ".alias has the name of "
                            + before
                            + ": results need names of their own");
        }
    }
}
