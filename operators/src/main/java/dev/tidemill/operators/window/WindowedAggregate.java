package dev.tidemill.operators.window;

import dev.tidemill.data.Batch;
import dev.tidemill.data.Column;
import dev.tidemill.data.DataType;
import dev.tidemill.data.Field;
import dev.tidemill.data.LongColumn;
import dev.tidemill.data.Schema;
import dev.tidemill.data.Selection;
import dev.tidemill.operators.AggregateKind;
import dev.tidemill.operators.AggregateSpec;
import dev.tidemill.operators.Operator;
import dev.tidemill.operators.Outbox;
import dev.tidemill.operators.SideOutput;
import dev.tidemill.operators.WindowedAggregateSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The step {@code windowedAggregate}: rows are folded into slices of time, and a window that closes is the merge of its slices. The time column is int64 ms without
 * nulls. A row that comes for slices whose windows have all closed is late; otherwise it counts in those still open.
 *
 * <p>Takes rows, or the partial aggregates of {@link PartialWindowAggregate}.
 */
public final class WindowedAggregate implements Operator {
    private static final int PIECE_ROWS = 8192;

    private final WindowedAggregateSpec spec;
    private final boolean partials;
    private final Slicing slicing;
    private final SliceTable table;
    private final TreeMap<Long, Slice> slices;
    private final RunCache runs;

    /** All windows that end at or before have fired. */
    private long firedThrough = Long.MIN_VALUE;

    /** All windows that end at or before are to fire. */
    private long fireThrough = Long.MIN_VALUE;

    private long lastFiredStart = Long.MIN_VALUE;

    private long onTimeRows;
    private boolean earlyDue;
    private boolean correctionDue;

    /** Windows to write early or corrected, by start; true for corrections. */
    private TreeMap<Long, Boolean> extraWindows;

    private boolean writesCorrections;
    private boolean writesEarly;

    private Emission emission;
    private Schema output;

    /** A window on its way out. */
    private static final class Emission {
        private final long start;
        private final long end;
        private final Run run;
        private int next;

        /** Made, and refused by the outbox. */
        private Batch piece;

        Emission(long start, long end, Run run) {
            this.start = start;
            this.end = end;
            this.run = run;
        }
    }

    private WindowedAggregate(WindowedAggregateSpec spec, boolean partials) {
        this.spec = spec;
        this.partials = partials;
        this.slicing = Slicing.of(spec.window());
        this.table = new SliceTable(spec, slicing, partials, false, this::forgetRuns);
        this.slices = table.slices();
        this.runs = new RunCache(spec.window(), slices);
    }

    private void forgetRuns() {
        runs.clear();
    }

    /** Over rows. */
    public static WindowedAggregate ofRows(WindowedAggregateSpec spec) {
        return new WindowedAggregate(spec, false);
    }

    /** Over what {@link PartialWindowAggregate}s of the same spec give. */
    public static WindowedAggregate ofPartials(WindowedAggregateSpec spec) {
        return new WindowedAggregate(spec, true);
    }

    /** Whether the step may be aggregated before the shuffle: its states have a fixed size, and no single row is needed behind. */
    public static boolean canPreAggregate(WindowedAggregateSpec spec) {
        return spec.everyRows() == 0
                && !spec.lateRows()
                && spec.aggregates().stream()
                        .noneMatch(a -> a.kind() == AggregateKind.COUNT_DISTINCT);
    }

    /** The columns of the results for input rows of a schema. */
    public static Schema outputSchema(WindowedAggregateSpec spec, Schema input) {
        List<DataType> keys = new ArrayList<>();
        for (String name : spec.groupBy()) {
            keys.add(typeOf(input, name));
        }
        List<DataType> results = new ArrayList<>();
        for (AggregateSpec aggregate : spec.aggregates()) {
            DataType type =
                    aggregate.column() == null ? DataType.NULL : typeOf(input, aggregate.column());
            results.add(
                    Accumulators.of(
                                    aggregate.kind(),
                                    Accumulators.usable(aggregate.kind(), type),
                                    0)
                            .resultType());
        }
        return outputSchema(spec, keys, results);
    }

