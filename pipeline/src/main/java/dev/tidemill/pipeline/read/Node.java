package dev.tidemill.pipeline.read;

import dev.tidemill.pipeline.spec.Position;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A value of a pipeline file and where it stands, the same for every syntax. Immutable. */
public sealed interface Node {
    Position at();

    /** How a message calls what it found; never the value of a secret. */
    String shown();

    /** Keys and values in the order of the file. */
    record Table(Position at, Map<String, Entry> entries) implements Node {
        public Table {
            entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
        }

        /** The value of a key, or null. */
        public Node get(String key) {
            Entry entry = entries.get(key);
            return entry == null ? null : entry.value();
        }

        public boolean has(String key) {
            return entries.containsKey(key);
        }

        @Override
        public String shown() {
            return "a table";
        }
    }

    /** @param at where the key stands */
    record Entry(String key, Position at, Node value) {}

    record Items(Position at, List<Node> items) implements Node {
        public Items {
            items = List.copyOf(items);
        }

        @Override
        public String shown() {
            return items.isEmpty() ? "an empty list" : "a list";
        }
    }

    /** Where a text comes from. */
    enum Origin {
        /** Stands in the file. */
        FILE,
        /** Was given as text from outside, where there are no types: it may stand for a number or a switch. */
        OUTSIDE,
        /** As {@link #OUTSIDE}, and never shown. */
        SECRET
    }

    /** @param content where its first character stands when all of it stands in the file as it is, else null */
    record Text(Position at, String value, Position content, Origin origin) implements Node {
        private static final int MOST_SHOWN = 60;

        public Text(Position at, String value, Origin origin) {
            this(at, value, null, origin);
        }

        /** The place of one of its characters, or of the whole where that is not known. */
        public Position place(int index) {
            if (content == null) {
                return at;
            }
            int end = Math.min(index, value.length());
            int lastBreak = value.lastIndexOf('\n', end - 1);
            if (lastBreak < 0) {
                return new Position(
                        content.source(),
                        content.line(),
                        content.column() + value.codePointCount(0, end));
            }
            int lines = (int) value.substring(0, end).chars().filter(c -> c == '\n').count();
            return new Position(
                    content.source(),
                    content.line() + lines,
                    1 + value.codePointCount(lastBreak + 1, end));
        }

        @Override
        public String shown() {
            if (origin == Origin.SECRET) {
                return "a text from a ${…} reference";
            }
            return quote(value);
        }

        static String quoteCharacter(int c) {
            String quoted = quote(Character.toString(c));
            return "'" + quoted.substring(1, quoted.length() - 1) + "'";
        }

        static String quote(String text) {
            StringBuilder out = new StringBuilder("\"");
            for (int i = 0; i < text.length() && i < MOST_SHOWN; i++) {
                char c = text.charAt(i);
                if (Character.isISOControl(c)) {
                    out.append(String.format("\\u%04x", (int) c));
                    continue;
                }
                out.append(c);
            }
            return out.append(text.length() > MOST_SHOWN ? "…\"" : "\"").toString();
        }
    }

    record Whole(Position at, long value) implements Node {
        @Override
        public String shown() {
            return Long.toString(value);
        }
    }

    record Decimal(Position at, double value) implements Node {
        @Override
        public String shown() {
            return Double.toString(value);
        }
    }

    record Flag(Position at, boolean value) implements Node {
        @Override
        public String shown() {
            return Boolean.toString(value);
        }
    }

    /** A null, which only YAML and JSON have: it stands for no value. */
    record Nothing(Position at) implements Node {
        @Override
        public String shown() {
            return "nothing";
        }
    }
}
