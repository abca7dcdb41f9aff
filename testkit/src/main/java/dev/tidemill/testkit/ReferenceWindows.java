package dev.tidemill.testkit;

import dev.tidemill.data.Ordering;
import dev.tidemill.operators.AggregateSpec;
import dev.tidemill.operators.WindowSpec;
import dev.tidemill.operators.WindowedAggregateSpec;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The step {@code windowedAggregate} as one would explain it: every window keeps its rows, and what it gives is computed of them when it is asked for. Slow and
 * obvious, for tests. Early results are not written; corrections are, a row at a time.
 */
public final class ReferenceWindows {
    private static final long MINUTE = 60_000;
    private static final Comparator<Object> VALUES = ReferenceWindows::compare;
    private static final Comparator<List<Object>> KEYS =
            (a, b) -> {
                for (int i = 0; i < a.size(); i++) {
                    int order = VALUES.compare(a.get(i), b.get(i));
                    if (order != 0) {
                        return order;
                    }
                }
                return 0;
            };

    private final WindowedAggregateSpec spec;
    private final TreeMap<Long, TreeMap<List<Object>, List<Map<String, Object>>>> windows =
            new TreeMap<>();
    private final Map<Long, Long> instants = new HashMap<>();
    private final List<Map<String, Object>> results = new ArrayList<>();
    private final List<Map<String, Object>> failed = new ArrayList<>();

    /** All windows that end at or before are closed; null while none is. */
    private Long closed;

    private long late;

    public ReferenceWindows(WindowedAggregateSpec spec) {
        this.spec = spec;
    }

    /** What was written, in order. */
    public List<Map<String, Object>> results() {
        return results;
    }

    /** Results with a sum beyond its type. */
    public List<Map<String, Object>> failed() {
        return failed;
    }

    public long late() {
        return late;
    }

    public void row(Map<String, Object> row) {
        long time = (Long) row.get(spec.timeColumn());
        boolean isTaken = false;
        for (long start : starts(time)) {
            long end = end(start);
            boolean isClosed = closed != null && end <= closed;
            if (isClosed && end <= closed - spec.correctForMs()) {
                continue;
            }
            isTaken = true;
            List<Object> key = new ArrayList<>();
            spec.groupBy().forEach(column -> key.add(normal(row.get(column))));
            windows.computeIfAbsent(start, _ -> new TreeMap<>(KEYS))
                    .computeIfAbsent(key, _ -> new ArrayList<>())
                    .add(row);
            if (isClosed) {
                write(start, end, key, windows.get(start).get(key));
            }
        }
        late += isTaken ? 0 : 1;
    }

    public void watermark(long time) {
        close(time - spec.allowedLatenessMs());
    }

    public void finish() {
        close(Long.MAX_VALUE);
    }

    private void close(long through) {
        windows.forEach(
                (start, groups) -> {
                    long end = end(start);
                    if (end <= through && (closed == null || end > closed)) {
                        groups.forEach((key, rows) -> write(start, end, key, rows));
                    }
                });
        closed = closed == null ? through : Math.max(closed, through);
    }

    /** The starts of all windows that hold {@code time}. */
    private Set<Long> starts(long time) {
        WindowSpec window = spec.window();
        Set<Long> starts = new TreeSet<>();
        if (window.zone() == null) {
            long start =
                    Math.floorDiv(time - window.offsetMs(), window.slideMs()) * window.slideMs()
                            + window.offsetMs();
            for (; start + window.sizeMs() > time; start -= window.slideMs()) {
                starts.add(start);
            }
            return starts;
        }
        long slack = 3 * 24 * 60 * MINUTE;
        long first =
                Math.floorDiv(time - window.sizeMs() - slack, window.slideMs()) * window.slideMs()
                        + window.offsetMs();
        for (long local = first; local < time + slack; local += window.slideMs()) {
            long start = instant(local);
            boolean isLastOfItsStart = instant(local + window.slideMs()) > start;
            if (isLastOfItsStart && start <= time && time < instant(local + window.sizeMs())) {
                localStarts.put(start, local);
                starts.add(start);
            }
        }
        return starts;
    }

    private final Map<Long, Long> localStarts = new HashMap<>();

    private long end(long start) {
        WindowSpec window = spec.window();
        return window.zone() == null
                ? start + window.sizeMs()
                : instant(localStarts.get(start) + window.sizeMs());
    }

    /** The first minute at which the clock on the wall shows a time or a later one. */
    private long instant(long local) {
        return instants.computeIfAbsent(
                local,
                _ -> {
                    ZoneRules rules = spec.window().zone().getRules();
                    long at = local - 20 * 60 * MINUTE;
                    while (at + rules.getOffset(Instant.ofEpochMilli(at)).getTotalSeconds() * 1000L
                            < local) {
                        at += MINUTE;
                    }
                    return at;
                });
    }

    private void write(long start, long end, List<Object> key, List<Map<String, Object>> rows) {
        Map<String, Object> out = new LinkedHashMap<>();
        out.put(WindowedAggregateSpec.WINDOW_START, start);
        out.put(WindowedAggregateSpec.WINDOW_END, end);
        for (int i = 0; i < key.size(); i++) {
            out.put(spec.groupBy().get(i), key.get(i));
        }
        boolean fits = true;
        for (AggregateSpec aggregate : spec.aggregates()) {
            Object value = aggregate(aggregate, rows);
            boolean isBeyond = value instanceof BigInteger;
            fits &= !isBeyond;
            out.put(aggregate.alias(), isBeyond ? null : value);
        }
        (fits ? results : failed).add(out);
    }

