package dev.tidemill.data;

import java.math.BigDecimal;
import java.util.Arrays;

/**
 * The one total order of values: null first, then numbers with NaN equal to itself and last and -0.0 equal to 0.0, false before true, text and bytes by
 * unsigned byte (for UTF-8 that is code point order). Used for min, max, group order and sorting; the expression operators have rules of their own.
 */
public final class Ordering {
    private Ordering() {}

    /** Whether values of the type have an order: all but lists, structs and json. */
    public static boolean isOrdered(DataType type) {
        return !(type instanceof DataType.ListOf
                || type instanceof DataType.Struct
                || type instanceof DataType.Json);
    }

    public static int compare(double a, double b) {
        if (a < b) {
            return -1;
        }
        if (a > b) {
            return 1;
        }
        if (a == b) {
            return 0;
        }
        return Boolean.compare(a != a, b != b);
    }

    /** Compares two rows of columns of one type; unordered types compare by their JSON text. */
    public static int compare(Column a, int rowA, Column b, int rowB) {
        boolean nullA = a.isNull(rowA);
        boolean nullB = b.isNull(rowB);
        if (nullA || nullB) {
            return Boolean.compare(nullB, nullA);
        }
        if (a instanceof DictionaryColumn d) {
            return compare(d.dictionary(), d.indices()[rowA], b, rowB);
        }
        if (b instanceof DictionaryColumn d) {
            return compare(a, rowA, d.dictionary(), d.indices()[rowB]);
        }
        return switch (a) {
            case LongColumn x -> Long.compare(x.get(rowA), ((LongColumn) b).get(rowB));
            case DoubleColumn x -> compare(x.get(rowA), ((DoubleColumn) b).get(rowB));
            case BoolColumn x -> Boolean.compare(x.get(rowA), ((BoolColumn) b).get(rowB));
            case BytesColumn x -> compareBytes(x, rowA, (BytesColumn) b, rowB);
            case DecimalColumn x -> compareDecimals(x.get(rowA), ((DecimalColumn) b).get(rowB));
            default -> JsonText.of(a.value(rowA)).compareTo(JsonText.of(b.value(rowB)));
        };
    }

    private static int compareDecimals(BigDecimal a, BigDecimal b) {
        return a.compareTo(b);
    }

    private static int compareBytes(BytesColumn a, int rowA, BytesColumn b, int rowB) {
        return Arrays.compareUnsigned(
                a.data(), a.start(rowA), a.end(rowA), b.data(), b.start(rowB), b.end(rowB));
    }
}
