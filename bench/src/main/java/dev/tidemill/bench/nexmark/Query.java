package dev.tidemill.bench.nexmark;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The queries, as the steps of a Tidemill pipeline. */
enum Query {
    /** All events with all columns. */
    Q0(""),

    /** The price of each bid in another currency. */
    Q1(
            """
            [[transforms.steps]]
            op = "filter"
            expression = 'type == "bid"'
            [[transforms.steps]]
            op = "applyExpression"
            column = "price"
            expression = 'roundTo(price * 0.908, 3)'
            [[transforms.steps]]
            op = "select"
            columns = ["auction", "bidder", "price", "dateTime"]
            """),

    /** The bids for certain auctions. */
    Q2(
            """
            [[transforms.steps]]
            op = "filter"
            expression = 'type == "bid" && auction % 123 == 0'
            [[transforms.steps]]
            op = "select"
            columns = ["auction", "price"]
            """),

    /** Bids for each auction in ten seconds. */
    TUMBLING(
            """
            [[transforms.steps]]
            op = "filter"
            expression = 'type == "bid"'
            [[transforms.steps]]
            op = "windowedAggregate"
            timeColumn = "dateTime"
            windowMs = 10000
            groupBy = ["auction"]
            aggs = [{ op = "count", alias = "bids" }]
            """),

    /** Bids for each auction in ten seconds, every two seconds. */
    SLIDING(
            """
            [[transforms.steps]]
            op = "filter"
            expression = 'type == "bid"'
            [[transforms.steps]]
            op = "windowedAggregate"
            timeColumn = "dateTime"
            windowMs = 10000
            slideMs = 2000
            groupBy = ["auction"]
            aggs = [{ op = "count", alias = "bids" }]
            """),

    /** The highest price in ten seconds. */
    MAX10(
            """
            [[transforms.steps]]
            op = "filter"
            expression = 'type == "bid"'
            [[transforms.steps]]
            op = "windowedAggregate"
            timeColumn = "dateTime"
            windowMs = 10000
            aggs = [{ op = "max", column = "price", alias = "price" }]
            """);

    private final String steps;

    Query(String steps) {
        this.steps = steps;
    }

    /** Its name on the command line. */
    String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The transform that reads {@code events} and writes {@code out}, as TOML. */
    String transform() {
        return "[[transforms]]\ninputs = [\"events\"]\noutput = \"out\"\n" + steps;
    }

    static List<Query> parse(List<String> names) {
        return names.stream().map(Query::parse).toList();
    }

    private static Query parse(String name) {
        return Arrays.stream(values())
                .filter(query -> query.id().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        "no query "
                                                + name
                                                + "; there are "
                                                + Arrays.stream(values())
                                                        .map(Query::id)
                                                        .collect(Collectors.joining(", "))));
    }
}
