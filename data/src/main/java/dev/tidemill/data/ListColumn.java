package dev.tidemill.data;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** list: row {@code i} holds the elements {@code offsets[i] .. offsets[i + 1])} of the child column. A null row is an empty range. */
public final class ListColumn extends Column {
    private final int[] offsets;
    private final Column elements;

    public ListColumn(int[] offsets, Column elements, long[] validity, int length) {
        super(new DataType.ListOf(elements.type()), length, validity);
        this.offsets = offsets;
        this.elements = elements;
    }

    public int[] offsets() {
        return offsets;
    }

    public Column elements() {
        return elements;
    }

    @Override
    public ListColumn gather(int[] rows, int count) {
        int[] to = new int[count + 1];
        for (int i = 0; i < count; i++) {
            to[i + 1] = to[i] + offsets[rows[i] + 1] - offsets[rows[i]];
        }
        int[] picked = new int[to[count]];
        for (int i = 0; i < count; i++) {
            for (int k = to[i]; k < to[i + 1]; k++) {
                picked[k] = offsets[rows[i]] + k - to[i];
            }
        }
        return new ListColumn(
                to,
                elements.gather(picked, picked.length),
                Bits.gather(validity(), rows, count),
                count);
    }

    @Override
    public long sizeInBytes() {
        return 4L * length() + elements.sizeInBytes() + validityBytes();
    }

    @Override
    Object nonNullValue(int row) {
        List<Object> out = new ArrayList<>();
        for (int i = offsets[row]; i < offsets[row + 1]; i++) {
            out.add(elements.value(i));
        }
        return Collections.unmodifiableList(out);
    }
}