    /** A sum beyond int64 comes as a BigInteger. */
    private static Object aggregate(AggregateSpec aggregate, List<Map<String, Object>> rows) {
        if (aggregate.column() == null) {
            return (long) rows.size();
        }
        List<Object> values = new ArrayList<>();
        for (Map<String, Object> row : rows) {
            if (row.get(aggregate.column()) != null) {
                values.add(normal(row.get(aggregate.column())));
            }
        }
        return switch (aggregate.kind()) {
            case COUNT -> (long) values.size();
            case COUNT_DISTINCT -> {
                TreeSet<Object> distinct = new TreeSet<>(VALUES);
                distinct.addAll(values);
                yield (long) distinct.size();
            }
            case SUM -> sum(values);
            case AVG -> values.isEmpty() ? null : mean(values);
            case MIN -> values.stream().min(VALUES).orElse(null);
            case MAX -> values.stream().max(VALUES).orElse(null);
            case VAR_POP -> variance(values, 0);
            case VAR_SAMP -> variance(values, 1);
            case STDDEV_POP -> root(variance(values, 0));
            case STDDEV_SAMP -> root(variance(values, 1));
            case BOOL_AND -> values.isEmpty() ? null : !values.contains(false);
            case BOOL_OR -> values.isEmpty() ? null : values.contains(true);
            case BIT_AND ->
                    values.stream().map(Long.class::cast).reduce((a, b) -> a & b).orElse(null);
            case BIT_OR ->
                    values.stream().map(Long.class::cast).reduce((a, b) -> a | b).orElse(null);
            case BIT_XOR ->
                    values.stream().map(Long.class::cast).reduce((a, b) -> a ^ b).orElse(null);
        };
    }

    private static Object sum(List<Object> values) {
        if (values.isEmpty()) {
            return 0L;
        }
        if (values.getFirst() instanceof Long) {
            BigInteger sum =
                    values.stream()
                            .map(v -> BigInteger.valueOf((Long) v))
                            .reduce(BigInteger.ZERO, BigInteger::add);
            return sum.bitLength() < 64 ? (Object) sum.longValueExact() : sum;
        }
        if (values.getFirst() instanceof BigDecimal) {
            return values.stream()
                    .map(BigDecimal.class::cast)
                    .reduce(BigDecimal.ZERO, BigDecimal::add);
        }
        return doubleSum(values);
    }

    private static double doubleSum(List<Object> values) {
        double[] numbers = values.stream().mapToDouble(v -> ((Number) v).doubleValue()).toArray();
        if (!Arrays.stream(numbers).allMatch(Double::isFinite)) {
            return Arrays.stream(numbers).reduce(0, Double::sum);
        }
        return Arrays.stream(numbers)
                .mapToObj(BigDecimal::new)
                .reduce(BigDecimal.ZERO, BigDecimal::add)
                .doubleValue();
    }

    private static double mean(List<Object> values) {
        Object sum = sum(values);
        return switch (sum) {
            case Double real -> real / values.size();
            default ->
                    new BigDecimal(sum.toString())
                            .divide(BigDecimal.valueOf(values.size()), MathContext.DECIMAL128)
                            .doubleValue();
        };
    }

    private static Double variance(List<Object> values, int less) {
        if (values.size() - less <= 0) {
            return null;
        }
        double[] numbers = values.stream().mapToDouble(v -> ((Number) v).doubleValue()).toArray();
        if (!Arrays.stream(numbers).allMatch(Double::isFinite)) {
            return Double.NaN;
        }
        BigDecimal count = BigDecimal.valueOf(values.size());
        BigDecimal sum =
                Arrays.stream(numbers)
                        .mapToObj(BigDecimal::new)
                        .reduce(BigDecimal.ZERO, BigDecimal::add);
        BigDecimal mean = sum.divide(count, new MathContext(60));
        BigDecimal squares = BigDecimal.ZERO;
        for (double number : numbers) {
            squares = squares.add(new BigDecimal(number).subtract(mean).pow(2));
        }
        return squares.divide(BigDecimal.valueOf(values.size() - less), new MathContext(40))
                .doubleValue();
    }

    private static Double root(Double variance) {
        return variance == null ? null : (Double) Math.sqrt(variance);
    }

    private static Object normal(Object value) {
        return value instanceof Double real ? (Object) (real == 0 ? 0.0 : real) : value;
    }

    private static int compare(Object a, Object b) {
        if (a == null || b == null) {
            return Boolean.compare(a != null, b != null);
        }
        return switch (a) {
            case Long x -> Long.compare(x, (Long) b);
            case Double x -> Ordering.compare(x, (Double) b);
            case Boolean x -> Boolean.compare(x, (Boolean) b);
            case BigDecimal x -> x.compareTo((BigDecimal) b);
            case byte[] x -> Arrays.compareUnsigned(x, (byte[]) b);
            default ->
                    Arrays.compareUnsigned(
                            a.toString().getBytes(StandardCharsets.UTF_8),
                            b.toString().getBytes(StandardCharsets.UTF_8));
        };
    }
}
