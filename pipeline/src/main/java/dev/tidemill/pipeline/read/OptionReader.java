package dev.tidemill.pipeline.read;

import dev.tidemill.describe.Nearest;
import dev.tidemill.describe.Option;
import dev.tidemill.describe.OptionType;
import dev.tidemill.pipeline.spec.Position;
import dev.tidemill.spi.OptionValues;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Reads a table as the options that a description allows: unknown keys, missing ones, types, ranges, choices. All problems are collected. */
public final class OptionReader {
    private static final List<String> SECRET_NAMES =
            List.of("url", "uri", "headers", "properties", "subscribe");
    private static final List<String> SECRET_PARTS =
            List.of("password", "secret", "token", "credential");
    private static final double EXACT = 1L << 53;

    private final Problems problems;

    public OptionReader(Problems problems) {
        this.problems = problems;
    }

    /**
     * What was read.
     *
     * @param values defaults filled in; wrong ones left out
     * @param places of each given value, nested as {@code emit.everyMs} and {@code aggs[0].column}
     * @param valid  whether nothing is wrong
     */
    public record Read(OptionValues values, Map<String, Position> places, boolean valid) {}

    /** Whether a value must not be shown, by the name of its option. */
    public static boolean isSecret(String option) {
        String name = option.toLowerCase(Locale.ROOT);
        return SECRET_NAMES.contains(name) || SECRET_PARTS.stream().anyMatch(name::contains);
    }

    /**
     * Refuses keys that neither an option nor {@code others} have.
     *
     * @param what whose keys they are, for the message
     * @return the names that were probably meant; that these are missing is not worth another message
     */
    public Set<String> checkKeys(
            String what, Node.Table table, Collection<Option> options, Collection<String> others) {
        Set<String> known = new LinkedHashSet<>(others);
        options.forEach(option -> known.add(option.name()));
        Set<String> old =
                options.stream().flatMap(o -> o.oldNames().stream()).collect(Collectors.toSet());
        Set<String> absent = new LinkedHashSet<>(known);
        absent.removeAll(table.entries().keySet());
        Set<String> meant = new HashSet<>();
        for (Node.Entry entry : table.entries().values()) {
            if (!known.contains(entry.key()) && !old.contains(entry.key())) {
                Optional<String> near = Nearest.to(entry.key(), absent);
                near.ifPresent(meant::add);
                problems.error(
                        entry.at(),
                        what
                                + " has no key "
                                + Node.Text.quote(entry.key())
                                + suggestion(near, known));
            }
        }
        return meant;
    }

    private static String suggestion(Optional<String> near, Collection<String> names) {
        return near.map(name -> "; did you mean \"" + name + "\"? It").orElse("; it")
                + " takes "
                + String.join(", ", names);
    }

    /**
     * Reads the options of a table; keys that are none of them are left alone.
     *
     * @param excused options whose absence is no error
     */
    public Read read(String what, Node.Table table, List<Option> options, Set<String> excused) {
        int before = problems.errorCount();
        Map<String, Position> places = new LinkedHashMap<>();
        OptionValues values = values(what, table, options, excused, "", places);
        return new Read(values, places, problems.errorCount() == before);
    }

    private OptionValues values(
            String what,
            Node.Table table,
            List<Option> options,
            Set<String> excused,
            String path,
            Map<String, Position> places) {
        Map<String, Object> values = new LinkedHashMap<>();
        for (Option option : options) {
            Node node = given(table, option);
            if (node == null) {
                absent(what, table, option, excused, values);
                continue;
            }
            places.put(path + option.name(), node.at());
            Object value = value(option, node, path + option.name(), places);
            if (value != null) {
                values.put(option.name(), value);
            }
        }
        return new OptionValues(values);
    }

    private void absent(
            String what,
            Node.Table table,
            Option option,
            Set<String> excused,
            Map<String, Object> values) {
        if (option.defaultValue() != null) {
            values.put(option.name(), defaultOf(option));
        } else if (option.required() && !excused.contains(option.name())) {
            problems.error(table.at(), what + " needs " + option.name() + ": " + wanted(option));
        }
    }

    /** The value under the present or an old name. */
    private Node given(Node.Table table, Option option) {
        Node node = table.get(option.name());
        for (String old : option.oldNames()) {
            Node.Entry entry = table.entries().get(old);
            if (entry == null) {
                continue;
            }
            if (node != null) {
                problems.error(
                        entry.at(),
                        Node.Text.quote(old)
                                + " is an old name of "
                                + option.name()
                                + ", which is there too: keep one");
                continue;
            }
            problems.warning(
                    entry.at(), Node.Text.quote(old) + " is an old name: write " + option.name());
            node = entry.value();
        }
        return node;
    }

