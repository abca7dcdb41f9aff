package dev.tidemill.operators;

import dev.tidemill.describe.Description;
import dev.tidemill.describe.Option;
import dev.tidemill.describe.OptionType;
import java.util.List;
import java.util.Optional;

/** The steps of this version, as users are told of them. */
public final class Steps {
    private static final Option ID =
            Option.of(
                            "id",
                            OptionType.STRING,
                            "A name for the step that stays when steps around it change; it stands in metrics and errors.")
                    .withExample("\"hot-bids\"");

    private static final Option ERROR_OUTPUT =
            Option.of(
                            "errorOutput",
                            OptionType.STRING,
                            "The dataset that rows on which the step fails are written to, as `step`, `reason` and `row` (JSON text).")
                    .withExample("\"failed\"");

    private static final Option ON_ERROR =
            Option.of(
                            "onError",
                            OptionType.CHOICE,
                            "What a row on which the step fails does: leave, counted, or end the run.")
                    .oneOf("drop", "fail")
                    .withDefault("drop")
                    .withExample("\"fail\"");

    private static final Description SELECT =
            new Description(
                    "step",
                    "select",
                    "Keeps these columns, in this order.",
                    "A column that the input does not have is all null; where the input's columns are known it is refused with the nearest name.",
                    List.of(
                            ID,
                            Option.of(
                                            "columns",
                                            OptionType.STRING_LIST,
                                            "The columns to keep; at least one.")
                                    .mandatory()
                                    .withExample("[\"auction\", \"price\"]")),
                    """
            [[transforms.steps]]
            op = "select"
            columns = ["auction", "price"]
            """);

    private static final Description DROP =
            new Description(
                    "step",
                    "drop",
                    "Keeps all columns but these.",
                    "Names that the input does not have are ignored.",
                    List.of(
                            ID,
                            Option.of(
                                            "columns",
                                            OptionType.STRING_LIST,
                                            "The columns to leave out.")
                                    .mandatory()
                                    .withExample("[\"url\"]")),
                    """
            [[transforms.steps]]
            op = "drop"
            columns = ["url"]
            """);

    private static final Description RENAME =
            new Description(
                    "step",
                    "rename",
                    "Gives columns other names, all at once.",
                    "Positions stay. Old names that the input does not have are ignored; two columns never get one name.",
                    List.of(
                            ID,
                            Option.of("mapping", OptionType.STRING_MAP, "Old name to new name.")
                                    .mandatory()
                                    .withExample("{ price = \"cents\" }")),
                    """
            [[transforms.steps]]
            op = "rename"
            mapping = { price = "cents", bidder = "who" }
            """);

    private static final Description FILTER =
            new Description(
                    "step",
                    "filter",
                    "Lets rows pass on which an expression is true.",
                    "A row on which it is null is turned away and counted as filtered. A row on which it fails leaves alone and is counted as an error.",
                    List.of(
                            ID,
                            Option.of("expression", OptionType.EXPRESSION, "A boolean.")
                                    .mandatory()
                                    .withExample("'price > 500 && type == \"bid\"'"),
                            ON_ERROR,
                            ERROR_OUTPUT),
                    """
            [[transforms.steps]]
            op = "filter"
            expression = 'type == "bid"'
            """);

    private static final Description APPLY_EXPRESSION =
            new Description(
                    "step",
                    "applyExpression",
                    "Computes a column.",
                    "A column of that name is overwritten in place, a new one comes last. Types stay exact: whole numbers stay int64.",
                    List.of(
                            ID,
                            Option.of("column", OptionType.STRING, "The column to write.")
                                    .mandatory()
                                    .withExample("\"euros\""),
                            Option.of("expression", OptionType.EXPRESSION, "Its value.")
                                    .mandatory()
                                    .withExample("'price * 0.908'"),
                            ON_ERROR,
                            ERROR_OUTPUT),
                    """
            [[transforms.steps]]
            op = "applyExpression"
            column = "euros"
            expression = 'price * 0.908'
            """);

    private static final Option[] TIME = {
        Option.of(
                        "timeColumn",
                        OptionType.STRING,
                        "The event time of a row: a number of `timeUnit`s since 1970, a timestamp, a date, or text of a whole number.")
                .withExample("\"dateTime\""),
        Option.of(
                        "ingestTime",
                        OptionType.BOOL,
                        "Takes the time of arrival instead of an event time.")
                .withDefault(false)
                .withExample("true"),
        Option.of("timeUnit", OptionType.CHOICE, "The unit of a numeric `timeColumn`.")
                .oneOf("s", "ms", "us", "ns")
                .withDefault("ms")
                .withExample("\"s\""),
    };

