package dev.tidemill.operators.window;

import dev.tidemill.data.Batch;
import dev.tidemill.data.Column;
import dev.tidemill.data.DataType;
import dev.tidemill.data.Field;
import dev.tidemill.data.LongColumn;
import dev.tidemill.data.Schema;
import dev.tidemill.data.Selection;
import dev.tidemill.operators.AggregateSpec;
import dev.tidemill.operators.Operator;
import dev.tidemill.operators.Outbox;
import dev.tidemill.operators.SideOutput;
import dev.tidemill.operators.WindowedAggregateSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Aggregates within a task by slice and group, so that a shuffle carries groups and not rows. It fires nothing and judges nothing late; a slice goes on when
 * the watermark has passed it, when many groups are held, or when the input pauses. Batches carry their key hashes.
 */
public final class PartialWindowAggregate implements Operator {
    /** So many groups are held at most before all of them go on. */
    private static final int MAX_GROUPS = 1 << 16;

    private final WindowedAggregateSpec spec;
    private final Slicing slicing;
    private final SliceTable table;
    private long dueBelow = Long.MIN_VALUE;
    private boolean allDue;
    private int groups;
    private Batch refused;
    private Schema output;

    public PartialWindowAggregate(WindowedAggregateSpec spec) {
        this.spec = spec;
        this.slicing = Slicing.of(spec.window());
        this.table = new SliceTable(spec, slicing, false, true, () -> {});
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
        table.add(batch, Open.GATE);
        groups = 0;
        for (Slice slice : table.slices().values()) {
            groups += slice.groups();
        }
        allDue |= groups >= MAX_GROUPS;
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
            if (refused != null && !out.offer(refused)) {
                return false;
            }
            refused = null;
            Map.Entry<Long, Slice> first = table.slices().firstEntry();
            if (first == null || !allDue && slicing.sliceEnd(first.getKey()) > dueBelow) {
                allDue = false;
                return true;
            }
            refused = batch(first.getKey(), first.getValue());
            table.remove(first.getKey());
        }
    }

    private Batch batch(long sliceStart, Slice slice) {
        int count = slice.groups();
        int[] all = Selection.all(count).rows();
        List<Column> columns = new ArrayList<>();
        columns.add(filled(sliceStart, count));
        columns.add(slice.rowCounts(all, count));
        columns.addAll(List.of(slice.keys(all, count)));
        for (Accumulator accumulator : slice.accumulators()) {
            for (int part = 0; part < accumulator.partialColumns(); part++) {
                columns.add(accumulator.partial(part, all, count));
            }
        }
        Schema schema = schema(columns);
        if (!schema.equals(output)) {
            output = schema;
        }
        return Batch.of(output, columns.toArray(Column[]::new), count)
                .withHashes(Arrays.copyOf(slice.hashes(), count));
    }

    private Schema schema(List<Column> columns) {
        List<String> names = new ArrayList<>(List.of(PartialColumns.SLICE, PartialColumns.ROWS));
        names.addAll(spec.groupBy());
        for (int i = 0; i < spec.aggregates().size(); i++) {
            AggregateSpec aggregate = spec.aggregates().get(i);
            for (int part = 0; part < PartialColumns.width(aggregate); part++) {
                names.add(PartialColumns.state(i, part));
            }
        }
        List<Field> fields = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            fields.add(new Field(names.get(i), columns.get(i).type()));
        }
        return new Schema(fields);
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