    /** A default in the type of its option. */
    public static Object defaultOf(Option option) {
        String text = option.defaultValue();
        return switch (option.type()) {
            case STRING, CHOICE, EXPRESSION -> text;
            case INT, DURATION_MS, BYTES -> Long.valueOf(text);
            case FLOAT -> Double.valueOf(text);
            case BOOL -> Boolean.valueOf(text);
            case STRING_LIST, STRING_MAP, TABLE, TABLE_LIST, FREE_TABLE ->
                    throw new IllegalArgumentException(
                            option.name() + ": a " + option.type().label() + " has no default");
        };
    }

    /**
     * The value of one option, or null when it is wrong.
     *
     * @param path   how messages name it
     * @param places receives the places of nested values
     */
    public Object value(Option option, Node node, String path, Map<String, Position> places) {
        return switch (option.type()) {
            case STRING, EXPRESSION -> text(option, node, path);
            case CHOICE -> choice(option, node, path);
            case INT, DURATION_MS, BYTES -> whole(option, node, path);
            case FLOAT -> decimal(option, node, path);
            case BOOL -> flag(option, node, path);
            case STRING_LIST -> strings(option, node, path, places);
            case STRING_MAP -> map(option, node, path, places, this::written);
            case FREE_TABLE -> map(option, node, path, places, OptionReader::scalar);
            case TABLE -> table(option, node, path, places);
            case TABLE_LIST -> tables(option, node, path, places);
        };
    }

    private String text(Option option, Node node, String path) {
        if (!(node instanceof Node.Text text)) {
            return wrong(option, node, path);
        }
        if (text.value().isEmpty() && option.required()) {
            problems.error(node.at(), path + " must not be empty");
            return null;
        }
        return text.value();
    }

    private String choice(Option option, Node node, String path) {
        if (!(node instanceof Node.Text text)) {
            return wrong(option, node, path);
        }
        if (option.choices().contains(text.value())) {
            return text.value();
        }
        String near =
                text.origin() == Node.Origin.SECRET
                        ? ""
                        : Nearest.to(text.value(), option.choices())
                                .map(name -> "; did you mean \"" + name + "\"?")
                                .orElse("");
        problems.error(
                node.at(),
                path
                        + " must be "
                        + wanted(option)
                        + ", found "
                        + found(option.name(), node)
                        + near);
        return null;
    }

    private Long whole(Option option, Node node, String path) {
        Long value = wholeOf(node);
        if (value == null) {
            return wrong(option, node, path);
        }
        boolean tooLow = option.min().isPresent() && value < option.min().getAsLong();
        boolean tooHigh = option.max().isPresent() && value > option.max().getAsLong();
        if (tooLow || tooHigh) {
            problems.error(
                    node.at(),
                    path + " must be " + range(option) + ", found " + found(option.name(), node));
            return null;
        }
        return value;
    }

    private static Long wholeOf(Node node) {
        if (node instanceof Node.Whole whole) {
            return whole.value();
        }
        if (node instanceof Node.Decimal decimal
                && decimal.value() == Math.rint(decimal.value())
                && Math.abs(decimal.value()) <= EXACT) {
            return (long) decimal.value();
        }
        return isFromOutside(node) ? parsed(((Node.Text) node).value(), Long::valueOf) : null;
    }

    /** Text that may stand for a number or a switch. */
    private static boolean isFromOutside(Node node) {
        return node instanceof Node.Text text && text.origin() != Node.Origin.FILE;
    }

    private static String range(Option option) {
        if (option.min().isEmpty()) {
            return "at most " + option.max().getAsLong();
        }
        if (option.max().isEmpty()) {
            return "at least " + option.min().getAsLong();
        }
        return "from " + option.min().getAsLong() + " to " + option.max().getAsLong();
    }

    private Double decimal(Option option, Node node, String path) {
        Double value = decimalOf(node);
        return value == null ? wrong(option, node, path) : value;
    }

    private static Double decimalOf(Node node) {
        if (node instanceof Node.Whole whole) {
            return (double) whole.value();
        }
        if (node instanceof Node.Decimal decimal) {
            return decimal.value();
        }
        return isFromOutside(node) ? parsed(((Node.Text) node).value(), Double::valueOf) : null;
    }

