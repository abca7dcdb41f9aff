package dev.tidemill.describe;

import java.util.List;
import java.util.Objects;

/**
 * What users are told of one step, connector or format.
 *
 * @param kind    what is described, such as {@code step}
 * @param name    its name in a pipeline file, such as {@code windowedAggregate}
 * @param summary one sentence, ends with a full stop
 * @param details Markdown for the reference page; may be empty
 * @param options its options in the order shown
 * @param example a fragment of TOML, or null
 */
public record Description(
        String kind,
        String name,
        String summary,
        String details,
        List<Option> options,
        String example) {
    public Description {
        Objects.requireNonNull(kind);
        Objects.requireNonNull(name);
        Objects.requireNonNull(summary);
        Objects.requireNonNull(details);
        options = List.copyOf(options);
    }
}