    private static DataType typeOf(Schema schema, String column) {
        int index = schema.indexOf(column);
        return index < 0 ? DataType.NULL : schema.type(index);
    }

    private static Schema outputSchema(
            WindowedAggregateSpec spec, List<DataType> keys, List<DataType> results) {
        List<Field> fields = new ArrayList<>();
        fields.add(new Field(WindowedAggregateSpec.WINDOW_START, DataType.INT64));
        fields.add(new Field(WindowedAggregateSpec.WINDOW_END, DataType.INT64));
        for (int k = 0; k < keys.size(); k++) {
            fields.add(new Field(spec.groupBy().get(k), keys.get(k)));
        }
        for (int i = 0; i < results.size(); i++) {
            fields.add(new Field(spec.aggregates().get(i).alias(), results.get(i)));
        }
        if (spec.rowKeys()) {
            fields.add(new Field(Schema.KEY, DataType.UTF8));
        }
        return new Schema(fields);
    }

    /** Why an aggregate of the step can never use its column in rows of this schema, or null. */
    public static String refusal(AggregateSpec aggregate, Schema input) {
        return aggregate.column() == null
                ? null
                : Accumulators.refusal(aggregate, typeOf(input, aggregate.column()));
    }

    @Override
    public void process(int input, Batch batch, SideOutput side) {
        if (batch.rows() == 0) {
            return;
        }
        table.add(batch, new Gate(batch, side));
        if (spec.everyRows() > 0 && onTimeRows >= spec.everyRows()) {
            onTimeRows %= spec.everyRows();
            earlyDue = true;
        }
    }

    private final class Gate implements SliceTable.Gate {
        private final Batch batch;
        private final SideOutput side;

        Gate(Batch batch, SideOutput side) {
            this.batch = batch;
            this.side = side;
        }

        @Override
        public boolean takes(long sliceStart, Batch rows) {
            if (firedThrough == Long.MIN_VALUE) {
                return true;
            }
            long lastEnd = slicing.lastEnd(sliceStart);
            long closed = Slicing.add(firedThrough, -spec.correctForMs());
            if (lastEnd > closed) {
                return true;
            }
            late(rows, Slicing.add(closed, -lastEnd));
            return false;
        }

        private void late(Batch rows, long by) {
            if (partials) {
                LongColumn counts = (LongColumn) rows.column(PartialColumns.ROWS);
                long total = 0;
                for (int i = 0; i < rows.rows(); i++) {
                    total += counts.get(rows.physicalRow(i));
                }
                side.late(total);
                return;
            }
            if (!spec.lateRows()) {
                side.late(rows.rows());
                return;
            }
            long[] lateBy = new long[rows.rows()];
            Arrays.fill(lateBy, by);
            side.late(rows, lateBy);
        }

        @Override
        public void taken(
                long sliceStart, Slice slice, Selection rows, int physicalRows, int[] groups) {
            runs.invalidate(sliceStart);
            onTimeRows += rows == null ? physicalRows : rows.count();
            if (spec.everyRows() > 0 || spec.everyMs() > 0) {
                slice.note(slice.changed(), rows, physicalRows, groups);
            }
            if (spec.correctForMs() > 0
                    && firedThrough != Long.MIN_VALUE
                    && slicing.windowEnd(slicing.firstWindow(sliceStart)) <= firedThrough) {
                slice.note(slice.corrected(), rows, physicalRows, groups);
                correctionDue = true;
            }
        }
    }

    @Override
    public void advance(long watermark) {
        fireThrough = Math.max(fireThrough, Slicing.add(watermark, -spec.allowedLatenessMs()));
    }

    @Override
    public void tick(long nowMillis) {
        earlyDue = true;
    }

    @Override
    public long tickMillis() {
        return spec.everyMs();
    }

    @Override
    public void finish() {
        fireThrough = Long.MAX_VALUE;
    }

    @Override
    public boolean drain(Outbox out, SideOutput side) {
        while (emission != null || prepare()) {
            if (!emit(out, side)) {
                return false;
            }
        }
        return true;
    }

