package dev.tidemill.epochs;

import java.nio.charset.StandardCharsets;

/** The rules for objects' names, so that no name can leave its store. */
public final class ObjectNames {
    private static final int LONGEST = 200;

    private ObjectNames() {}

    /** @throws IllegalArgumentException when the name breaks the rules of {@link ObjectStore} */
    public static String check(String name) {
        for (String segment : name.split("/", -1)) {
            if (segment.isEmpty() || segment.length() > LONGEST || segment.charAt(0) == '.') {
                throw new IllegalArgumentException("not an object's name: '" + name + "'");
            }
            for (int i = 0; i < segment.length(); i++) {
                if (!isPlain(segment.charAt(i)) && segment.charAt(i) != '%') {
                    throw new IllegalArgumentException("not an object's name: '" + name + "'");
                }
            }
        }
        return name;
    }

    /** One segment for any text: what is not plain is percent-encoded. Different texts have different segments, unless cut at the length. */
    static String segment(String text, int longest) {
        StringBuilder out = new StringBuilder();
        for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (each & 0xff);
            if (isPlain(c) && !(c == '.' && out.isEmpty())) {
                out.append(c);
            } else {
                out.append('%').append(String.format("%02X", (int) c));
            }
        }
        if (out.isEmpty()) {
            return "%";
        }
        return out.length() <= longest ? out.toString() : out.substring(0, longest);
    }

    /** A segment for a number that sorts as the number does. */
    static String ordinal(long number) {
        return String.format("%012d", number);
    }

    private static boolean isPlain(char c) {
        return c >= 'a' && c <= 'z'
                || c >= 'A' && c <= 'Z'
                || c >= '0' && c <= '9'
                || ".-_~=".indexOf(c) >= 0;
    }
}
