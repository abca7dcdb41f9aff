package dev.tidemill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemill.data.Batch;
import dev.tidemill.data.Casts;
import dev.tidemill.data.DataType;
import dev.tidemill.data.Field;
import dev.tidemill.data.Schema;
import dev.tidemill.operators.AggregateKind;
import dev.tidemill.operators.AggregateSpec;
import dev.tidemill.operators.Operator;
import dev.tidemill.operators.WindowSpec;
import dev.tidemill.operators.WindowedAggregateSpec;
import dev.tidemill.operators.window.WindowedAggregate;
import dev.tidemill.testkit.HostileHarness.Event;
import dev.tidemill.testkit.HostileHarness.Outcome;
import dev.tidemill.testkit.HostileHarness.Rows;
import dev.tidemill.testkit.HostileHarness.Tick;
import dev.tidemill.testkit.HostileHarness.Watermark;
import java.math.BigDecimal;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The windowed step in both its forms against one that keeps every row, on random streams, in every way of the harness. */
class WindowedAggregateTest {
    private static final List<Field> COLUMNS =
            List.of(
                    new Field("t", DataType.INT64),
                    new Field("whole", DataType.INT64),
                    new Field("wild", DataType.INT64),
                    new Field("real", DataType.FLOAT64),
                    new Field("odd", DataType.FLOAT64),
                    new Field("text", DataType.UTF8),
                    new Field("flag", DataType.BOOL),
                    new Field("money", new DataType.Decimal(12, 2)),
                    new Field("moment", DataType.TIMESTAMP),
                    new Field("never", DataType.NULL));
    private static final Schema WIDE = new Schema(COLUMNS);
    private static final List<String> TEXTS =
            List.of(
                    "",
                    "a",
                    "b",
                    "|",
                    "\\",
                    "a|b",
                    "s",
                    "grün",
                    "😀",
                    "\uFFFD",
                    "a\\",
                    "12345678",
                    "123456789");

