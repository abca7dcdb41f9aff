package dev.tidemill.operators.window;

import dev.tidemill.data.Batch;
import dev.tidemill.data.Column;
import dev.tidemill.data.ColumnBuilder;
import dev.tidemill.data.DataType;
import dev.tidemill.data.Field;
import dev.tidemill.data.Schema;
import dev.tidemill.operators.AggregateKind;
import dev.tidemill.operators.AggregateSpec;
import dev.tidemill.operators.Operator;
import dev.tidemill.operators.SideOutput;
import dev.tidemill.operators.WindowSpec;
import dev.tidemill.operators.WindowedAggregateSpec;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs a windowed step by hand and keeps what it gives. */
final class WindowFixture {
    static final Schema ROWS =
            Schema.of(
                    new Field("t", DataType.INT64),
                    new Field("k", DataType.UTF8),
                    new Field("v", DataType.INT64),
                    new Field("d", DataType.FLOAT64));

    static final class Side implements SideOutput {
        final List<String> errors = new ArrayList<>();
        final List<Long> lateBy = new ArrayList<>();
        long late;
        long filtered;
        long dropped;

        @Override
        public void errors(Batch rows, String[] reasons) {
            errors.addAll(List.of(reasons));
        }

        @Override
        public void late(Batch rows, long[] by) {
            late += rows.rows();
            for (long ms : by) {
                lateBy.add(ms);
            }
        }

        @Override
        public void late(long count) {
            late += count;
        }

        @Override
        public void filtered(long count) {
            filtered += count;
        }

        @Override
        public void dropped(long count) {
            dropped += count;
        }
    }

    final Operator operator;
    final Side side = new Side();
    final List<Map<String, Object>> out = new ArrayList<>();
    private boolean refuse;

    WindowFixture(Operator operator) {
        this.operator = operator;
    }

    static Batch batch(Object[]... rows) {
        return batch(ROWS, List.of(rows));
    }

    static Batch batch(Schema schema, List<Object[]> rows) {
        Column[] columns = new Column[schema.size()];
        for (int c = 0; c < columns.length; c++) {
            ColumnBuilder builder = ColumnBuilder.of(schema.type(c));
            for (Object[] row : rows) {
                builder.append(row[c]);
            }
            columns[c] = builder.build();
        }
        return Batch.of(schema, columns, rows.size());
    }

    static Object[] row(long time, String key, Long value) {
        return new Object[] {time, key, value, value == null ? null : value / 4.0};
    }

    WindowFixture process(Batch batch) {
        operator.process(0, batch, side);
        return drain();
    }

    WindowFixture advance(long watermark) {
        operator.advance(watermark);
        return drain();
    }

    WindowFixture tick() {
        operator.tick(0);
        return drain();
    }

    WindowFixture finish() {
        operator.finish();
        return drain();
    }

    private WindowFixture drain() {
        while (!operator.drain(this::offer, side)) {}
        return this;
    }

    private boolean offer(Batch batch) {
        refuse = !refuse;
        if (refuse) {
            return false;
        }
        for (int i = 0; i < batch.rows(); i++) {
            out.add(batch.row(i));
        }
        return true;
    }

    static final class SpecBuilder {
        private WindowSpec window;
        private List<AggregateSpec> aggregates =
                List.of(new AggregateSpec(AggregateKind.COUNT, null, "n"));
        private List<String> groupBy = List.of("k");
        private long lateness;
        private long correct;
        private long everyRows;
        private long everyMs;
        private boolean keys;
        private boolean lateRows;

        SpecBuilder(WindowSpec window) {
            this.window = window;
        }

        SpecBuilder groupBy(String... columns) {
            groupBy = List.of(columns);
            return this;
        }

        SpecBuilder aggregates(AggregateSpec... specs) {
            aggregates = List.of(specs);
            return this;
        }

        SpecBuilder lateness(long ms) {
            lateness = ms;
            return this;
        }

        SpecBuilder correct(long ms) {
            correct = ms;
            return this;
        }

        SpecBuilder everyRows(long rows) {
            everyRows = rows;
            return this;
        }

        SpecBuilder everyMs(long ms) {
            everyMs = ms;
            return this;
        }

        SpecBuilder keys() {
            keys = true;
            return this;
        }

        SpecBuilder lateRows() {
            lateRows = true;
            return this;
        }

        SpecBuilder zone(String id) {
            window =
                    new WindowSpec(
                            window.sizeMs(), window.slideMs(), window.offsetMs(), ZoneId.of(id));
            return this;
        }

        WindowedAggregateSpec build() {
            return new WindowedAggregateSpec(
                    "w",
                    "t",
                    window,
                    groupBy,
                    aggregates,
                    lateness,
                    correct,
                    everyRows,
                    everyMs,
                    keys,
                    lateRows);
        }

        WindowFixture start() {
            return new WindowFixture(new WindowedAggregate(build()));
        }
    }

    static SpecBuilder tumbling(long size) {
        return new SpecBuilder(WindowSpec.tumbling(size));
    }

    static SpecBuilder sliding(long size, long slide) {
        return new SpecBuilder(WindowSpec.sliding(size, slide));
    }

    /** The results as {@code start,end,key,value}. */
    List<String> lines(String... columns) {
        return out.stream()
                .map(
                        row -> {
                            StringBuilder line = new StringBuilder();
                            for (String column : columns) {
                                line.append(line.isEmpty() ? "" : " ").append(row.get(column));
                            }
                            return line.toString();
                        })
                .toList();
    }
}
