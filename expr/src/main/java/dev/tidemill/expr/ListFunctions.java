package dev.tidemill.expr;

import dev.tidemill.data.DataType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Functions of lists; items are compared by {@code ==}. */
final class ListFunctions {
    private ListFunctions() {}

    static void addTo(Functions.FunctionSet set) {
        set.category("Lists");
        set.declare("arrayContains(l, v)", "Whether the list has an item equal to v.")
                .example("arrayContains([1, 2], 2.0)", "true")
                .gives(DataType.BOOL)
                .takesNulls()
                .is(
                        a ->
                                a[0] == null
                                        ? null
                                        : Values.contains(
                                                a[1], Arguments.list("arrayContains", a, 0)));
        set.declare("first(l)", "The first item; null of an empty list.")
                .example("first([7, 8])", "7")
                .example("first([])", "null")
                .gives(ListFunctions::item)
                .is(
                        a -> {
                            List<?> list = Arguments.list("first", a, 0);
                            return list.isEmpty() ? null : list.getFirst();
                        });
        set.declare("last(l)", "The last item; null of an empty list.")
                .example("last([7, 8])", "8")
                .gives(ListFunctions::item)
                .is(
                        a -> {
                            List<?> list = Arguments.list("last", a, 0);
                            return list.isEmpty() ? null : list.getLast();
                        });
        set.declare("arrayReverse(l)", "The items in reverse order.")
                .example("arrayReverse([1, 2, 3])", "[3, 2, 1]")
                .gives(List::getFirst)
                .is(
                        a -> {
                            List<Object> out =
                                    new ArrayList<>(Arguments.list("arrayReverse", a, 0));
                            Collections.reverse(out);
                            return out;
                        });
        set.declare("distinct(l)", "Each item once, at its first place.")
                .example("distinct([1, 2, 1.0, null, null])", "[1, 2, null]")
                .gives(List::getFirst)
                .is(
                        a -> {
                            List<Object> out = new ArrayList<>();
                            for (Object item : Arguments.list("distinct", a, 0)) {
                                if (!Values.contains(item, out)) {
                                    out.add(item);
                                }
                            }
                            return out;
                        });
        set.declare("arraySum(l)", "The sum of the numbers, nulls skipped; 0 of an empty list.")
                .example("arraySum([1, null, 2])", "3")
                .example("arraySum([])", "0")
                .gives(ListFunctions::number)
                .is(
                        a -> {
                            Object sum = 0L;
                            for (Object item : Arguments.list("arraySum", a, 0)) {
                                if (item != null) {
                                    sum =
                                            Values.arithmetic(
                                                    Node.Operator.ADD,
                                                    sum,
                                                    numeric("arraySum", item));
                                }
                            }
                            return sum;
                        });
        set.declare(
                        "arrayMin(l)",
                        "The least of the numbers, nulls skipped; null of an empty list.")
                .example("arrayMin([3, 1, 2])", "1")
                .gives(ListFunctions::number)
                .is(a -> extreme("arrayMin", a, -1));
        set.declare(
                        "arrayMax(l)",
                        "The greatest of the numbers, nulls skipped; null of an empty list.")
                .example("arrayMax([3, null])", "3")
                .gives(ListFunctions::number)
                .is(a -> extreme("arrayMax", a, 1));
        set.declare(
                        "arrayJoin(l, sep)",
                        "The strings with a separator between them, nulls skipped.")
                .example("arrayJoin(['a', null, 'b'], '+')", "'a+b'")
                .example("arrayJoin([], ',')", "''")
                .gives(DataType.UTF8)
                .is(
                        a -> {
                            List<String> parts = new ArrayList<>();
                            for (Object item : Arguments.list("arrayJoin", a, 0)) {
                                if (item != null && !(item instanceof String)) {
                                    throw new EvalError(
                                            "arrayJoin needs strings in the list, found "
                                                    + Values.kind(item));
                                }
                                if (item != null) {
                                    parts.add((String) item);
                                }
                            }
                            return String.join(Arguments.text("arrayJoin", a, 1), parts);
                        });
    }

    private static Number numeric(String function, Object item) throws EvalError {
        if (item instanceof Number number) {
            return number;
        }
        throw new EvalError(function + " needs numbers in the list, found " + Values.kind(item));
    }

    private static Object extreme(String function, Object[] a, int sign) throws EvalError {
        Number best = null;
        for (Object item : Arguments.list(function, a, 0)) {
            if (item == null) {
                continue;
            }
            Number number = numeric(function, item);
            Values.finite(number.doubleValue());
            if (best == null || Integer.signum(Values.compareNumbers(number, best)) == sign) {
                best = number;
            }
        }
        return best;
    }

    private static DataType item(List<DataType> arguments) {
        return arguments.getFirst() instanceof DataType.ListOf(DataType element)
                ? element
                : DataType.JSON;
    }

    private static DataType number(List<DataType> arguments) {
        DataType item = item(arguments);
        return item.isNumeric()
                ? item
                : item instanceof DataType.Null ? DataType.INT64 : DataType.JSON;
    }
}
