package dev.tidemill.expr;

import java.util.List;

/** A parsed expression. {@code at} is the position in the text that errors point to. */
sealed interface Node {
    int at();

    /** The nodes right below. */
    default List<Node> children() {
        return switch (this) {
            case Literal _, Name _ -> List.of();
            case ListOf list -> list.items();
            case Unary unary -> List.of(unary.operand());
            case Binary binary -> List.of(binary.left(), binary.right());
            case Conditional c -> List.of(c.condition(), c.then(), c.otherwise());
            case Index index -> List.of(index.target(), index.index());
            case Call call -> call.arguments();
        };
    }

    /** @param value null, Boolean, Long, Double or String */
    record Literal(Object value, int at) implements Node {}

    record Name(String name, int at) implements Node {}

    record ListOf(List<Node> items, int at) implements Node {}

    record Unary(char operator, Node operand, int at) implements Node {}

    record Binary(Operator operator, Node left, Node right, int at) implements Node {}

    record Conditional(Node condition, Node then, Node otherwise, int at) implements Node {}

    /** {@code target[index]}; {@code target.name} is an index by a text literal. */
    record Index(Node target, Node index, int at) implements Node {}

    record Call(Function function, List<Node> arguments, int at) implements Node {}

    enum Operator {
        OR("||", 2),
        AND("&&", 3),
        EQUAL("==", 4),
        NOT_EQUAL("!=", 4),
        IN("in", 4),
        LESS("<", 5),
        LESS_OR_EQUAL("<=", 5),
        GREATER(">", 5),
        GREATER_OR_EQUAL(">=", 5),
        ADD("+", 6),
        SUBTRACT("-", 6),
        MULTIPLY("*", 7),
        DIVIDE("/", 7),
        REMAINDER("%", 7);

        final String symbol;
        final int precedence;

        Operator(String symbol, int precedence) {
            this.symbol = symbol;
            this.precedence = precedence;
        }
    }
}
