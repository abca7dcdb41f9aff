package dev.tidemill.operators.window;

import dev.tidemill.data.Bits;
import dev.tidemill.data.BoolColumn;
import dev.tidemill.data.Casts;
import dev.tidemill.data.Column;
import dev.tidemill.data.DataType;
import dev.tidemill.data.LongColumn;
import dev.tidemill.data.NullColumn;
import java.util.Arrays;
import java.util.List;

/** min, max and the bit operations over what a long holds: int64, timestamps, dates, and booleans as 0 and 1. */
final class LongFold extends Accumulator {
    enum Op {
        MIN(Long.MAX_VALUE),
        MAX(Long.MIN_VALUE),
        AND(-1),
        OR(0),
        XOR(0);

        private final long neutral;

        Op(long neutral) {
            this.neutral = neutral;
        }

        long of(long a, long b) {
            return switch (this) {
                case MIN -> Math.min(a, b);
                case MAX -> Math.max(a, b);
                case AND -> a & b;
                case OR -> a | b;
                case XOR -> a ^ b;
            };
        }
    }

    private final Op op;
    private final DataType type;
    private long[] values;
    private final Seen seen;
    private int groups;

    LongFold(Op op, DataType type, int groups) {
        this(op, type, new long[Math.max(FEWEST_GROUPS, groups)], new Seen(), 0);
        Arrays.fill(values, op.neutral);
        this.groups = groups;
        if (groups > 0) {
            // Groups that are there without a value of this column have none.
            seen.track(0);
            seen.reserve(groups);
        }
    }

    private LongFold(Op op, DataType type, long[] values, Seen seen, int groups) {
        this.op = op;
        this.type = type;
        this.values = values;
        this.seen = seen;
        this.groups = groups;
    }

    @Override
    void reserve(int wanted) {
        if (values.length < wanted) {
            int before = values.length;
            values = Arrays.copyOf(values, Math.max(wanted, 2 * before));
            Arrays.fill(values, before, values.length, op.neutral);
        }
        seen.reserve(wanted);
        groupsBefore = groups;
        groups = Math.max(groups, wanted);
    }

    private int groupsBefore;

    @Override
    void add(Column column, int[] rows, int count, int[] groupOf) {
        if (column.hasNulls() || column instanceof NullColumn) {
            seen.track(groupsBefore);
            seen.reserve(groups);
        }
        switch (column) {
            case LongColumn longs when seen.all() -> addAll(longs.values(), rows, count, groupOf);
            case LongColumn longs -> {
                for (int i = 0; i < count; i++) {
                    int row = physicalRow(rows, i);
                    if (!longs.isNull(row)) {
                        fold(groupOf[row], longs.get(row));
                    }
                }
            }
            case BoolColumn bools -> {
                for (int i = 0; i < count; i++) {
                    int row = physicalRow(rows, i);
                    if (!bools.isNull(row)) {
                        fold(groupOf[row], bools.get(row) ? 1 : 0);
                    }
                }
            }
            default -> {}
        }
    }

    private void addAll(long[] from, int[] rows, int count, int[] groupOf) {
        long[] to = values;
        switch (op) {
            case MAX -> {
                for (int i = 0; i < count; i++) {
                    int row = physicalRow(rows, i);
                    int group = groupOf[row];
                    to[group] = Math.max(to[group], from[row]);
                }
            }
            case MIN -> {
                for (int i = 0; i < count; i++) {
                    int row = physicalRow(rows, i);
                    int group = groupOf[row];
                    to[group] = Math.min(to[group], from[row]);
                }
            }
            default -> {
                for (int i = 0; i < count; i++) {
                    int row = physicalRow(rows, i);
                    int group = groupOf[row];
                    to[group] = op.of(to[group], from[row]);
                }
            }
        }
    }

    private void fold(int group, long value) {
        values[group] = op.of(values[group], value);
        seen.set(group);
    }

    @Override
    void addPartial(Column[] columns, int first, int[] rows, int count, int[] groupOf) {
        add(columns[first], rows, count, groupOf);
    }

    @Override
    Accumulator merged(List<Accumulator> parts, int[][] groupOf, int[][] targets, int count) {
        LongFold out = new LongFold(op, type, 0);
        boolean areAllSeen = parts.stream().allMatch(part -> ((LongFold) part).seen.all());
        if (!areAllSeen) {
            out.seen.track(0);
        }
        out.reserve(count);
        for (int part = 0; part < groupOf.length; part++) {
            out.addAll((LongFold) parts.get(part), groupOf[part], targets[part]);
        }
        return out;
    }

    private void addAll(LongFold from, int[] groupOf, int[] targets) {
        for (int i = 0; i < groupOf.length; i++) {
            if (from.seen.get(groupOf[i])) {
                fold(targets[i], from.values[groupOf[i]]);
            }
        }
    }

    @Override
    DataType resultType() {
        return type;
    }

    @Override
    Column result(int[] indices, int count) {
        long[] validity = seen.validity(indices, count);
        if (!(type instanceof DataType.Bool)) {
            return new LongColumn(type, Longs.gather(values, indices, count), validity, count);
        }
        long[] bits = new long[Bits.words(count)];
        for (int i = 0; i < count; i++) {
            if (values[indices[i]] == 1 && seen.get(indices[i])) {
                Bits.set(bits, i);
            }
        }
        return new BoolColumn(bits, validity, count);
    }

    @Override
    int partialColumns() {
        return 1;
    }

    @Override
    Column partial(int index, int[] indices, int count) {
        return result(indices, count);
    }

    @Override
    void clear() {
        Arrays.fill(values, op.neutral);
        seen.clear();
        groups = 0;
        groupsBefore = 0;
    }

    @Override
    Accumulator widen(DataType inputType, int count) {
        if (inputType.isLongBacked() || inputType instanceof DataType.Bool) {
            return new LongFold(op, inputType, values, seen, groups);
        }
        if (inputType instanceof DataType.Float64) {
            return DoubleFold.of(op == Op.MAX, (LongColumn) result(all(count), count), count);
        }
        int[] all = all(count);
        Accumulator wide = Accumulators.extreme(inputType, op == Op.MAX, count);
        wide.add(Casts.cast(result(all, count), inputType), null, count, all);
        return wide;
    }

    @Override
    long sizeInBytes() {
        return 8L * values.length;
    }
}
