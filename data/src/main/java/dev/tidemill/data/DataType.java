package dev.tidemill.data;

import java.util.List;

/**
 * The type of a column. Physical layouts are Arrow's; see the column class of each type.
 */
public sealed interface DataType {
    /** Of a column that has only ever been null; it widens to any other type. */
    record Null() implements DataType {
        @Override
        public String toString() {
            return "null";
        }
    }

    record Bool() implements DataType {
        @Override
        public String toString() {
            return "bool";
        }
    }

    record Int64() implements DataType {
        @Override
        public String toString() {
            return "int64";
        }
    }

    record Float64() implements DataType {
        @Override
        public String toString() {
            return "float64";
        }
    }

    /** An exact number of {@code precision} (1..38) digits, {@code scale} of them after the point (0..precision). */
    record Decimal(int precision, int scale) implements DataType {
        public Decimal {
            if (precision < 1 || precision > 38 || scale < 0 || scale > precision) {
                throw new IllegalArgumentException(
                        "decimal(" + precision + ", " + scale + ") is not a type");
            }
        }

        @Override
        public String toString() {
            return "decimal(" + precision + ", " + scale + ")";
        }
    }

    /** UTF-8 text. */
    record Utf8() implements DataType {
        @Override
        public String toString() {
            return "string";
        }
    }

    record Bytes() implements DataType {
        @Override
        public String toString() {
            return "bytes";
        }
    }

    /** Milliseconds since 1970-01-01T00:00:00Z. */
    record Timestamp() implements DataType {
        @Override
        public String toString() {
            return "timestamp";
        }
    }

    /** A calendar day, held as the milliseconds since 1970-01-01 of its first instant in UTC (Arrow's date64). */
    record Date() implements DataType {
        @Override
        public String toString() {
            return "date";
        }
    }

    record ListOf(DataType element) implements DataType {
        @Override
        public String toString() {
            return "list<" + element + ">";
        }
    }

    record Struct(List<Field> fields) implements DataType {
        public Struct {
            fields = List.copyOf(fields);
        }

        @Override
        public String toString() {
            return "struct" + fields;
        }
    }

    /** Any JSON value, held as its text. */
    record Json() implements DataType {
        @Override
        public String toString() {
            return "json";
        }
    }

    DataType NULL = new Null();
    DataType BOOL = new Bool();
    DataType INT64 = new Int64();
    DataType FLOAT64 = new Float64();
    DataType UTF8 = new Utf8();
    DataType BYTES = new Bytes();
    DataType TIMESTAMP = new Timestamp();
    DataType DATE = new Date();
    DataType JSON = new Json();

    /** Whether values are numbers: int64, float64 or decimal. */
    default boolean isNumeric() {
        return this instanceof Int64 || this instanceof Float64 || this instanceof Decimal;
    }

    /** Whether values are points in time: timestamp or date. */
    default boolean isTemporal() {
        return this instanceof Timestamp || this instanceof Date;
    }

    /** Whether a column of this type is a {@link LongColumn}. */
    default boolean isLongBacked() {
        return this instanceof Int64 || isTemporal();
    }

    /** Whether a column of this type is a {@link BytesColumn}. */
    default boolean isBytesBacked() {
        return this instanceof Utf8 || this instanceof Bytes || this instanceof Json;
    }

    /**
     * The narrowest type that holds the values of both, used when the batches of one dataset differ: null widens to
     * anything, int64 to float64, decimals to one with the digits of both (float64 when
     * those are more than 38), date to timestamp, lists by element, two different scalars to string, a scalar and a list to the list with
     * elements wide enough for both,
     * anything else to json.
     */
    static DataType widen(DataType a, DataType b) {
        if (a.equals(b) || b instanceof Null) {
            return a;
        }
        if (a instanceof Null) {
            return b;
        }
        if (a.isNumeric() && b.isNumeric()) {
            return widenNumbers(a, b);
        }
        if (a.isTemporal() && b.isTemporal()) {
            return TIMESTAMP;
        }
        if (a instanceof ListOf(DataType x) && b instanceof ListOf(DataType y)) {
            return new ListOf(widen(x, y));
        }
        if (isScalar(a) && isScalar(b)) {
            return UTF8;
        }
        if (a instanceof ListOf(DataType element) && isScalar(b)) {
            return new ListOf(widen(element, b));
        }
        if (b instanceof ListOf(DataType element) && isScalar(a)) {
            return new ListOf(widen(a, element));
        }
        return JSON;
    }

    private static DataType widenNumbers(DataType a, DataType b) {
        if (a instanceof Float64 || b instanceof Float64) {
            return FLOAT64;
        }
        Decimal x = a instanceof Decimal d ? d : new Decimal(19, 0);
        Decimal y = b instanceof Decimal d ? d : new Decimal(19, 0);
        int scale = Math.max(x.scale(), y.scale());
        int whole = Math.max(x.precision() - x.scale(), y.precision() - y.scale());
        return whole + scale > 38 ? FLOAT64 : new Decimal(whole + scale, scale);
    }

    private static boolean isScalar(DataType type) {
        return !(type instanceof ListOf || type instanceof Struct || type instanceof Json);
    }
}
