package dev.tidemill.cli;

import dev.tidemill.describe.Description;
import dev.tidemill.describe.Option;
import dev.tidemill.expr.FunctionDescription;
import dev.tidemill.pipeline.settings.Setting;
import java.util.ArrayList;
import java.util.List;

/** Descriptions as plain text for a terminal. Stateless. */
final class Page {
    private static final int WIDTH = 110;

    private Page() {}

    static String of(FunctionDescription function) {
        StringBuilder page =
                new StringBuilder(function.signature())
                        .append("\n\n")
                        .append(wrapped(function.doc(), 0))
                        .append('\n');
        if (!function.examples().isEmpty()) {
            page.append("\nExamples:\n");
        }
        for (FunctionDescription.Example example : function.examples()) {
            page.append("  ")
                    .append(example.expression())
                    .append("  =  ")
                    .append(example.result())
                    .append('\n');
        }
        return page.toString().stripTrailing();
    }

    static String of(Description description) {
        StringBuilder page =
                new StringBuilder(description.name())
                        .append("\n\n")
                        .append(wrapped(description.summary(), 0))
                        .append('\n');
        if (!description.details().isBlank()) {
            page.append('\n').append(description.details().strip()).append('\n');
        }
        if (!description.options().isEmpty()) {
            page.append("\nOptions:\n");
            options(description.options(), 2, page);
        }
        if (description.example() != null) {
            page.append("\nExample:\n").append(description.example().stripTrailing().indent(2));
        }
        return page.toString();
    }

    static String of(Setting setting) {
        StringBuilder page = new StringBuilder();
        options(List.of(setting.option()), 0, page);
        String note =
                switch (setting.effect()) {
                    case WORKS -> "";
                    case NOT_YET -> "Accepted, without effect in this version.\n";
                    case CLUSTER -> "Accepted, without effect: Tidemill runs on one machine.\n";
                };
        page.append(note.isEmpty() ? "" : "\n" + note);
        page.append("\nIn a file:            [settings] ").append(setting.name()).append(" = …");
        page.append("\nOn the command line:  --set ").append(setting.name()).append("=…");
        page.append("\nIn the environment:   ").append(setting.variable());
        if (setting.compatible() != null) {
            page.append("\nAlso accepted:        ").append(setting.compatible());
        }
        return page.toString();
    }

    /** An option, its kind and default, its text below, its own options below that. */
    static void options(List<Option> options, int indent, StringBuilder page) {
        for (Option option : options) {
            page.append(" ".repeat(indent))
                    .append(option.name())
                    .append("  (")
                    .append(facts(option))
                    .append(")\n");
            page.append(wrapped(option.doc(), indent + 4)).append('\n');
            options(option.children(), indent + 4, page);
        }
    }

    private static String facts(Option option) {
        List<String> facts = new ArrayList<>();
        facts.add(option.type().label());
        if (!option.choices().isEmpty()) {
            facts.add("one of " + String.join(", ", option.choices()));
        }
        if (option.required()) {
            facts.add("required");
        }
        if (option.defaultValue() != null) {
            facts.add(
                    "default "
                            + (option.defaultValue().isEmpty() ? "\"\"" : option.defaultValue()));
        }
        option.min().ifPresent(min -> facts.add("at least " + min));
        option.max().ifPresent(max -> facts.add("at most " + max));
        return String.join(", ", facts);
    }

    /** Two columns, the first as wide as its widest cell. */
    static String table(List<String[]> rows) {
        int width = rows.stream().mapToInt(row -> row[0].length()).max().orElse(0);
        StringBuilder table = new StringBuilder();
        for (String[] row : rows) {
            String text = wrapped(row[1], width + 4).stripLeading();
            table.append("  ")
                    .append(row[0])
                    .append(" ".repeat(width - row[0].length() + 2))
                    .append(text)
                    .append('\n');
        }
        return table.toString().stripTrailing();
    }

    /** Breaks a text at spaces, every line with the same indent. */
    static String wrapped(String text, int indent) {
        StringBuilder lines = new StringBuilder();
        StringBuilder line = new StringBuilder(" ".repeat(indent));
        for (String word : text.strip().split("\\s+")) {
            if (line.length() > indent && line.length() + 1 + word.length() > WIDTH) {
                lines.append(line).append('\n');
                line.setLength(indent);
            }
            line.append(line.length() > indent ? " " : "").append(word);
        }
        return lines.append(line).toString();
    }
}
