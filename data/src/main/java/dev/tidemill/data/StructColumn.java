package dev.tidemill.data;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** struct: one child column a field, each of this column's length. */
public final class StructColumn extends Column {
    private final List<Column> children;

    public StructColumn(DataType.Struct type, List<Column> children, long[] validity, int length) {
        super(type, length, validity);
        this.children = List.copyOf(children);
    }

    public List<Column> children() {
        return children;
    }

    public Column child(int field) {
        return children.get(field);
    }

    @Override
    public StructColumn gather(int[] rows, int count) {
        Stream<Column> picked = children.stream().map(child -> child.gather(rows, count));
        return new StructColumn(
                (DataType.Struct) type(),
                picked.toList(),
                Bits.gather(validity(), rows, count),
                count);
    }

    @Override
    public long sizeInBytes() {
        return children.stream().mapToLong(Column::sizeInBytes).sum() + validityBytes();
    }

    @Override
    Object nonNullValue(int row) {
        Map<String, Object> out = new LinkedHashMap<>();
        List<Field> fields = ((DataType.Struct) type()).fields();
        for (int i = 0; i < children.size(); i++) {
            out.put(fields.get(i).name(), children.get(i).value(row));
        }
        return Collections.unmodifiableMap(out);
    }
}
