package dev.tidemill.operators.window;

import dev.tidemill.data.Casts;
import dev.tidemill.data.Column;
import dev.tidemill.data.ColumnBuilder;
import dev.tidemill.data.DataType;
import dev.tidemill.data.DecimalColumn;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;

/** min and max of decimals; null while a group has no value. */
final class DecimalFold extends Accumulator {
    private final DataType.Decimal type;
    private final boolean max;
    private BigDecimal[] values;

    DecimalFold(DataType.Decimal type, boolean max, int groups) {
        this.type = type;
        this.max = max;
        this.values = new BigDecimal[Math.max(FEWEST_GROUPS, groups)];
    }

    @Override
    void reserve(int groups) {
        if (values.length < groups) {
            values = Arrays.copyOf(values, Math.max(groups, 2 * values.length));
        }
    }

    @Override
    void add(Column column, int[] rows, int count, int[] groups) {
        if (!(column instanceof DecimalColumn decimals)) {
            return;
        }
        for (int i = 0; i < count; i++) {
            int row = physicalRow(rows, i);
            if (!decimals.isNull(row)) {
                fold(groups[row], decimals.get(row));
            }
        }
    }

    private void fold(int group, BigDecimal value) {
        BigDecimal before = values[group];
        if (before == null || (max ? value.compareTo(before) > 0 : value.compareTo(before) < 0)) {
            values[group] = value;
        }
    }

    @Override
    void addPartial(Column[] columns, int first, int[] rows, int count, int[] groups) {
        add(columns[first], rows, count, groups);
    }

    @Override
    Accumulator merged(List<Accumulator> parts, int[][] groups, int[][] targets, int count) {
        DecimalFold out = new DecimalFold(type, max, count);
        for (int part = 0; part < groups.length; part++) {
            out.addAll((DecimalFold) parts.get(part), groups[part], targets[part]);
        }
        return out;
    }

    private void addAll(DecimalFold from, int[] groups, int[] targets) {
        for (int i = 0; i < groups.length; i++) {
            if (from.values[groups[i]] != null) {
                fold(targets[i], from.values[groups[i]]);
            }
        }
    }

    @Override
    DataType resultType() {
        return type;
    }

    @Override
    Column result(int[] groups, int count) {
        ColumnBuilder builder = ColumnBuilder.of(type);
        for (int i = 0; i < count; i++) {
            builder.append(values[groups[i]]);
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
        return 64L * values.length;
    }
}
