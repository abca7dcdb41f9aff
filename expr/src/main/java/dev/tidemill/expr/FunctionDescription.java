package dev.tidemill.expr;

import java.util.List;

/**
 * What users are told of a function.
 *
 * @param category  the heading it stands under
 * @param signature such as {@code round(x)}
 * @param doc       one or two sentences
 * @param examples  executed by a test
 */
public record FunctionDescription(
        String name, String category, String signature, String doc, List<Example> examples) {
    public FunctionDescription {
        examples = List.copyOf(examples);
    }

    /**
     * @param expression what is written
     * @param result     an expression of the same value, or {@code error}
     */
    public record Example(String expression, String result) {}
}
