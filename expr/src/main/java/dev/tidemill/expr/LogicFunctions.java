package dev.tidemill.expr;

import dev.tidemill.data.DataType;
import java.util.List;

/** Functions of any kind of value. */
final class LogicFunctions {
    private LogicFunctions() {}

    static void addTo(Functions.FunctionSet set) {
        set.category("Logic");
        set.declare("coalesce(x, …)", "The first argument that is not null.")
                .example("coalesce(null, 2, 3)", "2")
                .gives(Expressions::common)
                .takesNulls()
                .is(
                        a -> {
                            for (Object value : a) {
                                if (value != null) {
                                    return value;
                                }
                            }
                            return null;
                        });
        set.declare("isNull(x)", "Whether x is null.")
                .example("isNull(null)", "true")
                .example("isNull('')", "false")
                .gives(DataType.BOOL)
                .takesNulls()
                .is(a -> a[0] == null);
        set.declare("nullIf(a, b)", "Null when both are equal, else a.")
                .example("nullIf(1, 1.0)", "null")
                .example("nullIf('a', 'b')", "'a'")
                .gives(List::getFirst)
                .takesNulls()
                .is(a -> Values.equal(a[0], a[1]) ? null : a[0]);
        kind(set, "isNumber", "number", "1.5");
        kind(set, "isString", "string", "'a'");
        kind(set, "isBoolean", "boolean", "true");
        set.declare("length(x)", "The number of characters of a string, or of items of a list.")
                .example("length('héllo')", "5")
                .example("length([1, 2])", "2")
                .gives(DataType.INT64)
                .is(
                        a ->
                                switch (a[0]) {
                                    case String s -> (long) s.codePointCount(0, s.length());
                                    case List<?> list -> (long) list.size();
                                    default ->
                                            throw Arguments.wrongKind(
                                                    "length", a, 0, "a string or a list");
                                });
        set.declare("typeOf(x)", "One of null, boolean, number, string, list, object.")
                .example("typeOf([])", "'list'")
                .example("typeOf(null)", "'null'")
                .gives(DataType.UTF8)
                .takesNulls()
                .is(a -> Values.kind(a[0]));
    }

    private static void kind(Functions.FunctionSet set, String name, String kind, String example) {
        set.declare(name + "(x)", "Whether x is a " + kind + "; null is none.")
                .example(name + "(" + example + ")", "true")
                .example(name + "(null)", "false")
                .gives(DataType.BOOL)
                .takesNulls()
                .is(a -> Values.kind(a[0]).equals(kind));
    }
}
