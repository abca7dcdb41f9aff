package dev.tidemill.expr;

import dev.tidemill.data.Schema;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A parsed expression. Immutable and thread-safe; {@link #bind} makes what evaluates it over batches of one schema. */
public final class Expression {
    private final String text;
    private final Node root;
    private final List<String> warnings;
    private final Set<String> columns;

    private Expression(String text, Node root, List<String> warnings) {
        this.text = text;
        this.root = root;
        this.warnings = List.copyOf(warnings);
        Set<String> names = new LinkedHashSet<>();
        collect(root, names);
        columns = java.util.Collections.unmodifiableSet(names);
    }

    /** @throws ExpressionException when the text is no expression; it names what is wrong and where */
    public static Expression parse(String text) throws ExpressionException {
        Parser parser = new Parser(text);
        Node root = parser.parse();
        return new Expression(text, root, parser.warnings());
    }

    public String text() {
        return text;
    }

    /** What reads differently in the engine this dialect comes from. */
    public List<String> warnings() {
        return warnings;
    }

    /** The columns it reads. */
    public Set<String> columns() {
        return columns;
    }

    /** The expression over batches of this schema; a column the schema does not have is null. For one task: not thread-safe. */
    public BoundExpression bind(Schema schema) {
        return new BoundExpression(Binder.bind(root, schema));
    }

    private static void collect(Node node, Set<String> names) {
        if (node instanceof Node.Name name) {
            names.add(name.name());
        }
        node.children().forEach(child -> collect(child, names));
    }
}
