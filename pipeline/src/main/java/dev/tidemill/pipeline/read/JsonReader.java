package dev.tidemill.pipeline.read;

import dev.tidemill.pipeline.spec.Position;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON by RFC 8259, strictly, with places and without duplicate keys. Stops at the first error. */
final class JsonReader {
    private static final int MAX_DEPTH = 64;

    private final String text;
    private final Places places;
    private int pos;

    JsonReader(String text, String source) {
        this.text = text;
        this.places = new Places(text, source);
    }

    Node read() throws SyntaxException {
        if (text.startsWith("\uFEFF")) {
            pos++;
        }
        Node node = value(0);
        skipSpace();
        if (!atEnd()) {
            throw error("expected the end of the file, found " + found());
        }
        return node;
    }

    private Node value(int depth) throws SyntaxException {
        skipSpace();
        if (atEnd()) {
            throw error("expected a value, found the end of the file");
        }
        Position at = places.at(pos);
        char c = peek();
        if (c == '{') {
            return table(at, depth + 1);
        }
        if (c == '[') {
            return items(at, depth + 1);
        }
        if (c == '"') {
            int content = pos + 1;
            String value = string();
            return new Node.Text(at, value, places.content(value, content), Node.Origin.FILE);
        }
        return c == '-' || isDigit(c) ? number(at) : word(at);
    }

    private Node table(Position at, int depth) throws SyntaxException {
        open(depth);
        Map<String, Node.Entry> entries = new LinkedHashMap<>();
        skipSpace();
        if (take('}')) {
            return new Node.Table(at, entries);
        }
        do {
            skipSpace();
            Position keyAt = places.at(pos);
            if (atEnd() || peek() != '"') {
                throw error("expected a key in double quotes, found " + found());
            }
            String key = string();
            Node.Entry before = entries.get(key);
            if (before != null) {
                throw new SyntaxException(
                        keyAt,
                        Node.Text.quote(key) + " is there already, in line " + before.at().line());
            }
            skipSpace();
            if (!take(':')) {
                throw error("expected : behind a key, found " + found());
            }
            entries.put(key, new Node.Entry(key, keyAt, value(depth)));
            skipSpace();
        } while (take(','));
        close('}', at, "table");
        return new Node.Table(at, entries);
    }

    private Node items(Position at, int depth) throws SyntaxException {
        open(depth);
        List<Node> items = new ArrayList<>();
        skipSpace();
        if (take(']')) {
            return new Node.Items(at, items);
        }
        do {
            items.add(value(depth));
            skipSpace();
        } while (take(','));
        close(']', at, "list");
        return new Node.Items(at, items);
    }

    private void open(int depth) throws SyntaxException {
        if (depth > MAX_DEPTH) {
            throw error("more than " + MAX_DEPTH + " lists and tables inside each other");
        }
        pos++;
    }

    private void close(char end, Position at, String what) throws SyntaxException {
        if (atEnd()) {
            throw new SyntaxException(at, "the " + what + " that starts here has no " + end);
        }
        if (!take(end)) {
            throw error("expected , or " + end + " in a " + what + ", found " + found());
        }
    }

    private String string() throws SyntaxException {
        int start = pos++;
        StringBuilder out = new StringBuilder();
        while (true) {
            if (atEnd() || peek() == '\n') {
                throw new SyntaxException(
                        places.at(start), "the string that starts here has no end");
            }
            char c = peek();
            if (c < ' ') {
                throw error(
                        "a control character in a string: write \\u"
                                + String.format("%04x", (int) c));
            }
            pos++;
            if (c == '"') {
                return out.toString();
            }
            if (c == '\\') {
                escape(out);
            } else {
                out.append(c);
            }
        }
    }

    private void escape(StringBuilder out) throws SyntaxException {
        int start = pos - 1;
        char c = atEnd() ? 0 : text.charAt(pos++);
        switch (c) {
            case '"', '\\', '/' -> out.append(c);
            case 'b' -> out.append('\b');
            case 'f' -> out.append('\f');
            case 'n' -> out.append('\n');
            case 'r' -> out.append('\r');
            case 't' -> out.append('\t');
            case 'u' -> out.append(hex(start));
            default ->
                    throw new SyntaxException(
                            places.at(start),
                            "unknown escape "
                                    + text.substring(start, Math.min(pos, text.length()))
                                    + "; write \\\\ for a backslash");
        }
    }

    private char hex(int start) throws SyntaxException {
        int value = 0;
        for (int i = 0; i < 4; i++) {
            int digit = atEnd() || peek() > 'f' ? -1 : Character.digit(peek(), 16);
            if (digit < 0) {
                throw new SyntaxException(
                        places.at(start), "this escape needs 4 hexadecimal digits");
            }
            value = value << 4 | digit;
            pos++;
        }
        return (char) value;
    }

    private Node number(Position at) throws SyntaxException {
        int start = pos;
        take('-');
        if (!take('0')) {
            digits();
        }
        boolean whole = true;
        if (take('.')) {
            whole = false;
            digits();
        }
        if (take('e') || take('E')) {
            whole = false;
            if (!take('+')) {
                take('-');
            }
            digits();
        }
        String word = text.substring(start, pos);
        if (!whole) {
            return new Node.Decimal(at, Double.parseDouble(word));
        }
        try {
            return new Node.Whole(at, Long.parseLong(word));
        } catch (NumberFormatException e) {
            throw new SyntaxException(at, "this number does not fit into 64 bits");
        }
    }

    private void digits() throws SyntaxException {
        if (atEnd() || !isDigit(peek())) {
            throw error("expected a digit, found " + found());
        }
        while (!atEnd() && isDigit(peek())) {
            pos++;
        }
    }

    private Node word(Position at) throws SyntaxException {
        int start = pos;
        while (!atEnd() && Character.isLetterOrDigit(peek())) {
            pos++;
        }
        String word = text.substring(start, pos);
        return switch (word) {
            case "true" -> new Node.Flag(at, true);
            case "false" -> new Node.Flag(at, false);
            case "null" -> new Node.Nothing(at);
            case "" -> throw error("expected a value, found " + found());
            default ->
                    throw new SyntaxException(
                            at,
                            "expected a value, found "
                                    + Node.Text.quote(word)
                                    + "; text needs double quotes");
        };
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private boolean atEnd() {
        return pos >= text.length();
    }

    private char peek() {
        return text.charAt(pos);
    }

    private boolean take(char c) {
        if (atEnd() || peek() != c) {
            return false;
        }
        pos++;
        return true;
    }

    private void skipSpace() {
        while (!atEnd() && " \t\r\n".indexOf(peek()) >= 0) {
            pos++;
        }
    }

    private String found() {
        return atEnd() ? "the end of the file" : Node.Text.quoteCharacter(text.codePointAt(pos));
    }

    private SyntaxException error(String message) {
        return new SyntaxException(places.at(pos), message);
    }
}
