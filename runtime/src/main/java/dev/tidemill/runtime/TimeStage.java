package dev.tidemill.runtime;

import dev.tidemill.data.Batch;
import dev.tidemill.data.DataType;
import dev.tidemill.data.LongColumn;
import dev.tidemill.data.Selection;
import dev.tidemill.runtime.Dataflow.TimeSpec;
import dev.tidemill.spi.Clock;
import dev.tidemill.spi.Notices;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Gives a stream its event time: rows get their time as int64 ms, watermarks follow them, and splits that are silent stop holding time back. */
final class TimeStage extends PassStage {
    private static final long YEAR_1971 = 31_536_000_000L;
    private static final long INGEST_TICK_MILLIS = 50;

    private final TimeSpec spec;
    private final TimeReader reader;
    private final SplitTimes splits;
    private final Clock clock;
    private final ProcessingTime processingTime;
    private final Notices notices;
    private final Side side;
    private final StepMetrics metrics;
    private boolean unitChecked;
    private long handedOn = Long.MIN_VALUE;
    private long wanted = Long.MIN_VALUE;
    private boolean quiet;
    private boolean quietHandedOn;
    private boolean ended;
    private long maxSeen = Long.MIN_VALUE;
    private final Handover handover;
    private final Map<String, Long> restored;
    private final Map<Integer, String> identities = new HashMap<>();

    /**
     * @param handover takes the splits' times at barriers
     * @param restored the times of splits in the epoch that the run goes on from, by identity
     */
    TimeStage(
            TimeSpec spec,
            Handover handover,
            Map<String, Long> restored,
            Clock clock,
            ProcessingTime processingTime,
            Notices notices,
            Side side,
            StepMetrics metrics,
            Stage next) {
        super(next);
        this.spec = spec;
        this.handover = handover;
        this.restored = restored;
        this.reader = new TimeReader(spec.column(), spec.unit());
        this.splits = new SplitTimes(spec.idleTimeoutMs());
        this.clock = clock;
        this.processingTime = processingTime;
        this.notices = notices;
        this.side = side;
        this.metrics = metrics;
        this.unitChecked = spec.sourceIsSynthetic();
    }

    @Override
    public void batch(Batch batch) throws Exception {
        if (batch.rows() == 0) {
            return;
        }
        if (spec.mode() == TimeSpec.Mode.INGEST) {
            long now = processingTime.millis();
            wanted = Math.max(wanted, now);
            metrics.maxTime(now);
            next.batch(stamped(batch, now));
            return;
        }
        TimeReader.Result result = reader.read(batch);
        if (result.dropped() > 0) {
            side.dropped(result.dropped());
        }
        if (result.poison() != null) {
            side.errors(result.poison(), result.reasons());
        }
        Batch rows = bounded(result.rows());
        if (rows.rows() > 0) {
            observe(rows, batch.split());
            next.batch(rows);
        }
    }

    private Batch stamped(Batch batch, long now) {
        long[] times = new long[batch.physicalRows()];
        Arrays.fill(times, now);
        return batch.withColumn(
                spec.column(), new LongColumn(DataType.INT64, times, null, times.length));
    }

    private void observe(Batch rows, int split) {
        long max = max(rows);
        maxSeen = Math.max(maxSeen, max);
        metrics.maxTime(maxSeen);
        if (!unitChecked) {
            checkUnit(max);
        }
        if (spec.mode() == TimeSpec.Mode.ROWS) {
            splits.rows(Math.max(0, split), max, clock.nanos());
            quiet = false;
            quietHandedOn = false;
            wanted = Math.max(wanted, splits.watermark());
        }
    }

    private long max(Batch rows) {
        long[] times = ((LongColumn) rows.column(spec.column())).values();
        long max = Long.MIN_VALUE;
        Selection selection = rows.selection();
        if (selection == null) {
            for (int row = 0; row < rows.physicalRows(); row++) {
                max = Math.max(max, times[row]);
            }
            return max;
        }
        int[] alive = selection.rows();
        for (int i = 0; i < selection.count(); i++) {
            max = Math.max(max, times[alive[i]]);
        }
        return max;
    }

    private void checkUnit(long max) {
        unitChecked = true;
        if (spec.unit() == TimeSpec.Unit.MS && max < YEAR_1971 && max > 0) {
            notices.warn(
                    "step "
                            + spec.stepId()
                            + ": the first rows lie before 1971 by their column "
                            + spec.column()
                            + "; is its unit seconds? Then say timeUnit = \"s\"");
        }
    }

    /** The batch without, or with clamped, rows that lie too far in the future. */
    private Batch bounded(Batch rows) {
        if (spec.maxFutureSkewMs().isEmpty() || rows.rows() == 0) {
            return rows;
        }
        long bound = saturatedSum(clock.millis(), spec.maxFutureSkewMs().getAsLong());
        if (max(rows) <= bound) {
            return rows;
        }
        if (spec.skewPolicy() == TimeSpec.SkewPolicy.CLAMP) {
            return clamped(rows, bound);
        }
        return honest(rows, bound);
    }

