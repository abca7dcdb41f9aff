package dev.tidemill.describe;

import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * One option of a step, connector, format or setting: everything that validation, help, the reference pages and editors need.
 *
 * @param name         the camelCase key in a pipeline file
 * @param type         the kind of value
 * @param required     whether it must be given
 * @param defaultValue the default as shown to people, or null when there is none
 * @param min          the least whole number accepted, empty for no bound
 * @param max          the greatest whole number accepted, empty for no bound
 * @param choices      the accepted words of a {@link OptionType#CHOICE}; empty otherwise
 * @param children     the options inside a TABLE or TABLE_LIST; empty otherwise
 * @param oldNames     earlier spellings, accepted with a warning
 * @param doc          one or two sentences for users, ends with a full stop
 * @param example      a value as it is written in TOML, or null
 * @param since        the first version that has it
 */
public record Option(
        String name,
        OptionType type,
        boolean required,
        String defaultValue,
        OptionalLong min,
        OptionalLong max,
        List<String> choices,
        List<Option> children,
        List<String> oldNames,
        String doc,
        String example,
        String since) {

    public Option {
        Objects.requireNonNull(name);
        Objects.requireNonNull(type);
        Objects.requireNonNull(doc);
        choices = List.copyOf(choices);
        children = List.copyOf(children);
        oldNames = List.copyOf(oldNames);
    }

    /** An optional option without default; refine it with the {@code with…} and other methods. */
    public static Option of(String name, OptionType type, String doc) {
        return new Option(
                name,
                type,
                false,
                null,
                OptionalLong.empty(),
                OptionalLong.empty(),
                List.of(),
                List.of(),
                List.of(),
                doc,
                null,
                "0.1");
    }

    public Option mandatory() {
        return new Option(
                name,
                type,
                true,
                defaultValue,
                min,
                max,
                choices,
                children,
                oldNames,
                doc,
                example,
                since);
    }

    public Option withDefault(Object value) {
        return new Option(
                name,
                type,
                required,
                String.valueOf(value),
                min,
                max,
                choices,
                children,
                oldNames,
                doc,
                example,
                since);
    }

    public Option atLeast(long least) {
        return new Option(
                name,
                type,
                required,
                defaultValue,
                OptionalLong.of(least),
                max,
                choices,
                children,
                oldNames,
                doc,
                example,
                since);
    }

    public Option atMost(long most) {
        return new Option(
                name,
                type,
                required,
                defaultValue,
                min,
                OptionalLong.of(most),
                choices,
                children,
                oldNames,
                doc,
                example,
                since);
    }

    public Option oneOf(String... words) {
        return new Option(
                name,
                type,
                required,
                defaultValue,
                min,
                max,
                List.of(words),
                children,
                oldNames,
                doc,
                example,
                since);
    }

    public Option withChildren(Option... options) {
        return new Option(
                name,
                type,
                required,
                defaultValue,
                min,
                max,
                choices,
                List.of(options),
                oldNames,
                doc,
                example,
                since);
    }

    public Option formerly(String... names) {
        return new Option(
                name,
                type,
                required,
                defaultValue,
                min,
                max,
                choices,
                children,
                List.of(names),
                doc,
                example,
                since);
    }

    public Option withExample(String toml) {
        return new Option(
                name,
                type,
                required,
                defaultValue,
                min,
                max,
                choices,
                children,
                oldNames,
                doc,
                toml,
                since);
    }
}
