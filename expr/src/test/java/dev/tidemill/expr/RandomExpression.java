package dev.tidemill.expr;

import java.util.List;
import java.util.Random;

/**
 * Random expressions over {@link RandomRows}. Mostly of the kinds that operators want, so that values come out, and now and then not. Where a node gives one
 * type to values of several branches, numbers of both kinds do not meet: int64 is widened there by rule, which the row by row reference does not know.
 */
final class RandomExpression {
    enum Kind {
        INT,
        DOUBLE,
        STRING,
        BOOL,
        INTS,
        STRINGS,
        ANY
    }

    private final Random random;

    RandomExpression(Random random) {
        this.random = random;
    }

    String any(int depth) {
        return of(pick(Kind.values()), depth);
    }

    String of(Kind kind, int depth) {
        if (random.nextInt(25) == 0) {
            return "null";
        }
        if (depth == 0 || random.nextInt(6) == 0) {
            return leaf(kind);
        }
        if (random.nextInt(10) == 0) {
            return "("
                    + of(Kind.BOOL, depth - 1)
                    + " ? "
                    + of(kind, depth - 1)
                    + " : "
                    + of(kind, depth - 1)
                    + ")";
        }
        if (random.nextInt(14) == 0) {
            return "coalesce(" + leaf(kind) + ", " + leaf(kind) + ", " + leaf(kind) + ")";
        }
        if (random.nextInt(14) == 0) {
            return "coalesce(" + of(kind, depth - 1) + ", " + of(kind, depth - 1) + ")";
        }
        if (random.nextInt(20) == 0) {
            return "nullIf(" + of(kind, depth - 1) + ", " + some(kind, depth - 1) + ")";
        }
        return compound(kind, depth - 1);
    }

    private <T> T pick(T[] items) {
        return items[random.nextInt(items.length)];
    }

    private String pick(String... items) {
        return items[random.nextInt(items.length)];
    }

    /** Mostly of the kind, else of any. */
    private String some(Kind kind, int depth) {
        return random.nextInt(8) == 0 ? any(depth) : of(kind, depth);
    }

    private String number(int depth) {
        return some(
                pick(new Kind[] {Kind.INT, Kind.DOUBLE, Kind.INT, Kind.DOUBLE, Kind.ANY}), depth);
    }

    private String literal(String value) {
        return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }

    private String leaf(Kind kind) {
        return switch (kind) {
            case INT ->
                    pick(
                            "i",
                            "j",
                            "t",
                            "i",
                            "j",
                            "o.k",
                            "li[0]",
                            "1",
                            "0",
                            "2",
                            "123",
                            "-1",
                            String.valueOf(
                                    RandomRows.LONGS[random.nextInt(RandomRows.LONGS.length)]));
            case DOUBLE ->
                    pick(
                            "d",
                            "e",
                            "d",
                            "e",
                            "0.5",
                            "0.0",
                            "-2.5",
                            "1e300",
                            "500.0",
                            "9007199254740992.0");
            case STRING ->
                    pick("s", "u", "s", "u", "o.v", "ls[1]", literal(pick(RandomRows.STRINGS)));
            case BOOL -> pick("b", "c", "b", "c", "true", "false");
            case INTS -> pick("li", "[1, 2]", "[i, j]", "[]");
            case STRINGS -> pick("ls", "['a', 'b']", "[s, u]", "[null, s]");
            case ANY -> pick("x", "y", "x.k", "y[0]", "x['z']", "n", "nosuch", "o.nosuch");
        };
    }

    private String compound(Kind kind, int depth) {
        return switch (kind) {
            case INT -> ints(depth);
            case DOUBLE -> doubles(depth);
            case STRING -> strings(depth);
            case BOOL -> bools(depth);
            case INTS -> intLists(depth);
            case STRINGS -> stringLists(depth);
            case ANY -> anys(depth);
        };
    }

