package dev.tidemill.operators.window;

import dev.tidemill.data.BytesColumn;
import dev.tidemill.data.Casts;
import dev.tidemill.data.Column;
import dev.tidemill.data.ColumnBuilder;
import dev.tidemill.data.DataType;
import java.util.Arrays;
import java.util.List;

/** min and max of text and bytes by unsigned byte; null while a group has no value. Bytes are copied only when the extreme changes. */
final class BytesFold extends Accumulator {
    private final DataType type;
    private final boolean max;
    private byte[][] values;

    BytesFold(DataType type, boolean max, int groups) {
        this.type = type;
        this.max = max;
        this.values = new byte[Math.max(FEWEST_GROUPS, groups)][];
    }

    @Override
    void reserve(int groups) {
        if (values.length < groups) {
            values = Arrays.copyOf(values, Math.max(groups, 2 * values.length));
        }
    }

    @Override
    void add(Column column, int[] rows, int count, int[] groups) {
        if (!(column instanceof BytesColumn bytes)) {
            return;
        }
        byte[] data = bytes.data();
        for (int i = 0; i < count; i++) {
            int row = physicalRow(rows, i);
            if (!bytes.isNull(row)
                    && isMore(values[groups[row]], data, bytes.start(row), bytes.end(row))) {
                values[groups[row]] = bytes.bytes(row);
            }
        }
    }

    private boolean isMore(byte[] before, byte[] data, int from, int to) {
        if (before == null) {
            return true;
        }
        int order = Arrays.compareUnsigned(data, from, to, before, 0, before.length);
        return max ? order > 0 : order < 0;
    }

    @Override
    void addPartial(Column[] columns, int first, int[] rows, int count, int[] groups) {
        add(columns[first], rows, count, groups);
    }

    @Override
    Accumulator merged(List<Accumulator> parts, int[][] groups, int[][] targets, int count) {
        BytesFold out = new BytesFold(type, max, count);
        for (int part = 0; part < groups.length; part++) {
            out.addAll((BytesFold) parts.get(part), groups[part], targets[part]);
        }
        return out;
    }

    private void addAll(BytesFold from, int[] groups, int[] targets) {
        for (int i = 0; i < groups.length; i++) {
            byte[] value = from.values[groups[i]];
            if (value != null && isMore(values[targets[i]], value, 0, value.length)) {
                values[targets[i]] = value;
            }
        }
    }

    @Override
    DataType resultType() {
        return type;
    }

    @Override
    Column result(int[] groups, int count) {
        ColumnBuilder.Strings builder = (ColumnBuilder.Strings) ColumnBuilder.of(type);
        for (int i = 0; i < count; i++) {
            byte[] value = values[groups[i]];
            if (value == null) {
                builder.appendNull();
            } else {
                builder.appendBytes(value, 0, value.length);
            }
        }
        return builder.build();
    }

    @Override
    int partialColumns() {
        return 1;
    }

    @Override
    Column partial(int index, int[] groups, int count) {
        return result(groups, count);
    }

    @Override
    void clear() {
        Arrays.fill(values, null);
    }

    @Override
    Accumulator widen(DataType inputType, int groups) {
        int[] all = all(groups);
        Accumulator wide = Accumulators.extreme(inputType, max, groups);
        wide.add(Casts.cast(result(all, groups), inputType), null, groups, all);
        return wide;
    }

    @Override
    long sizeInBytes() {
        return 48L * values.length;
    }
}