    /** Sets up the next window to write; false when nothing is due. Corrections come first: they belong to windows that have fired. */
    private boolean prepare() {
        if (correctionDue || earlyDue) {
            collectExtraWindows();
        }
        while (extraWindows != null) {
            Map.Entry<Long, Boolean> next = extraWindows.pollFirstEntry();
            if (next == null) {
                forgetWritten();
                extraWindows = null;
                break;
            }
            if (prepareExtra(next.getKey(), next.getValue())) {
                return true;
            }
        }
        return prepareClosing();
    }

    private void collectExtraWindows() {
        writesCorrections = correctionDue;
        writesEarly = earlyDue;
        extraWindows = new TreeMap<>();
        for (Map.Entry<Long, Slice> entry : slices.entrySet()) {
            boolean changed = earlyDue && entry.getValue().changed().any();
            boolean corrected = correctionDue && entry.getValue().corrected().any();
            if (!changed && !corrected) {
                continue;
            }
            for (long start : windowsOver(entry.getKey())) {
                long end = slicing.windowEnd(start);
                boolean closed = firedThrough != Long.MIN_VALUE && end <= firedThrough;
                if (closed && corrected && end > Slicing.add(firedThrough, -spec.correctForMs())) {
                    extraWindows.put(start, true);
                } else if (!closed && changed) {
                    extraWindows.put(start, false);
                }
            }
        }
        earlyDue = false;
        correctionDue = false;
    }

    private Iterable<Long> windowsOver(long sliceStart) {
        TreeSet<Long> starts = new TreeSet<>();
        long last = slicing.lastWindow(sliceStart);
        for (long start = slicing.firstWindow(sliceStart);
                start <= last;
                start = slicing.nextWindow(start)) {
            if (!starts.add(start)) {
                break;
            }
        }
        return starts;
    }

    private boolean prepareExtra(long start, boolean correction) {
        long end = slicing.windowEnd(start);
        Run all = runs.window(start, end);
        Run changed = all == null ? null : all.only(correction ? all.corrected() : all.changed());
        if (changed == null || changed.count() == 0) {
            return false;
        }
        emission = new Emission(start, end, changed);
        return true;
    }

    private void forgetWritten() {
        for (Map.Entry<Long, Slice> entry : slices.entrySet()) {
            Slice slice = entry.getValue();
            if (writesCorrections && slice.corrected().any()) {
                slice.forget(slice.corrected());
                runs.invalidate(entry.getKey());
            }
            if (writesEarly && slice.changed().any()) {
                slice.forget(slice.changed());
                runs.invalidate(entry.getKey());
            }
        }
    }

    /** Sets up the next window to close: the first that has not fired and covers a slice. So cost follows rows, not the span of time. */
    private boolean prepareClosing() {
        if (fireThrough <= firedThrough) {
            return false;
        }
        boolean noneFired = firedThrough == Long.MIN_VALUE;
        long first = noneFired ? Long.MIN_VALUE : nextUnfired();
        Map.Entry<Long, Slice> slice = slices.isEmpty() ? null : slices.ceilingEntry(first);
        if (slice != null) {
            long start = Math.max(first, slicing.firstWindow(slice.getKey()));
            long end = slicing.windowEnd(start);
            if (end <= fireThrough) {
                emission = new Emission(start, end, runs.window(start, end));
                lastFiredStart = start;
                firedThrough = end == Long.MAX_VALUE ? Long.MAX_VALUE - 1 : end;
                return true;
            }
        }
        firedThrough = fireThrough;
        removeClosed();
        return false;
    }

    private long nextUnfired() {
        // Where ends saturate, starts still tell windows apart.
        return firedThrough >= Long.MAX_VALUE - 1
                ? slicing.nextWindow(lastFiredStart)
                : slicing.firstWindowEndingAfter(firedThrough);
    }