    private static <T> T parsed(String text, Function<String, T> parser) {
        try {
            return parser.apply(text.strip());
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private Boolean flag(Option option, Node node, String path) {
        if (node instanceof Node.Flag flag) {
            return flag.value();
        }
        String word = isFromOutside(node) ? ((Node.Text) node).value() : "";
        return word.equals("true") || word.equals("false")
                ? Boolean.valueOf(word)
                : wrong(option, node, path);
    }

    private List<String> strings(
            Option option, Node node, String path, Map<String, Position> places) {
        if (!(node instanceof Node.Items items)) {
            return wrong(option, node, path);
        }
        List<String> out = new ArrayList<>();
        for (int i = 0; i < items.items().size(); i++) {
            Node item = items.items().get(i);
            places.put(path + "[" + i + "]", item.at());
            if (item instanceof Node.Text text) {
                out.add(text.value());
            } else {
                wrong(option, item, path);
            }
        }
        return List.copyOf(out);
    }

    private Map<String, String> map(
            Option option,
            Node node,
            String path,
            Map<String, Position> places,
            Function<Node, String> text) {
        if (!(node instanceof Node.Table table)) {
            return wrong(option, node, path);
        }
        Map<String, String> out = new LinkedHashMap<>();
        for (Node.Entry entry : table.entries().values()) {
            String name = path + "." + entry.key();
            places.put(name, entry.value().at());
            String value = text.apply(entry.value());
            if (value == null) {
                problems.error(
                        entry.value().at(),
                        name
                                + " must be "
                                + (option.type() == OptionType.STRING_MAP
                                        ? "a string"
                                        : "a single value")
                                + ", found "
                                + found(option.name(), entry.value()));
            } else {
                out.put(entry.key(), value);
            }
        }
        return java.util.Collections.unmodifiableMap(out);
    }

    private String written(Node node) {
        return node instanceof Node.Text text ? text.value() : null;
    }

    private static String scalar(Node node) {
        if (node instanceof Node.Text text) {
            return text.value();
        }
        return node instanceof Node.Whole
                        || node instanceof Node.Decimal
                        || node instanceof Node.Flag
                ? node.shown()
                : null;
    }

    private OptionValues table(
            Option option, Node node, String path, Map<String, Position> places) {
        if (!(node instanceof Node.Table table)) {
            return wrong(option, node, path);
        }
        Set<String> excused = checkKeys(path, table, option.children(), List.of());
        return values(path, table, option.children(), excused, path + ".", places);
    }

    private List<OptionValues> tables(
            Option option, Node node, String path, Map<String, Position> places) {
        if (!(node instanceof Node.Items items)) {
            return wrong(option, node, path);
        }
        if (items.items().isEmpty() && option.required()) {
            problems.error(node.at(), path + " must not be empty");
            return null;
        }
        List<OptionValues> out = new ArrayList<>();
        for (int i = 0; i < items.items().size(); i++) {
            Node item = items.items().get(i);
            String name = path + "[" + i + "]";
            places.put(name, item.at());
            OptionValues values =
                    item instanceof Node.Table
                            ? table(option, item, name, places)
                            : wrong(option, item, path);
            if (values != null) {
                out.add(values);
            }
        }
        return List.copyOf(out);
    }

    private <T> T wrong(Option option, Node node, String path) {
        problems.error(
                node.at(),
                path + " must be " + wanted(option) + ", found " + found(option.name(), node));
        return null;
    }

    /** How a message shows what stands in an option's place. */
    public static String found(String option, Node node) {
        if (!isSecret(option)) {
            return node.shown();
        }
        if (node instanceof Node.Text) {
            return "a string";
        }
        return node instanceof Node.Whole || node instanceof Node.Decimal
                ? "a number"
                : node.shown();
    }

    /** What an option wants, in words. */
    static String wanted(Option option) {
        return switch (option.type()) {
            case STRING -> "a string";
            case INT -> "a whole number";
            case FLOAT -> "a number";
            case BOOL -> "true or false";
            case DURATION_MS -> "a whole number of milliseconds";
            case BYTES -> "a whole number of bytes";
            case STRING_LIST -> "a list of strings";
            case STRING_MAP -> "a table of strings";
            case CHOICE ->
                    option.choices().size() == 1
                            ? "\"" + option.choices().getFirst() + "\""
                            : "one of " + String.join(", ", option.choices());
            case EXPRESSION -> "an expression in quotes";
            case TABLE, FREE_TABLE -> "a table";
            case TABLE_LIST -> "a list of tables";
        };
    }
}
