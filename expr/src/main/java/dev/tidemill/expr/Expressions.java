package dev.tidemill.expr;

import dev.tidemill.data.DataType;
import java.util.List;

/** Rules of types. */
final class Expressions {
    private Expressions() {}

    /** Whether a value's kind is only known row by row. */
    static boolean isDynamic(DataType type) {
        return type instanceof DataType.Json;
    }

    /** The type that holds the values of all: equal types keep theirs, numbers widen, kinds that differ become json. */
    static DataType common(List<DataType> types) {
        DataType result = DataType.NULL;
        for (DataType type : types) {
            result = common(result, type);
        }
        return result;
    }

    static DataType common(DataType a, DataType b) {
        if (a.equals(b) || b instanceof DataType.Null) {
            return a;
        }
        if (a instanceof DataType.Null) {
            return b;
        }
        if (isNumber(a) && isNumber(b)) {
            return DataType.widen(
                    a.isTemporal() ? DataType.INT64 : a, b.isTemporal() ? DataType.INT64 : b);
        }
        if (a instanceof DataType.ListOf(DataType x) && b instanceof DataType.ListOf(DataType y)) {
            return new DataType.ListOf(common(x, y));
        }
        return DataType.JSON;
    }

    private static boolean isNumber(DataType type) {
        return type.isNumeric() || type.isTemporal();
    }
}