    private static long saturatedSum(long a, long b) {
        long sum = a + b;
        return sum < a ? Long.MAX_VALUE : sum;
    }

    private Batch clamped(Batch rows, long bound) {
        long[] times = ((LongColumn) rows.column(spec.column())).values().clone();
        for (int row = 0; row < rows.physicalRows(); row++) {
            times[row] = Math.min(times[row], bound);
        }
        return rows.withColumn(
                spec.column(), new LongColumn(DataType.INT64, times, null, rows.physicalRows()));
    }

    private Batch honest(Batch rows, long bound) {
        long[] times = ((LongColumn) rows.column(spec.column())).values();
        int[] kept = new int[rows.rows()];
        int[] ahead = new int[rows.rows()];
        int keptCount = 0;
        int aheadCount = 0;
        for (int i = 0; i < rows.rows(); i++) {
            int row = rows.physicalRow(i);
            if (times[row] <= bound) {
                kept[keptCount++] = row;
            } else {
                ahead[aheadCount++] = row;
            }
        }
        if (spec.skewPolicy() == TimeSpec.SkewPolicy.DROP) {
            side.dropped(aheadCount);
        } else {
            String[] reasons = new String[aheadCount];
            Arrays.fill(
                    reasons,
                    "column "
                            + spec.column()
                            + " lies further ahead of the clock than maxFutureSkewMs allows");
            side.errors(rows.select(new Selection(ahead, aheadCount)), reasons);
        }
        return rows.select(new Selection(kept, keptCount));
    }

    @Override
    public void splitNamed(int split, String identity) {
        identities.put(split, identity);
    }

    @Override
    public void barrier(Element.Barrier barrier) throws Exception {
        handOver();
        side.barrier(barrier);
        next.barrier(barrier);
    }

    private void handOver() {
        if (spec.mode() != TimeSpec.Mode.ROWS) {
            return;
        }
        Map<String, Long> times = new HashMap<>();
        identities.forEach(
                (split, identity) -> {
                    if (splits.time(split) != Long.MIN_VALUE) {
                        times.merge(identity, splits.time(split), Math::max);
                    }
                });
        handover.times(spec.stepId(), times);
    }

    @Override
    public void split(int split, SplitNews news) {
        switch (news) {
            case ADDED -> {
                splits.added(split, clock.nanos());
                Long time = restored.get(identities.get(split));
                if (time != null) {
                    // What follows from it waits for the next news: other splits may be further
                    // behind and not announced yet.
                    splits.restore(split, time);
                }
            }
            case CAUGHT_UP -> splits.caughtUp(split);
            case FINISHED -> splits.finished(split);
        }
        if (news == SplitNews.ADDED) {
            quiet = false;
            quietHandedOn = false;
            return;
        }
        reconsider();
    }

    private void reconsider() {
        if (spec.mode() != TimeSpec.Mode.ROWS) {
            return;
        }
        wanted = Math.max(wanted, splits.watermark());
        quiet = splits.allQuiet();
    }

    @Override
    public void tick(long nowMillis) throws Exception {
        side.tick(nowMillis);
        if (spec.mode() == TimeSpec.Mode.INGEST) {
            wanted = Math.max(wanted, processingTime.millis());
        } else {
            splits.expire(clock.nanos());
            reconsider();
        }
        next.tick(nowMillis);
    }

    @Override
    public void watermark(long time) throws Exception {
        if (spec.mode() == TimeSpec.Mode.INHERITED) {
            metrics.watermark(time);
            next.watermark(time);
        }
    }

    /** The source has nothing to read now; with time from rows the splits decide whether that lets time go on. */
    @Override
    public void idle() throws Exception {
        if (spec.mode() == TimeSpec.Mode.ROWS) {
            reconsider();
        } else if (spec.mode() == TimeSpec.Mode.INHERITED) {
            next.idle();
        }
    }

    @Override
    public void end(boolean drained) throws Exception {
        ended = true;
        handOver();
        side.end(drained);
        next.end(drained);
    }

    @Override
    public boolean settle() throws Exception {
        if (!(side.settle() & next.settle())) {
            return false;
        }
        if (ended) {
            return true;
        }
        if (wanted > handedOn) {
            handedOn = wanted;
            metrics.watermark(wanted);
            next.watermark(wanted);
            if (!next.settle()) {
                return false;
            }
        }
        if (quiet && !quietHandedOn) {
            quietHandedOn = true;
            next.idle();
        }
        return next.settle();
    }

    @Override
    public long tickMillis() {
        long own = spec.mode() == TimeSpec.Mode.INGEST ? INGEST_TICK_MILLIS : splits.tickMillis();
        return Math.min(own, super.tickMillis());
    }

    @Override
    public void close() throws IOException {
        Closing closing = new Closing();
        side.close(closing);
        closing.close(super::close);
        closing.rethrow();
    }
}