    private String ints(int depth) {
        return switch (random.nextInt(12)) {
            case 0 -> "(-" + of(Kind.INT, depth) + ")";
            case 1 ->
                    pick("abs", "floor", "ceil", "trunc", "round")
                            + "("
                            + of(Kind.INT, depth)
                            + ")";
            case 2 ->
                    pick("min", "max")
                            + "("
                            + of(Kind.INT, depth)
                            + ", "
                            + of(Kind.INT, depth)
                            + ")";
            case 3 ->
                    "clamp("
                            + of(Kind.INT, depth)
                            + ", "
                            + of(Kind.INT, depth)
                            + ", "
                            + of(Kind.INT, depth)
                            + ")";
            case 4 -> "length(" + some(pick(new Kind[] {Kind.STRING, Kind.INTS}), depth) + ")";
            case 5 -> "indexOf(" + some(Kind.STRING, depth) + ", " + some(Kind.STRING, depth) + ")";
            case 6 ->
                    pick("first", "last", "arraySum", "arrayMin", "arrayMax")
                            + "("
                            + of(Kind.INTS, depth)
                            + ")";
            case 7 -> of(Kind.INTS, depth) + "[" + some(Kind.INT, depth) + "]";
            default ->
                    "("
                            + of(Kind.INT, depth)
                            + pick(" + ", " - ", " * ", " % ")
                            + of(Kind.INT, depth)
                            + ")";
        };
    }

    private String doubles(int depth) {
        return switch (random.nextInt(10)) {
            case 0 -> "(-" + of(Kind.DOUBLE, depth) + ")";
            case 1 ->
                    pick("abs", "floor", "ceil", "trunc", "round")
                            + "("
                            + of(Kind.DOUBLE, depth)
                            + ")";
            case 2 ->
                    pick("min", "max")
                            + "("
                            + of(Kind.DOUBLE, depth)
                            + ", "
                            + of(Kind.DOUBLE, depth)
                            + ")";
            case 3 -> "sqrt(" + number(depth) + ")";
            case 4 -> "toNumber(" + some(Kind.STRING, depth) + ")";
            case 5 -> "(" + number(depth) + " / " + number(depth) + ")";
            default ->
                    "("
                            + of(Kind.DOUBLE, depth)
                            + pick(" + ", " - ", " * ", " % ")
                            + of(pick(new Kind[] {Kind.INT, Kind.DOUBLE}), depth)
                            + ")";
        };
    }

    private String strings(int depth) {
        String s = some(Kind.STRING, depth);
        return switch (random.nextInt(12)) {
            case 0 -> pick("upper", "lower", "trim", "reverse") + "(" + s + ")";
            case 1 -> "concat(" + s + ", " + some(Kind.STRING, depth) + ")";
            case 2 ->
                    "concatWs("
                            + s
                            + ", "
                            + some(Kind.STRING, depth)
                            + ", "
                            + some(Kind.STRING, depth)
                            + ")";
            case 3 ->
                    "replace("
                            + s
                            + ", "
                            + some(Kind.STRING, depth)
                            + ", "
                            + some(Kind.STRING, depth)
                            + ")";
            case 4 ->
                    pick("repeat", "left", "right", "substr")
                            + "("
                            + s
                            + ", "
                            + pick("i % 7", "-1", "2", "e", "3 % " + leaf(Kind.INT))
                            + ")";
            case 5 -> "padStart(" + s + ", j % 9, " + some(Kind.STRING, depth) + ")";
            case 6 ->
                    "splitPart("
                            + s
                            + ", "
                            + pick("','", "'a'", "u")
                            + ", "
                            + pick("1", "-1", "2", "i", "0")
                            + ")";
            case 7 ->
                    "substr("
                            + s
                            + ", "
                            + pick("1", "0", "-1", "2", "i")
                            + ", "
                            + pick("0", "1", "3", "j")
                            + ")";
            case 8 -> pick("toString", "typeOf") + "(" + any(depth) + ")";
            case 9 -> pick("first", "last") + "(" + of(Kind.STRINGS, depth) + ")";
            case 10 -> "arrayJoin(" + of(Kind.STRINGS, depth) + ", " + s + ")";
            default -> "(" + of(Kind.STRING, depth) + " + " + of(Kind.STRING, depth) + ")";
        };
    }

