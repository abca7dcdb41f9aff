package dev.tidemill.bench.nexmark;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The columns of the events. */
final class Columns {
    private static final List<String> NAMES =
            List.of(
                    "type",
                    "id",
                    "name",
                    "emailAddress",
                    "creditCard",
                    "city",
                    "state",
                    "dateTime",
                    "itemName",
                    "initialBid",
                    "reserve",
                    "expires",
                    "seller",
                    "category",
                    "auction",
                    "bidder",
                    "price",
                    "channel",
                    "url");
    private static final Set<String> INTEGERS =
            Set.of(
                    "id",
                    "dateTime",
                    "initialBid",
                    "reserve",
                    "expires",
                    "seller",
                    "category",
                    "auction",
                    "bidder",
                    "price");

    private Columns() {}

    /** The schema as an option of a dataset, in TOML. */
    static String schema() {
        return NAMES.stream()
                .map(
                        name ->
                                "{ name = \""
                                        + name
                                        + "\", type = \""
                                        + (INTEGERS.contains(name) ? "int" : "string")
                                        + "\" }")
                .collect(Collectors.joining(", ", "schema = [", "]\n"));
    }
}
