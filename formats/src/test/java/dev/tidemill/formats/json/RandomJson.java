package dev.tidemill.formats.json;

import java.util.Random;

/** Random JSON objects; names come from a few, so that columns meet many kinds of value. */
final class RandomJson {
    private static final String[] NAMES = {
        "a", "bb", "name", "\u00e9", "longer name", "x\\\"y", "\\u0041", "01234567", "012345678"
    };

    private final Random random;
    private final boolean regular;

    /** @param regular whether each name always has the same kind of value, as in real data */
    RandomJson(Random random, boolean regular) {
        this.random = random;
        this.regular = regular;
    }

    String object() {
        StringBuilder out = new StringBuilder();
        object(out, 0);
        return out.toString();
    }

    private void object(StringBuilder out, int depth) {
        out.append('{');
        int count = random.nextInt(depth == 0 ? 7 : 3);
        for (int i = 0; i < count; i++) {
            int name = depth == 0 && regular ? i : random.nextInt(NAMES.length);
            out.append(i == 0 ? "" : ",").append(space());
            out.append('"')
                    .append(NAMES[name])
                    .append('"')
                    .append(space())
                    .append(':')
                    .append(space());
            value(out, depth, regular && depth == 0 ? name : random.nextInt(9));
            out.append(space());
        }
        out.append('}');
    }

    private String space() {
        return regular || random.nextInt(6) != 0 ? "" : random.nextBoolean() ? " " : "\t ";
    }

    private void value(StringBuilder out, int depth, int kind) {
        if (random.nextInt(10) == 0) {
            out.append("null");
            return;
        }
        switch (kind) {
            case 0 -> out.append(random.nextInt(1000) - 500);
            case 1 -> out.append(random.nextLong());
            case 2 ->
                    out.append(
                            random.nextBoolean()
                                    ? random.nextDouble()
                                    : random.nextInt(100_000) / 100.0);
            case 3 -> out.append(random.nextBoolean());
            case 4, 5 -> string(out);
            case 6 -> out.append(random.nextInt(100)).append("e-").append(random.nextInt(30));
            case 7 -> list(out, depth);
            default -> {
                if (depth < 3) {
                    object(out, depth + 1);
                } else {
                    out.append("{}");
                }
            }
        }
    }

    private void list(StringBuilder out, int depth) {
        out.append('[');
        for (int i = random.nextInt(3); i > 0; i--) {
            value(out, depth + 1, depth < 3 ? random.nextInt(9) : 0);
            out.append(i > 1 ? "," : "");
        }
        out.append(']');
    }

    private void string(StringBuilder out) {
        out.append('"');
        for (int i = random.nextInt(random.nextBoolean() ? 4 : 30); i > 0; i--) {
            switch (random.nextInt(12)) {
                case 0 -> out.append("\\n");
                case 1 -> out.append("\\\"");
                case 2 -> out.append("\\u00").append(random.nextBoolean() ? "e9" : "4A");
                case 3 -> out.append("\ud83d\ude00");
                case 4 -> out.append("\\uD83D\\uDE00");
                case 5 -> out.append('\u00e9');
                default -> out.append((char) ('a' + random.nextInt(26)));
            }
        }
        out.append('"');
    }
}
