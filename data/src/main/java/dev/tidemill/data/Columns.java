package dev.tidemill.data;

import java.util.ArrayList;
import java.util.List;

/** Columns made from nothing or from other columns. */
public final class Columns {
    private Columns() {}

    /** A column of that type in which every row is null. */
    public static Column allNull(DataType type, int length) {
        long[] validity = new long[Bits.words(length)];
        return switch (type) {
            case DataType.Null _ -> new NullColumn(length);
            case DataType.Bool _ -> new BoolColumn(new long[Bits.words(length)], validity, length);
            case DataType.Float64 _ -> new DoubleColumn(new double[length], validity, length);
            case DataType.Decimal d -> new DecimalColumn(d, new long[2 * length], validity, length);
            case DataType.ListOf(DataType element) ->
                    new ListColumn(new int[length + 1], allNull(element, 0), validity, length);
            case DataType.Struct struct ->
                    new StructColumn(struct, nullChildren(struct, length), validity, length);
            case DataType.Int64 _, DataType.Timestamp _, DataType.Date _ ->
                    new LongColumn(type, new long[length], validity, length);
            case DataType.Utf8 _, DataType.Bytes _, DataType.Json _ ->
                    new BytesColumn(type, new int[length + 1], new byte[0], validity, length);
        };
    }

    private static List<Column> nullChildren(DataType.Struct struct, int length) {
        List<Column> children = new ArrayList<>();
        for (Field field : struct.fields()) {
            children.add(allNull(field.type(), length));
        }
        return children;
    }

    /** The same values with other nulls; {@code validity} as in {@link Column#validity()}. */
    public static Column withValidity(Column column, long[] validity) {
        int length = column.length();
        return switch (column) {
            case NullColumn c -> c;
            case LongColumn c -> new LongColumn(c.type(), c.values(), validity, length);
            case DoubleColumn c -> new DoubleColumn(c.values(), validity, length);
            case BoolColumn c -> new BoolColumn(Bits.and(c.bits(), validity), validity, length);
            case BytesColumn c ->
                    new BytesColumn(c.type(), c.offsets(), c.data(), validity, length);
            case DecimalColumn c ->
                    new DecimalColumn((DataType.Decimal) c.type(), c.words(), validity, length);
            case ListColumn c -> new ListColumn(c.offsets(), c.elements(), validity, length);
            case StructColumn c ->
                    new StructColumn((DataType.Struct) c.type(), c.children(), validity, length);
            case DictionaryColumn c ->
                    new DictionaryColumn(c.indices(), c.dictionary(), validity, length);
        };
    }

    /** A column without a dictionary: itself, or decoded. */
    public static Column plain(Column column) {
        return column instanceof DictionaryColumn dictionary ? dictionary.decode() : column;
    }

    /** A column in which every row is {@code value} (as {@link Column#value} gives it, or null), as a dictionary of one entry. */
    public static Column constant(DataType type, Object value, int length) {
        if (value == null || type instanceof DataType.Null) {
            return allNull(type, length);
        }
        ColumnBuilder one = ColumnBuilder.of(type);
        one.append(value);
        return new DictionaryColumn(new int[length], one.build(), null, length);
    }

    /** The rows of several columns of one type, one after the other. */
    public static Column concat(DataType type, List<Column> parts) {
        if (parts.size() == 1) {
            return plain(parts.getFirst());
        }
        int length = parts.stream().mapToInt(Column::length).sum();
        if (type.isLongBacked()) {
            return concatLongs(type, parts, length);
        }
        if (type instanceof DataType.Float64) {
            return concatDoubles(parts, length);
        }
        if (type.isBytesBacked()) {
            return concatBytes(type, parts);
        }
        ColumnBuilder builder = ColumnBuilder.of(type);
        for (Column part : parts) {
            for (int i = 0; i < part.length(); i++) {
                builder.appendFrom(part, i);
            }
        }
        return builder.build();
    }

    private static Column concatLongs(DataType type, List<Column> parts, int length) {
        long[] values = new long[length];
        int at = 0;
        for (Column part : parts) {
            System.arraycopy(((LongColumn) plain(part)).values(), 0, values, at, part.length());
            at += part.length();
        }
        return new LongColumn(type, values, concatValidity(parts, length), length);
    }

    private static Column concatDoubles(List<Column> parts, int length) {
        double[] values = new double[length];
        int at = 0;
        for (Column part : parts) {
            System.arraycopy(((DoubleColumn) plain(part)).values(), 0, values, at, part.length());
            at += part.length();
        }
        return new DoubleColumn(values, concatValidity(parts, length), length);
    }

    private static Column concatBytes(DataType type, List<Column> parts) {
        ColumnBuilder.Strings builder = (ColumnBuilder.Strings) ColumnBuilder.of(type);
        for (Column part : parts) {
            BytesColumn bytes = (BytesColumn) plain(part);
            for (int i = 0; i < bytes.length(); i++) {
                if (bytes.isNull(i)) {
                    builder.appendNull();
                } else {
                    builder.appendBytes(bytes.data(), bytes.start(i), bytes.end(i));
                }
            }
        }
        return builder.build();
    }

    private static long[] concatValidity(List<Column> parts, int length) {
        if (parts.stream().noneMatch(Column::hasNulls)) {
            return null;
        }
        long[] validity = Bits.ones(length);
        int at = 0;
        for (Column part : parts) {
            for (int i = 0; part.hasNulls() && i < part.length(); i++) {
                if (part.isNull(i)) {
                    Bits.clear(validity, at + i);
                }
            }
            at += part.length();
        }
        return validity;
    }
}