    private String bools(int depth) {
        return switch (random.nextInt(12)) {
            case 0 -> "!" + some(Kind.BOOL, depth);
            case 1 -> pick("isNull", "isNumber", "isString", "isBoolean") + "(" + any(depth) + ")";
            case 2 ->
                    pick("contains", "startsWith", "endsWith")
                            + "("
                            + some(Kind.STRING, depth)
                            + ", "
                            + (random.nextBoolean() ? leaf(Kind.STRING) : some(Kind.STRING, depth))
                            + ")";
            case 3 ->
                    random.nextBoolean()
                            ? "(" + number(depth) + " in " + some(Kind.INTS, depth) + ")"
                            : "("
                                    + leaf(pick(new Kind[] {Kind.INT, Kind.STRING, Kind.DOUBLE}))
                                    + " in ["
                                    + pick(
                                            "1, -1, 3",
                                            "0",
                                            "1, 2, 3, 4, 5, 6, 7, 8, 9",
                                            "'bid', '', 'ab'",
                                            "'a', 'b', '', 'abc', 'bid', 'A', '1', '1e3', 'x'",
                                            "'a', 1, null",
                                            "0.5, 1")
                                    + "])";
            case 4 ->
                    "arrayContains("
                            + some(Kind.STRINGS, depth)
                            + ", "
                            + some(Kind.STRING, depth)
                            + ")";
            case 5 ->
                    "("
                            + any(depth)
                            + pick(" == ", " != ")
                            + (random.nextInt(8) == 0 ? "o" : any(depth))
                            + ")";
            case 6 ->
                    "(" + some(Kind.STRING, depth) + comparison() + some(Kind.STRING, depth) + ")";
            case 7, 8 -> "(" + number(depth) + comparison() + number(depth) + ")";
            default ->
                    "("
                            + some(Kind.BOOL, depth)
                            + pick(" && ", " || ")
                            + some(Kind.BOOL, depth)
                            + ")";
        };
    }

    private String comparison() {
        return pick(" == ", " != ", " < ", " <= ", " > ", " >= ");
    }

    private String intLists(int depth) {
        return switch (random.nextInt(3)) {
            case 0 -> "[" + of(Kind.INT, depth) + ", " + of(Kind.INT, depth) + "]";
            case 1 -> pick("distinct", "arrayReverse") + "(" + of(Kind.INTS, depth) + ")";
            default -> leaf(Kind.INTS);
        };
    }

    private String stringLists(int depth) {
        return switch (random.nextInt(3)) {
            case 0 -> "[" + of(Kind.STRING, depth) + "]";
            case 1 -> "split(" + some(Kind.STRING, depth) + ", " + pick("','", "'a'", "''") + ")";
            default -> pick("distinct", "arrayReverse") + "(" + of(Kind.STRINGS, depth) + ")";
        };
    }

    private String anys(int depth) {
        // What becomes json has no NaN: adding 0 fails for those.
        List<Kind> kinds = List.of(Kind.INT, Kind.STRING, Kind.BOOL, Kind.INTS, Kind.STRINGS);
        String a = of(kinds.get(random.nextInt(kinds.size())), depth);
        return switch (random.nextInt(8)) {
            case 0 -> "(" + of(Kind.BOOL, depth) + " ? " + a + " : x)";
            case 1 -> "(" + of(Kind.BOOL, depth) + " ? s : (" + of(Kind.DOUBLE, depth) + " + 0))";
            case 2 -> "coalesce(" + a + ", y)";
            case 3 -> "[x, " + a + "][" + pick("0", "1", "i", "d") + "]";
            case 4 -> "(x" + pick(" + ", " - ", " * ", " % ", " / ") + a + ")";
            case 5 -> "(-" + leaf(Kind.ANY) + ")";
            case 6 ->
                    pick("abs", "first", "last", "arraySum", "distinct", "toNumber")
                            + "("
                            + leaf(Kind.ANY)
                            + ")";
            default -> leaf(Kind.ANY);
        };
    }
}