    static LongStream seeds() {
        return LongStream.concat(LongStream.range(0, 60), LongStream.of(System.nanoTime()));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void onceClosedWindowsAreThoseOfTheReference(long seed) {
        Random random = new Random(seed);
        WindowedAggregateSpec spec = spec(random, false);
        List<Event> events = events(random, spec);
        Outcome expected = reference(spec, events);
        for (Outcome outcome : outcomes(random, spec, events, false)) {
            assertSameRows(seed, outcome, outcome.rows(), expected.rows());
            assertSameRows(seed, outcome, outcome.errors(), expected.errors());
            assertThat(outcome.lateRows())
                    .as("late, seed %d, %s, %s", seed, outcome.way(), spec)
                    .isEqualTo(expected.lateRows());
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void theLastResultOfEachGroupIsThatOfTheReference(long seed) {
        Random random = new Random(seed);
        WindowedAggregateSpec spec = spec(random, true);
        List<Event> events = events(random, spec);
        Outcome expected = reference(spec, events);
        for (Outcome outcome : outcomes(random, spec, events, true)) {
            assertSameRows(
                    seed,
                    outcome,
                    lastOfEach(spec, outcome.rows()),
                    lastOfEach(spec, expected.rows()));
            assertThat(outcome.errors()).isEmpty();
            assertThat(outcome.lateRows())
                    .as("late, seed %d, %s, %s", seed, outcome.way(), spec)
                    .isEqualTo(expected.lateRows());
        }
    }

    private static List<Outcome> outcomes(
            Random random, WindowedAggregateSpec spec, List<Event> events, boolean updates) {
        List<Outcome> outcomes =
                new ArrayList<>(
                        HostileHarness.runAllWays(
                                () -> new WindowedAggregate(spec),
                                events,
                                WindowedAggregateSpec.WINDOW_START));
        if (WindowedAggregate.canPreAggregate(spec)) {
            int tasks = 1 + random.nextInt(3);
            Supplier<Operator> twoStages = () -> new TwoStages(spec, tasks);
            outcomes.addAll(
                    HostileHarness.runAllWays(
                            twoStages, events, WindowedAggregateSpec.WINDOW_START));
        }
        return outcomes;
    }

    private static WindowedAggregateSpec spec(Random random, boolean updates) {
        List<AggregateSpec> aggregates = new ArrayList<>();
        aggregates.add(new AggregateSpec(AggregateKind.COUNT, null, "a0"));
        int count = random.nextInt(6);
        for (int i = 1; i <= count; i++) {
            AggregateKind kind =
                    AggregateKind.values()[random.nextInt(AggregateKind.values().length)];
            String column = random.nextInt(12) == 0 ? "absent" : column(random, kind, updates);
            aggregates.add(new AggregateSpec(kind, column, "a" + i));
        }
        List<String> groupBy = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            String name =
                    List.of(
                                    "whole", "text", "odd", "flag", "money", "moment", "never",
                                    "absent", "whole", "text")
                            .get(random.nextInt(10));
            if (!groupBy.contains(name)) {
                groupBy.add(name);
            }
        }
        boolean early = updates && random.nextInt(3) > 0;
        boolean everyRows = early && random.nextBoolean();
        return new WindowedAggregateSpec(
                "w",
                "t",
                window(random),
                groupBy,
                aggregates,
                random.nextInt(3) == 0 ? random.nextInt(30) : 0,
                updates && random.nextInt(3) > 0 ? random.nextInt(60) : 0,
                everyRows ? 1 + random.nextInt(20) : 0,
                early && !everyRows ? 100 : 0,
                random.nextBoolean(),
                random.nextInt(4) == 0);
    }

    private static WindowSpec window(Random random) {
        long size = 1 + random.nextInt(40);
        long slide =
                switch (random.nextInt(4)) {
                    case 0 -> size;
                    case 1 -> divisor(random, size);
                    default -> 1 + random.nextLong(size);
                };
        return new WindowSpec(
                size, slide, random.nextInt(3) == 0 ? random.nextInt(100) - 50 : 0, null);
    }

    private static long divisor(Random random, long size) {
        long divisor = 1 + random.nextLong(size);
        while (size % divisor != 0) {
            divisor--;
        }
        return divisor;
    }

    private static String column(Random random, AggregateKind kind, boolean updates) {
        List<String> fitting =
                switch (kind) {
                    case COUNT -> List.of("whole", "real", "text", "never", "money");
                    case COUNT_DISTINCT ->
                            List.of("whole", "wild", "odd", "text", "flag", "money", "never");
                    case SUM ->
                            updates
                                    ? List.of("whole", "real", "money")
                                    : List.of("whole", "wild", "real", "odd", "money", "text");
                    case AVG -> List.of("whole", "wild", "real", "odd", "money");
                    case MIN, MAX ->
                            List.of(
                                    "whole", "wild", "real", "odd", "text", "flag", "money",
                                    "moment", "never");
                    case VAR_POP, VAR_SAMP, STDDEV_POP, STDDEV_SAMP ->
                            List.of("whole", "real", "money");
                    case BOOL_AND, BOOL_OR -> List.of("flag", "flag", "never");
                    case BIT_AND, BIT_OR, BIT_XOR -> List.of("whole", "wild");
                };
        String column = fitting.get(random.nextInt(fitting.size()));
        // What sum cannot use adds nothing; the reference is told so by a column of nulls.
        return kind == AggregateKind.SUM && column.equals("text") ? "never" : column;
    }

    /** Random rows around a time that moves on, watermarks behind it, sometimes far jumps; types that widen in half of the streams. */
    private static List<Event> events(Random random, WindowedAggregateSpec spec) {
        List<Event> events = new ArrayList<>();
        Schema schema = random.nextBoolean() ? WIDE : narrow(random);
        long now = random.nextInt(200) - 100;
        int disorder = 1 + random.nextInt(60);
        int keys = 1 + random.nextInt(random.nextBoolean() ? 5 : 200);
        for (int i = 1 + random.nextInt(12); i > 0; i--) {
            if (random.nextInt(4) == 0) {
                schema = WIDE;
            }
            List<Object[]> rows = new ArrayList<>();
            for (int r = random.nextInt(random.nextInt(8) == 0 ? 300 : 25); r > 0; r--) {
                now += random.nextInt(3) == 0 ? random.nextInt(5) : 0;
                rows.add(row(random, schema, now - random.nextInt(disorder), keys));
            }
            if (random.nextInt(15) == 0) {
                now += random.nextInt(1_000_000);
            }
            events.add(new Rows(0, Batches.of(schema, rows)));
            switch (random.nextInt(4)) {
                case 0, 1 -> events.add(new Watermark(now - random.nextInt(2 * disorder)));
                case 2 ->
                        events.add(random.nextBoolean() ? new Tick(i) : new HostileHarness.Flush());
                default -> {}
            }
        }
        return events;
    }

    private static Schema narrow(Random random) {
        List<Field> fields = new ArrayList<>();
        for (Field field : COLUMNS) {
            DataType type = field.type();
            if (!field.name().equals("t") && random.nextInt(3) == 0) {
                type = DataType.NULL;
            } else if (random.nextBoolean()
                    && (type instanceof DataType.Float64 || type instanceof DataType.Decimal)) {
                type = DataType.INT64;
            }
            fields.add(new Field(field.name(), type));
        }
        return new Schema(fields);
    }

    private static Object[] row(Random random, Schema schema, long time, int keys) {
        Object[] row = new Object[schema.size()];
        row[0] = time;
        for (int c = 1; c < row.length; c++) {
            String name = schema.field(c).name();
            boolean isNull = random.nextInt(7) == 0 || schema.type(c) instanceof DataType.Null;
            Object value = isNull ? null : value(random, name, keys);
            if (value instanceof Number number
                    && schema.type(c) instanceof DataType.Int64
                    && !(value instanceof Long)) {
                value = Double.isFinite(number.doubleValue()) ? (Object) number.longValue() : null;
            }
            row[c] = value;
        }
        return row;
    }

    private static Object value(Random random, String column, int keys) {
        return switch (column) {
            case "whole" -> (long) random.nextInt(keys) - keys / 2;
            case "wild" ->
                    random.nextInt(3) == 0
                            ? random.nextLong()
                            : random.nextBoolean() ? Long.MAX_VALUE : Long.MIN_VALUE;
            case "real" -> random.nextInt(1000) / 8.0;
            case "odd" ->
                    switch (random.nextInt(8)) {
                        case 0 -> Double.NaN;
                        case 1 -> Double.longBitsToDouble(0x7ff8000000000123L);
                        case 2 -> -0.0;
                        case 3 -> 0.0;
                        case 4 -> random.nextInt(4) == 0 ? Double.POSITIVE_INFINITY : -1.5;
                        default -> (double) random.nextInt(3) - 1;
                    };
            case "text" ->
                    keys > 20 && random.nextBoolean()
                            ? "key number " + random.nextInt(keys)
                            : TEXTS.get(random.nextInt(TEXTS.size()));
            case "flag" -> random.nextBoolean();
            case "money" -> BigDecimal.valueOf(random.nextInt(400) - 200L, 2);
            case "moment" -> (long) random.nextInt(20) * 1000;
            default -> throw new IllegalArgumentException(column);
        };
    }

    /** Over rows in the widest types of the stream. */
    private static Outcome reference(WindowedAggregateSpec spec, List<Event> events) {
        Schema widest =
                events.stream()
                        .filter(Rows.class::isInstance)
                        .map(event -> ((Rows) event).batch().schema())
                        .reduce(Schema::widen)
                        .orElse(WIDE);
        ReferenceWindows reference = new ReferenceWindows(spec);
        for (Event event : events) {
            switch (event) {
                case Rows rows -> {
                    Batch batch = Casts.conform(rows.batch(), widest);
                    for (int i = 0; i < batch.rows(); i++) {
                        reference.row(batch.row(i));
                    }
                }
                case Watermark watermark -> reference.watermark(watermark.time());
                default -> {}
            }
        }
        reference.finish();
        return new Outcome(
                "reference",
                reference.results(),
                reference.failed(),
                List.of(),
                reference.late(),
                0,
                0);
    }

    private static List<Map<String, Object>> lastOfEach(
            WindowedAggregateSpec spec, List<Map<String, Object>> rows) {
        Map<List<String>, Map<String, Object>> last = new HashMap<>();
        for (Map<String, Object> row : rows) {
            last.put(identity(spec, row), row);
        }
        return last.entrySet().stream()
                .sorted((a, b) -> a.getKey().toString().compareTo(b.getKey().toString()))
                .map(Map.Entry::getValue)
                .toList();
    }

    private static List<String> identity(WindowedAggregateSpec spec, Map<String, Object> row) {
        List<String> identity = new ArrayList<>();
        for (String column : names(spec)) {
            Object value = row.get(column);
            identity.add(value instanceof Number number ? plain(number) : String.valueOf(value));
        }
        return identity;
    }

    private static String plain(Number number) {
        double value = number.doubleValue();
        return Double.isFinite(value)
                ? new BigDecimal(number.toString())
                        .add(BigDecimal.ZERO)
                        .stripTrailingZeros()
                        .toPlainString()
                : String.valueOf(value);
    }

    private static List<String> names(WindowedAggregateSpec spec) {
        List<String> names = new ArrayList<>(List.of("windowStart", "windowEnd"));
        names.addAll(spec.groupBy());
        return names;
    }

    private static void assertSameRows(
            long seed,
            Outcome outcome,
            List<Map<String, Object>> given,
            List<Map<String, Object>> expected) {
        for (int i = 0; i < Math.min(given.size(), expected.size()); i++) {
            Map<String, Object> row = new LinkedHashMap<>(given.get(i));
            row.remove(Schema.KEY);
            row.remove("reason");
            assertThat(row.keySet()).containsExactlyElementsOf(expected.get(i).keySet());
            for (String column : row.keySet()) {
                if (!isSame(row.get(column), expected.get(i).get(column))) {
                    throw new AssertionError(
                            "seed "
                                    + seed
                                    + ", "
                                    + outcome.way()
                                    + ", row "
                                    + i
                                    + ", "
                                    + column
                                    + ":\n"
                                    + row
                                    + "\nexpected\n"
                                    + expected.get(i));
                }
            }
        }
        assertThat(given).as("seed %d, %s", seed, outcome.way()).hasSameSizeAs(expected);
        assertKeysTellRowsApart(given);
    }

    private static void assertKeysTellRowsApart(List<Map<String, Object>> rows) {
        Map<Object, List<Object>> rowOfKey = new HashMap<>();
        for (Map<String, Object> row : rows) {
            if (row.containsKey(Schema.KEY)) {
                List<Object> identity = new ArrayList<>(row.values());
                assertThat(rowOfKey.put(row.get(Schema.KEY), identity))
                        .as("rows of key %s", row.get(Schema.KEY))
                        .isNull();
            }
        }
    }

    private static boolean isSame(Object a, Object b) {
        if (a instanceof BigDecimal x && b instanceof BigDecimal y) {
            return x.compareTo(y) == 0;
        }
        if (a instanceof Long && b instanceof Long
                || !(a instanceof Number && b instanceof Number)) {
            return a instanceof byte[] x && b instanceof byte[] y
                    ? Arrays.equals(x, y)
                    : java.util.Objects.equals(a, b);
        }
        double x = ((Number) a).doubleValue();
        double y = ((Number) b).doubleValue();
        return x == y
                || Double.isNaN(x) && Double.isNaN(y)
                || Math.abs(x - y) <= 1e-7 * (1 + Math.abs(y));
    }

    static LongStream zoneSeeds() {
        return LongStream.range(0, 60);
    }

    @ParameterizedTest
    @MethodSource("zoneSeeds")
    void windowsOfWallClocksAreThoseOfTheReference(long seed) {
        Random random = new Random(seed);
        String zone =
                List.of(
                                "America/New_York",
                                "Europe/Berlin",
                                "Australia/Lord_Howe",
                                "Africa/Cairo",
                                "Asia/Kathmandu",
                                "America/Sao_Paulo")
                        .get(random.nextInt(6));
        long minute = 60_000;
        long slide =
                List.of(30 * minute, 60 * minute, 6 * 60 * minute, 24 * 60 * minute)
                        .get(random.nextInt(4));
        long size = slide * (1 + random.nextInt(4));
        long offset = random.nextBoolean() ? 0 : 15 * minute;
        WindowedAggregateSpec spec =
                new WindowedAggregateSpec(
                        "w",
                        "t",
                        new WindowSpec(size, slide, offset, ZoneId.of(zone)),
                        List.of(),
                        List.of(new AggregateSpec(AggregateKind.COUNT, null, "n")),
                        0,
                        0,
                        0,
                        0,
                        false,
                        false);
        // Around a change of the clock, if the zone has one.
        var transition =
                ZoneId.of(zone)
                        .getRules()
                        .nextTransition(
                                java.time.Instant.ofEpochSecond(
                                        1_500_000_000L + random.nextInt(40_000_000)));
        long middle = transition == null ? 1_500_000_000_000L : transition.toEpochSecond() * 1000;
        List<Event> events = new ArrayList<>();
        Schema times = Schema.of(new Field("t", DataType.INT64));
        for (int i = 0; i < 8; i++) {
            List<Object[]> rows = new ArrayList<>();
            for (int r = 0; r < 10; r++) {
                rows.add(
                        new Object[] {
                            middle
                                    + (random.nextInt(360) - 180)
                                            * minute
                                            * (random.nextBoolean() ? 1 : 10)
                                    + random.nextInt(3)
                                    - 1
                        });
            }
            events.add(new Rows(0, Batches.of(times, rows)));
            if (random.nextBoolean()) {
                events.add(new Watermark(middle + (i - 4) * 60 * minute));
            }
        }
        Outcome expected = reference(spec, events);
        for (Outcome outcome : outcomes(random, spec, events, false)) {
            assertSameRows(seed, outcome, outcome.rows(), expected.rows());
            assertThat(outcome.lateRows()).isEqualTo(expected.lateRows());
        }
    }
}
