package dev.tidemill.data;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The names and types of a batch's columns, in order. Immutable. Batches of one stream usually share one instance, so {@code ==}
 * is a quick first test for "same as before".
 */
public final class Schema {
    /** Columns whose name starts so belong to the engine: they ride along and are stripped at outputs. */
    public static final String ENGINE_PREFIX = "__fv_";

    /** The row key that the source gave a row: string. */
    public static final String KEY = "__fv_key";

    /** The source partition of a row: int64. */
    public static final String PARTITION = "__fv_partition";

    /** The position of a row within its partition: int64. */
    public static final String OFFSET = "__fv_offset";

    private final List<Field> fields;
    private final Map<String, Integer> indexByName;

    /** @throws IllegalArgumentException when two fields share a name */
    public Schema(List<Field> fields) {
        this.fields = List.copyOf(fields);
        this.indexByName = HashMap.newHashMap(fields.size());
        for (int i = 0; i < fields.size(); i++) {
            if (indexByName.putIfAbsent(fields.get(i).name(), i) != null) {
                throw new IllegalArgumentException("two columns are named " + fields.get(i).name());
            }
        }
    }

    public static Schema of(Field... fields) {
        return new Schema(List.of(fields));
    }

    public List<Field> fields() {
        return fields;
    }

    public int size() {
        return fields.size();
    }

    public Field field(int index) {
        return fields.get(index);
    }

    public DataType type(int index) {
        return fields.get(index).type();
    }

    public List<String> names() {
        return fields.stream().map(Field::name).toList();
    }

    /** The position of the column, or -1. */
    public int indexOf(String name) {
        Integer index = indexByName.get(name);
        return index == null ? -1 : index;
    }

    public static boolean isEngineColumn(String name) {
        return name.startsWith(ENGINE_PREFIX);
    }

    /** This schema with one more column at the end. */
    public Schema append(Field field) {
        List<Field> all = new ArrayList<>(fields);
        all.add(field);
        return new Schema(all);
    }

    /**
     * The schema that holds the rows of both: the columns of this one in order, then those only {@code other} has; types by
     * {@link DataType#widen}. Returns {@code this} when it already covers {@code other}.
     */
    public Schema widen(Schema other) {
        if (other == this) {
            return this;
        }
        List<Field> all = new ArrayList<>(fields);
        boolean changed = false;
        for (Field field : other.fields) {
            int index = indexOf(field.name());
            if (index < 0) {
                all.add(field);
                changed = true;
                continue;
            }
            DataType wide = DataType.widen(all.get(index).type(), field.type());
            changed |= !wide.equals(all.get(index).type());
            all.set(index, new Field(field.name(), wide));
        }
        return changed ? new Schema(all) : this;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Schema schema && fields.equals(schema.fields);
    }

    @Override
    public int hashCode() {
        return fields.hashCode();
    }

    @Override
    public String toString() {
        return fields.toString();
    }
}
