package dev.tidemill.operators.window;

import dev.tidemill.data.Batch;
import dev.tidemill.data.Column;
import dev.tidemill.data.DataType;
import dev.tidemill.data.LongColumn;
import dev.tidemill.data.Schema;
import dev.tidemill.data.Selection;
import dev.tidemill.operators.AggregateSpec;
import dev.tidemill.operators.Operator;
import dev.tidemill.operators.Outbox;
import dev.tidemill.operators.SideOutput;
import dev.tidemill.operators.WindowedAggregateSpec;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;

/**
 * Aggregates within a task by slice and group, so that a shuffle carries groups and not rows. It fires nothing and judges nothing late; a slice goes on when
 * the watermark has passed it, when many groups are held, or when the input pauses. Batches carry their key hashes.
 *
 * <p>Where groups are hardly fewer than rows a table costs more than it saves: then rows go on as they are, until the next trial.
 */
public final class PartialWindowAggregate implements Operator {
    /** So many groups are held at most before all of them go on. */
    private static final int MAX_GROUPS = 1 << 16;

    private static final int PIECE_ROWS = 4096;

    /** A trial is so many rows long; if it makes more groups than the share of them, the rows of the next stretch go on as they are. */
    private static final long TRIAL_ROWS = 1 << 15;

    private static final double MOST_GROUPS_A_ROW = 0.3;
    private static final long STRETCH_ROWS = 1 << 20;

    private final WindowedAggregateSpec spec;
    private final Slicing slicing;
    private final SliceTable table;
    private final PartialColumns columns;
    private final long trialRowCount;
    private final long stretchRowCount;
    private long dueBelow = Long.MIN_VALUE;
    private boolean allDue;
    private long trialRows;
    private long trialGroups;
    private long rowsToPass;

    private Schema bound;
    private Schema pruned;

    /** Positions in the bound schema of the columns that the receiver needs. */
    private int[] needed;

    /** Made, and not yet taken by the outbox. */
    private Batch piece;

    /** The groups of the first slice that went on already. */
    private int next;

    public PartialWindowAggregate(WindowedAggregateSpec spec) {
        this(spec, TRIAL_ROWS, STRETCH_ROWS);
    }

    PartialWindowAggregate(WindowedAggregateSpec spec, long trialRowCount, long stretchRowCount) {
        this.spec = spec;
        this.slicing = Slicing.of(spec.window());
        this.table = new SliceTable(spec, slicing, true, () -> {});
        this.columns = new PartialColumns(spec);
        this.trialRowCount = trialRowCount;
        this.stretchRowCount = stretchRowCount;
    }

    /** Nothing is late here: the receiver judges. */
    private enum Open implements SliceTable.Gate {
        GATE;

        @Override
        public boolean takes(long sliceStart, Batch rows) {
            return true;
        }

        @Override
        public void taken(
                long sliceStart, Slice slice, Selection rows, int physicalRows, int[] groupOf) {}
    }

    @Override
    public void process(int input, Batch batch, SideOutput side) {
        if (batch.rows() == 0) {
            return;
        }
        if (rowsToPass > 0) {
            rowsToPass -= batch.rows();
            piece = pruned(batch);
            return;
        }
        long before = table.groups();
        table.add(batch, Open.GATE);
        trialRows += batch.rows();
        trialGroups += table.groups() - before;
        if (trialRows >= trialRowCount) {
            rowsToPass = trialGroups > MOST_GROUPS_A_ROW * trialRows ? stretchRowCount : 0;
            allDue |= rowsToPass > 0;
            trialRows = 0;
            trialGroups = 0;
        }
        allDue |= table.groups() >= MAX_GROUPS;
    }

    /** Rows with no columns but those that the receiver needs. */
    private Batch pruned(Batch batch) {
        if (batch.schema() != bound) {
            bind(batch.schema());
        }
        Column[] columns = new Column[needed.length];
        for (int i = 0; i < columns.length; i++) {
            columns[i] = batch.column(needed[i]);
        }
        return batch.withColumns(pruned, columns);
    }

    private void bind(Schema schema) {
        LinkedHashSet<String> names = new LinkedHashSet<>(spec.groupBy());
        names.add(spec.timeColumn());
        spec.aggregates().stream()
                .map(AggregateSpec::column)
                .filter(Objects::nonNull)
                .forEach(names::add);
        needed = names.stream().mapToInt(schema::indexOf).filter(index -> index >= 0).toArray();
        pruned = new Schema(Arrays.stream(needed).mapToObj(schema::field).toList());
        bound = schema;
    }

    @Override
    public void advance(long watermark) {
        dueBelow = Math.max(dueBelow, watermark);
    }

    @Override
    public void tick(long nowMillis) {
        allDue = true;
    }

    @Override
    public long tickMillis() {
        return spec.everyMs();
    }

    @Override
    public void finish() {
        allDue = true;
    }

    @Override
    public void flush() {
        allDue = true;
    }

    @Override
    public boolean drain(Outbox out, SideOutput side) {
        while (true) {
            if (piece != null && !out.offer(piece)) {
                return false;
            }
            piece = null;
            Map.Entry<Long, Slice> first = table.slices().firstEntry();
            if (first == null || !allDue && slicing.sliceEnd(first.getKey()) > dueBelow) {
                allDue = false;
                return true;
            }
            piece = piece(first.getKey(), first.getValue());
            if (next == first.getValue().groups()) {
                table.remove(first.getKey());
                next = 0;
            }
        }
    }

    private Batch piece(long sliceStart, Slice slice) {
        int count = Math.min(PIECE_ROWS, slice.groups() - next);
        int[] groups = new int[count];
        for (int i = 0; i < count; i++) {
            groups[i] = next + i;
        }
        long[] hashes = Arrays.copyOfRange(slice.hashes(), next, next + count);
        next += count;
        return columns.batch(
                filled(sliceStart, count),
                slice.rowCounts(groups, count),
                slice.keys(groups, count),
                slice.accumulators(),
                table.inputs().inputTypes(),
                groups,
                count,
                hashes);
    }

    private static Column filled(long value, int count) {
        long[] values = new long[count];
        Arrays.fill(values, value);
        return new LongColumn(DataType.INT64, values, null, count);
    }

    /** A slice that is held has not ended at the watermark, so no window over it can close by it. */
    @Override
    public long outputWatermark(long watermark) {
        return watermark;
    }
}
