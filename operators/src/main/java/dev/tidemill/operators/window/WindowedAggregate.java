package dev.tidemill.operators.window;

import dev.tidemill.data.Batch;
import dev.tidemill.data.LongColumn;
import dev.tidemill.data.Schema;
import dev.tidemill.data.Selection;
import dev.tidemill.operators.AggregateKind;
import dev.tidemill.operators.AggregateSpec;
import dev.tidemill.operators.Operator;
import dev.tidemill.operators.Outbox;
import dev.tidemill.operators.SideOutput;
import dev.tidemill.operators.StateImage;
import dev.tidemill.operators.StateInput;
import dev.tidemill.operators.StateOutput;
import dev.tidemill.operators.WindowedAggregateSpec;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The step {@code windowedAggregate}: rows are folded into slices of time, and a window that closes is the merge of its slices. The time column is int64 ms without
 * nulls. A row that comes for slices whose windows have all closed is late; otherwise it counts in those still open.
 *
 * <p>Takes rows and the partial aggregates of {@link PartialWindowAggregate}s of the same spec, by turns as they come.
 */
public final class WindowedAggregate implements Operator {
    private static final int PIECE_ROWS = 4096;
    private static final String FIRED = "firedThrough";
    private static final String FIRE = "fireThrough";
    private static final String ON_TIME = "onTimeRows";

    private final WindowedAggregateSpec spec;
    private final Slicing slicing;
    private final SliceTable table;
    private final TreeMap<Long, Slice> slices;
    private final RunCache runs;

    /** All windows that end at or before have fired. */
    private long firedThrough = Long.MIN_VALUE;

    /** All windows that end at or before are to fire. */
    private long fireThrough = Long.MIN_VALUE;

    /** Some windows up to {@link #fireThrough} have fired, the last of them this. */
    private boolean isFiring;

    private long lastFiredStart;

    private long onTimeRows;
    private boolean earlyDue;
    private boolean correctionDue;

    /** Windows to write early or corrected, by start; true for corrections. */
    private TreeMap<Long, Boolean> extraWindows;

    private boolean writesCorrections;
    private boolean writesEarly;

    private final Results results;
    private final SliceState state;

    /** Whether there has been an image, so that the next may have what changed since. */
    private boolean tracksDirty;

    private Emission emission;

    /** Made, and not yet taken by the outbox. */
    private Batch piece;

    private boolean hasFailures;

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

    /** @param spec what to compute */
    public WindowedAggregate(WindowedAggregateSpec spec) {
        this.spec = spec;
        this.slicing = Slicing.of(spec.window());
        this.table = new SliceTable(spec, slicing, false, this::forgetRuns);
        this.slices = table.slices();
        this.runs = new RunCache(slicing, slices);
        this.results = new Results(spec);
        this.state = new SliceState(spec, table);
    }

    private void forgetRuns() {
        runs.clear();
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
        return Results.schema(spec, input);
    }

    /** Why an aggregate of the step can never use its column in rows of this schema, or null. */
    public static String refusal(AggregateSpec aggregate, Schema input) {
        return aggregate.column() == null
                ? null
                : Accumulators.refusal(aggregate, Results.typeOf(input, aggregate.column()));
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
            if (PartialColumns.areIn(rows.schema())) {
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
            if (tracksDirty) {
                slice.note(slice.dirty(), rows, physicalRows, groups);
            }
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
        while (piece != null || makePiece(side)) {
            if (piece.rows() > 0 && !out.offer(piece)) {
                return false;
            }
            piece = null;
            if (hasFailures) {
                // The side output takes one batch of them a call.
                hasFailures = false;
                return false;
            }
        }
        return true;
    }

    /** Gathers results of one or more windows; false when nothing is due. */
    private boolean makePiece(SideOutput side) {
        boolean isAny = false;
        while (results.rows() < PIECE_ROWS && !hasFailures && (emission != null || prepare())) {
            int count = Math.min(PIECE_ROWS - results.rows(), emission.run.count() - emission.next);
            hasFailures =
                    results.add(
                            emission.start, emission.end, emission.run, emission.next, count, side);
            emission.next += count;
            emission = emission.next == emission.run.count() ? null : emission;
            isAny = true;
        }
        piece = isAny ? results.take() : null;
        return isAny;
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

    /**
     * Sets up the next window to close: the first that has not fired and covers a slice. So cost follows rows, not the span of time. Windows go by
     * start, since ends may be equal where time saturates or a clock was put forward.
     */
    private boolean prepareClosing() {
        if (fireThrough <= firedThrough) {
            return false;
        }
        long first = nextUnfired();
        Map.Entry<Long, Slice> slice = slices.ceilingEntry(first);
        boolean isPastLast = isFiring && first <= lastFiredStart;
        if (slice != null && !isPastLast) {
            long start = Math.max(first, slicing.firstWindow(slice.getKey()));
            long end = slicing.windowEnd(start);
            if (end <= fireThrough) {
                emission = new Emission(start, end, runs.window(start, end));
                lastFiredStart = start;
                isFiring = true;
                return true;
            }
        }
        isFiring = false;
        firedThrough = fireThrough;
        removeClosed();
        return false;
    }

    private long nextUnfired() {
        if (isFiring) {
            return slicing.nextWindow(lastFiredStart);
        }
        return firedThrough == Long.MIN_VALUE
                ? Long.MIN_VALUE
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

    @Override
    public void snapshot(boolean full, StateOutput out) {
        tracksDirty = true;
        out.value(FIRED, firedThrough);
        out.value(FIRE, fireThrough);
        out.value(ON_TIME, onTimeRows);
        state.write(full, out);
    }

    @Override
    public void restore(StateInput in) {
        for (List<StateImage> chain : in.chains()) {
            // At a barrier all tasks of a step have heard the same watermarks.
            Map<String, Long> values = chain.getFirst().values();
            firedThrough = Math.max(firedThrough, values.get(FIRED));
            fireThrough = Math.max(fireThrough, values.get(FIRE));
            onTimeRows = Math.max(onTimeRows, values.get(ON_TIME));
            state.read(chain, in.owns());
        }
        for (Slice slice : slices.values()) {
            correctionDue |= slice.corrected().any();
        }
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