    private static final Description WINDOWED_AGGREGATE =
            new Description(
                    "step",
                    "windowedAggregate",
                    "Aggregates rows in windows of event time, by group.",
                    """
            Windows are half open, `[start, end)`, and start at the multiples of `slideMs`, also below zero. A window closes when its end is at or below the \
            watermark less `allowedLatenessMs`; the watermark is the greatest event time seen, the least of that over the partitions of the input. Results are \
            `windowStart`, `windowEnd` (int64, ms), the group columns in their types and the aggregates by alias, in order of start and group.

            A row that comes when all its windows have closed is late: it is counted, and written to `lateOutput` when there is one. With `correctForMs` a closed \
            window goes on taking such rows for that long and writes its corrected result again under the same row key.

            With `emit` the groups that changed are also written while their window is open, under one row key; the last time exactly at the close.

            Aggregates: `count` (rows; with a column its non-null values), `sum` (exact for int64; of nothing: 0), `avg`, `min`, `max` (any ordered type), \
            `countDistinct`, `varPop`, `varSamp`, `stddevPop`, `stddevSamp`, `boolAnd`, `boolOr`, `bitAnd`, `bitOr`, `bitXor`. Null and unfit values are skipped; \
            of nothing all but `count`, `countDistinct` and `sum` give null.""",
                    List.of(
                            ID,
                            TIME[0],
                            TIME[1],
                            TIME[2],
                            Option.of("windowMs", OptionType.DURATION_MS, "The length of a window.")
                                    .mandatory()
                                    .atLeast(1)
                                    .withExample("10000"),
                            Option.of(
                                            "slideMs",
                                            OptionType.DURATION_MS,
                                            "The distance of window starts, at most `windowMs`; it need not divide it. Default: `windowMs`, so windows do not overlap.")
                                    .atLeast(1)
                                    .withExample("2000"),
                            Option.of(
                                            "offsetMs",
                                            OptionType.DURATION_MS,
                                            "Shifts all window starts by so much.")
                                    .withDefault(0)
                                    .withExample("3600000"),
                            Option.of(
                                            "timezone",
                                            OptionType.STRING,
                                            "Windows of whole days, or a divisor of a day, follow the wall clock of this zone, through changes of daylight saving.")
                                    .withExample("\"Europe/Berlin\""),
                            Option.of(
                                            "groupBy",
                                            OptionType.STRING_LIST,
                                            "The group columns; null is a group of its own.")
                                    .withExample("[\"auction\"]"),
                            Option.of(
                                            "aggs",
                                            OptionType.TABLE_LIST,
                                            "The aggregates; at least one.")
                                    .mandatory()
                                    .withChildren(
                                            Option.of("op", OptionType.CHOICE, "The aggregate.")
                                                    .mandatory()
                                                    .oneOf(
                                                            AggregateKind.labels()
                                                                    .toArray(String[]::new)),
                                            Option.of(
                                                    "column",
                                                    OptionType.STRING,
                                                    "The column it is taken of; `count` needs none."),
                                            Option.of(
                                                            "alias",
                                                            OptionType.STRING,
                                                            "The name of the result column.")
                                                    .mandatory())
                                    .withExample("[{ op = \"count\", alias = \"bids\" }]"),
                            Option.of(
                                            "keyBy",
                                            OptionType.BOOL,
                                            "False: every task of the input has windows of its own, and results are partial for each.")
                                    .withDefault(true)
                                    .withExample("false"),
                            Option.of(
                                            "allowedLatenessMs",
                                            OptionType.DURATION_MS,
                                            "How long the close of a window is put off.")
                                    .withDefault(0)
                                    .atLeast(0)
                                    .withExample("5000"),
                            Option.of(
                                            "correctForMs",
                                            OptionType.DURATION_MS,
                                            "How much longer a closed window takes late rows and writes its corrected result again.")
                                    .withDefault(0)
                                    .atLeast(0)
                                    .withExample("60000"),
                            Option.of(
                                            "idleTimeoutMs",
                                            OptionType.DURATION_MS,
                                            "A partition that is silent for so long does not hold time back. Default: the setting of that name; 0 is never.")
                                    .atLeast(0)
                                    .withExample("30000"),
                            Option.of(
                                            "maxFutureSkewMs",
                                            OptionType.DURATION_MS,
                                            "A row further ahead of the clock than this cannot drag time forward. Default: no bound.")
                                    .atLeast(0)
                                    .withExample("600000"),
                            Option.of(
                                            "onFutureSkew",
                                            OptionType.CHOICE,
                                            "What such a row does: leave counted, go to `errorOutput`, or take the latest time allowed.")
                                    .oneOf("drop", "deadLetter", "clamp")
                                    .withDefault("drop")
                                    .withExample("\"clamp\""),
                            Option.of(
                                            "emit",
                                            OptionType.TABLE,
                                            "Writes groups that changed before their window closes; one of the two.")
                                    .withChildren(
                                            Option.of(
                                                            "everyRows",
                                                            OptionType.INT,
                                                            "After so many rows of the step.")
                                                    .atLeast(1),
                                            Option.of(
                                                            "everyMs",
                                                            OptionType.DURATION_MS,
                                                            "After so much processing time.")
                                                    .atLeast(1))
                                    .withExample("{ everyMs = 1000 }"),
                            Option.of(
                                            "lateOutput",
                                            OptionType.STRING,
                                            "The dataset that late rows are written to, with `lateByMs` behind their columns.")
                                    .withExample("\"late\""),
                            ON_ERROR,
                            ERROR_OUTPUT),
                    """
            [[transforms.steps]]
            op = "windowedAggregate"
            timeColumn = "dateTime"
            windowMs = 10000
            groupBy = ["auction"]
            aggs = [{ op = "count", alias = "bids" }, { op = "max", column = "price", alias = "top" }]
            """);

    private static final List<Description> ALL =
            List.of(SELECT, DROP, RENAME, FILTER, APPLY_EXPRESSION, WINDOWED_AGGREGATE);

    private Steps() {}

    /** Every step of this version. */
    public static List<Description> descriptions() {
        return ALL;
    }

    public static Optional<Description> description(String op) {
        return ALL.stream().filter(step -> step.name().equals(op)).findFirst();
    }

    /** Whether a step is inline: stateless, and fused into what comes before it. */
    public static boolean isInline(String op) {
        return !op.equals(WINDOWED_AGGREGATE.name());
    }
}
