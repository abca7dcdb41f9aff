package dev.tidemill.testkit;

import dev.tidemill.data.Batch;
import dev.tidemill.data.Selection;
import dev.tidemill.operators.Operator;
import dev.tidemill.operators.SideOutput;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Runs an operator in every awkward way its contract allows, and holds it to that contract: batches of 1, 7, 1024 rows and of all there are; rows hidden by
 * a selection; an outbox that refuses every other batch; a restart after every event, from images that went through bytes, over other numbers of shards. The
 * results are for the test to compare: mostly all ways must give the same.
 */
public final class HostileHarness {
    private static final int[] BATCH_ROWS = {1, 7, 1024, Integer.MAX_VALUE};

    /** Restarts cost much more than rows: with small batches there is one after every few events. */
    private static final int[] RESTARTED_BATCH_ROWS = {7, Integer.MAX_VALUE};

    private static final int EVERY_EVENT_FROM_ROWS = 1024;

    private static final int MOST_ROWS_A_PIECE = 4096;

    /** An operator that needs more calls of drain than this for one event does not get on. */
    private static final int MOST_DRAINS = 1_000_000;

    private HostileHarness() {}

    /** What happens to an operator. */
    public sealed interface Event {}

    /** Rows of one input. Rows of one schema that follow each other may be cut otherwise. */
    public record Rows(int input, Batch batch) implements Event {}

    public record Watermark(long time) implements Event {}

    public record Tick(long nowMillis) implements Event {}

    public record Flush() implements Event {}

    /**
     * What came of a run, all in order.
     *
     * @param way    how it was run, for messages
     * @param rows   the results
     * @param errors what could not be represented, with the reason as {@code reason}
     * @param late   late rows given as rows, with {@code lateByMs}
     * @param lateRows how many rows were late in all
     */
    public record Outcome(
            String way,
            List<Map<String, Object>> rows,
            List<Map<String, Object>> errors,
            List<Map<String, Object>> late,
            long lateRows,
            long filtered,
            long dropped) {}

    /** Runs the events and then the end of input, once in each way; see {@link #run}. */
    public static List<Outcome> runAllWays(
            Supplier<Operator> operator, List<Event> events, String timeColumn) {
        List<Outcome> outcomes = new ArrayList<>();
        for (int batchRows : BATCH_ROWS) {
            for (boolean refuses : new boolean[] {false, true}) {
                for (boolean hides : new boolean[] {false, true}) {
                    outcomes.add(
                            run(operator, events, timeColumn, batchRows, refuses, hides, false));
                }
            }
        }
        for (int batchRows : RESTARTED_BATCH_ROWS) {
            outcomes.add(run(operator, events, timeColumn, batchRows, true, false, true));
        }
        return outcomes;
    }

    /**
     * Runs the events and then the end of input.
     *
     * @param timeColumn the event time of results, which are held to the output watermarks; null for none
     * @param batchRows  how many rows a batch has at most
     * @param refuses   whether the outbox refuses every other batch
     * @param hides     whether batches hold dead rows between the living ones
     * @param restores  whether again and again the operator is replaced by one that was restored from its images
     */
    public static Outcome run(
            Supplier<Operator> operator,
            List<Event> events,
            String timeColumn,
            int batchRows,
            boolean refuses,
            boolean hides,
            boolean restores) {
        String way =
                "batches of "
                        + batchRows
                        + (refuses ? ", refusing" : "")
                        + (hides ? ", with dead rows" : "")
                        + (restores ? ", restored" : "");
        Run run =
                new Run(
                        operator.get(),
                        restores
                                ? new Restarts(operator, batchRows < EVERY_EVENT_FROM_ROWS ? 11 : 1)
                                : null,
                        way,
                        refuses,
                        timeColumn);
        int inputs = 1;
        for (int i = 0; i < events.size(); i++) {
            switch (events.get(i)) {
                case Rows rows -> {
                    Batch all = rows.batch();
                    while (i + 1 < events.size()
                            && events.get(i + 1) instanceof Rows next
                            && next.input() == rows.input()
                            && next.batch().schema().equals(all.schema())) {
                        all = Batches.concat(all, next.batch());
                        i++;
                    }
                    inputs = Math.max(inputs, rows.input() + 1);
                    for (Batch piece : pieces(all.compact(), batchRows)) {
                        run.rows(rows.input(), hides ? withDeadRows(piece) : piece);
                    }
                }
                case Watermark watermark -> run.advance(watermark.time());
                case Tick tick -> run.tick(tick.nowMillis());
                case Flush _ -> run.flush();
            }
        }
        return run.finish(inputs);
    }

    /** The events with this row added to the rows of one of them: at the beginning, in the middle and at the end. */
    public static List<List<Event>> withAwkwardRow(List<Event> events, int event, Batch row) {
        Rows rows = (Rows) events.get(event);
        int count = rows.batch().rows();
        List<List<Event>> out = new ArrayList<>();
        for (int place : new int[] {0, count / 2, count}) {
            Batch before = slice(rows.batch().compact(), 0, place);
            Batch behind = slice(rows.batch().compact(), place, count);
            List<Event> changed = new ArrayList<>(events);
            changed.set(
                    event,
                    new Rows(rows.input(), Batches.concat(Batches.concat(before, row), behind)));
            out.add(changed);
        }
        return out;
    }

    private static List<Batch> pieces(Batch batch, int rows) {
        if (batch.rows() <= rows) {
            return List.of(batch);
        }
        List<Batch> pieces = new ArrayList<>();
        for (int from = 0; from < batch.rows(); from += rows) {
            pieces.add(slice(batch, from, Math.min(batch.rows(), from + rows)));
        }
        return pieces;
    }

