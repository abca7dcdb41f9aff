package dev.tidemill.operators;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The aggregates of the windowed, session and last-n steps, by the name they have in a pipeline file. */
public enum AggregateKind {
    COUNT("count"),
    SUM("sum"),
    AVG("avg"),
    MIN("min"),
    MAX("max"),
    COUNT_DISTINCT("countDistinct"),
    VAR_POP("varPop"),
    VAR_SAMP("varSamp"),
    STDDEV_POP("stddevPop"),
    STDDEV_SAMP("stddevSamp"),
    BOOL_AND("boolAnd"),
    BOOL_OR("boolOr"),
    BIT_AND("bitAnd"),
    BIT_OR("bitOr"),
    BIT_XOR("bitXor");

    private final String label;

    AggregateKind(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }

    public static Optional<AggregateKind> byLabel(String label) {
        return Arrays.stream(values()).filter(kind -> kind.label.equals(label)).findFirst();
    }

    public static List<String> labels() {
        return Arrays.stream(values()).map(AggregateKind::label).toList();
    }
}