    private void removeClosed() {
        long closed =
                fireThrough == Long.MAX_VALUE
                        ? Long.MAX_VALUE
                        : Slicing.add(firedThrough, -spec.correctForMs());
        while (!slices.isEmpty() && slicing.lastEnd(slices.firstKey()) <= closed) {
            long start = slices.firstKey();
            table.remove(start);
            runs.invalidate(start);
        }
    }

    /** Writes the rest of the window; false when the outbox is full. */
    private boolean emit(Outbox out, SideOutput side) {
        Emission current = emission;
        while (current.next < current.run.count()) {
            int to = Math.min(current.run.count(), current.next + PIECE_ROWS);
            if (current.piece == null) {
                current.piece = piece(current, to, side);
            }
            if (current.piece.rows() > 0 && !out.offer(current.piece)) {
                return false;
            }
            current.piece = null;
            current.next = to;
        }
        emission = null;
        return true;
    }

    private Batch piece(Emission current, int to, SideOutput side) {
        int from = current.next;
        int count = to - from;
        Run run = current.run;
        int[] rows = range(from, count);
        boolean whole = from == 0 && count == run.count();
        List<Column> columns = new ArrayList<>();
        columns.add(filled(current.start, count));
        columns.add(filled(current.end, count));
        List<DataType> keyTypes = new ArrayList<>();
        for (Column key : run.keys()) {
            columns.add(whole && key.length() == count ? key : key.gather(rows, count));
            keyTypes.add(key.type());
        }
        List<DataType> resultTypes = new ArrayList<>();
        for (Accumulator accumulator : run.accumulators()) {
            Column result =
                    whole
                            ? accumulator.result(count)
                            : accumulator.gather(rows, count).result(count);
            columns.add(result);
            resultTypes.add(result.type());
        }
        if (spec.rowKeys()) {
            columns.add(RowKeys.of("w|" + current.start + "|" + current.end, run.keys(), from, to));
        }
        Schema schema = outputSchema(spec, keyTypes, resultTypes);
        if (!schema.equals(output)) {
            output = schema;
        }
        Batch batch = Batch.of(output, columns.toArray(Column[]::new), count);
        return withoutFailures(batch, run, from, count, side);
    }

    private static Batch withoutFailures(
            Batch batch, Run run, int from, int count, SideOutput side) {
        String[] reasons = null;
        for (Accumulator accumulator : run.accumulators()) {
            if (!accumulator.mayFail()) {
                continue;
            }
            for (int i = 0; i < count; i++) {
                String reason = accumulator.failure(from + i);
                if (reason != null) {
                    reasons = reasons == null ? new String[count] : reasons;
                    reasons[i] = reasons[i] == null ? reason : reasons[i];
                }
            }
        }
        return reasons == null ? batch : apart(batch, reasons, count, side);
    }

    private static Batch apart(Batch batch, String[] reasons, int count, SideOutput side) {
        int[] good = new int[count];
        int[] bad = new int[count];
        String[] badReasons = new String[count];
        int goodCount = 0;
        int badCount = 0;
        for (int i = 0; i < count; i++) {
            if (reasons[i] == null) {
                good[goodCount++] = i;
            } else {
                badReasons[badCount] = reasons[i];
                bad[badCount++] = i;
            }
        }
        if (badCount > 0) {
            side.errors(
                    batch.select(new Selection(bad, badCount)),
                    Arrays.copyOf(badReasons, badCount));
        }
        return batch.select(new Selection(good, goodCount));
    }

    private static int[] range(int from, int count) {
        int[] rows = new int[count];
        for (int i = 0; i < count; i++) {
            rows[i] = from + i;
        }
        return rows;
    }

    private static Column filled(long value, int count) {
        long[] values = new long[count];
        Arrays.fill(values, value);
        return new LongColumn(DataType.INT64, values, null, count);
    }

    /** The start of the earliest window that can still be written. */
    @Override
    public long outputWatermark(long watermark) {
        long closed =
                Slicing.add(
                        Slicing.add(watermark, -spec.allowedLatenessMs()), -spec.correctForMs());
        return closed == Long.MIN_VALUE ? Long.MIN_VALUE : slicing.firstWindowEndingAfter(closed);
    }
}