    private static Batch slice(Batch batch, int from, int to) {
        int[] rows = new int[to - from];
        Arrays.setAll(rows, i -> from + i);
        return batch.gather(rows, rows.length);
    }

    /** Every living row behind a dead copy of a row: who ignores the selection counts double. */
    private static Batch withDeadRows(Batch batch) {
        int count = batch.rows();
        int[] rows = new int[2 * count];
        int[] alive = new int[count];
        for (int i = 0; i < count; i++) {
            rows[2 * i] = count - 1 - i;
            rows[2 * i + 1] = i;
            alive[i] = 2 * i + 1;
        }
        return batch.gather(rows, rows.length).select(new Selection(alive, count));
    }

    private static final class Run implements SideOutput {
        private Operator operator;

        /** Null when the operator runs through. */
        private final Restarts restarts;

        private final String way;
        private final boolean refuses;
        private final String timeColumn;
        private final List<Map<String, Object>> rows = new ArrayList<>();
        private final List<Map<String, Object>> errors = new ArrayList<>();
        private final List<Map<String, Object>> late = new ArrayList<>();
        private long lateRows;
        private long filtered;
        private long dropped;
        private boolean refusesNext = true;
        private int errorBatches;
        private Batch refused;
        private long watermark = Long.MIN_VALUE;
        private long outputWatermark = Long.MIN_VALUE;

        Run(Operator operator, Restarts restarts, String way, boolean refuses, String timeColumn) {
            this.restarts = restarts;
            this.timeColumn = timeColumn;
            this.operator = operator;
            this.way = way;
            this.refuses = refuses;
        }

        void rows(int input, Batch batch) {
            operator.process(input, batch, this);
            settled();
            restart();
        }

        void advance(long time) {
            if (time <= watermark) {
                return;
            }
            watermark = time;
            operator.advance(time);
            settled();
            long promised = operator.outputWatermark(time);
            check(
                    promised >= outputWatermark,
                    "the output watermark went back from " + outputWatermark + " to " + promised);
            outputWatermark = promised;
            restart();
        }

        private void restart() {
            if (restarts == null || !restarts.isDue()) {
                return;
            }
            operator.flush();
            settled();
            operator = restarts.restarted(operator);
            settled();
        }

        void tick(long nowMillis) {
            operator.tick(nowMillis);
            settled();
            restart();
        }

        void flush() {
            operator.flush();
            settled();
        }

        Outcome finish(int inputs) {
            for (int input = 0; input < inputs; input++) {
                operator.endOfInput(input);
                settled();
            }
            operator.finish();
            settled();
            return new Outcome(way, rows, errors, late, lateRows, filtered, dropped);
        }

        private void settled() {
            int drains = 0;
            boolean isDone = false;
            while (!isDone) {
                errorBatches = 0;
                isDone = operator.drain(this::offer, this);
                check(errorBatches <= 1, "more than one batch of errors in one drain");
                check(++drains < MOST_DRAINS, "drain does not come to an end");
                check(!isDone || refused == null, "drain is done, but a batch was refused");
            }
            int before = rows.size();
            check(operator.drain(this::offer, this), "drain was done and is not any more");
            check(rows.size() == before, "drain was done and gave more rows");
        }

        private boolean offer(Batch batch) {
            check(batch.rows() > 0, "an empty batch was offered");
            check(batch.rows() <= MOST_ROWS_A_PIECE, batch.rows() + " rows in one batch");
            check(
                    refused == null || refused == batch,
                    "another batch than the refused one was offered");
            refusesNext = !refusesNext;
            if (refuses && refusesNext) {
                refused = batch;
                return false;
            }
            refused = null;
            checkTimes(batch);
            addTo(rows, batch);
            return true;
        }

        private void checkTimes(Batch batch) {
            for (int i = 0; timeColumn != null && i < batch.rows(); i++) {
                long time = (Long) batch.row(i).get(timeColumn);
                check(
                        time >= outputWatermark,
                        "a row of time "
                                + time
                                + " behind the output watermark "
                                + outputWatermark);
            }
        }

        private static void addTo(List<Map<String, Object>> list, Batch batch) {
            for (int i = 0; i < batch.rows(); i++) {
                list.add(batch.row(i));
            }
        }

        @Override
        public void errors(Batch batch, String[] reasons) {
            errorBatches++;
            check(batch.rows() > 0, "an empty batch of errors");
            for (int i = 0; i < batch.rows(); i++) {
                Map<String, Object> row = new LinkedHashMap<>(batch.row(i));
                row.put("reason", reasons[i]);
                errors.add(row);
            }
        }

        @Override
        public void late(Batch batch, long[] lateByMs) {
            lateRows += batch.rows();
            for (int i = 0; i < batch.rows(); i++) {
                check(lateByMs[i] >= 0, "late by " + lateByMs[i]);
                Map<String, Object> row = new LinkedHashMap<>(batch.row(i));
                row.put("lateByMs", lateByMs[i]);
                late.add(row);
            }
        }

        @Override
        public void late(long count) {
            lateRows += count;
        }

        @Override
        public void filtered(long count) {
            filtered += count;
        }

        @Override
        public void dropped(long count) {
            dropped += count;
        }

        private void check(boolean holds, String otherwise) {
            if (!holds) {
                throw new AssertionError(otherwise + " (" + way + ")");
            }
        }
    }
}
