package dev.tidemill.pipeline.read;

import dev.tidemill.pipeline.spec.Position;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * TOML 1.0, and of 1.1 the line breaks in inline tables and the escapes {@code \e} and {@code \xHH}. Every key and value keeps its place, which is why
 * this is not a library. Dates and times become strings. Stops at the first error.
 *
 * <p>Here, and wherever files without errors pass, no {@code switch} goes by type: a JVM links each anew at every start, at more than a millisecond, cache or not.
 */
final class TomlReader {
    private static final int MAX_DEPTH = 32;
    private static final int MAX_KEY_PARTS = 16;
    private static final int MAX_NUMBER = 100;

    private static final Pattern WHOLE = Pattern.compile("[+-]?(0|[1-9](_?[0-9])*)");
    private static final Pattern RADIX =
            Pattern.compile("0x[0-9A-Fa-f](_?[0-9A-Fa-f])*|0o[0-7](_?[0-7])*|0b[01](_?[01])*");
    private static final Pattern DECIMAL =
            Pattern.compile(
                    "[+-]?(0|[1-9](_?[0-9])*)(\\.[0-9](_?[0-9])*)?([eE][+-]?[0-9](_?[0-9])*)?");

    private final String text;
    private final Places places;
    private final Draft root;
    private int pos;

    TomlReader(String text, String source) {
        this.text = text;
        this.places = new Places(text, source);
        this.root = new Draft(new Position(source, 1, 1), Made.BY_HEADER);
    }

    /** How a table came to be, which decides what may still be added to it. */
    private enum Made {
        BY_HEADER,
        /** As a step on the way of a header. */
        ON_THE_WAY,
        BY_DOTS,
        INLINE
    }

    private record Part(String name, Position at) {}

    /** @param value a Node, a Draft, or a list of Drafts */
    private record Slot(Position at, Object value) {}

    private static final class Draft {
        private final Map<String, Slot> slots = new LinkedHashMap<>();
        private Position at;
        private Made made;

        Draft(Position at, Made made) {
            this.at = at;
            this.made = made;
        }

        Node.Table freeze() {
            Map<String, Node.Entry> entries = new LinkedHashMap<>();
            slots.forEach(
                    (key, slot) -> entries.put(key, new Node.Entry(key, slot.at(), freeze(slot))));
            return new Node.Table(at, entries);
        }

        private static Node freeze(Slot slot) {
            if (slot.value() instanceof Draft draft) {
                return draft.freeze();
            }
            if (slot.value() instanceof Drafts drafts) {
                return new Node.Items(
                        slot.at(), drafts.list().stream().<Node>map(Draft::freeze).toList());
            }
            return (Node) slot.value();
        }
    }

    private record Drafts(List<Draft> list) {}

    Node.Table read() throws SyntaxException {
        if (text.startsWith("\uFEFF")) {
            pos++;
        }
        Draft table = root;
        while (true) {
            skipBlank();
            if (atEnd()) {
                return root.freeze();
            }
            if (peek() == '[') {
                table = header();
            } else {
                keyAndValue(table, 0);
            }
            endLine();
        }
    }

    // Structure

    private Draft header() throws SyntaxException {
        Position at = places.at(pos);
        boolean array = text.startsWith("[[", pos);
        pos += array ? 2 : 1;
        skipSpace();
        List<Part> parts = key();
        String close = array ? "]]" : "]";
        if (!text.startsWith(close, pos)) {
            throw error("expected " + close + " behind the name of a table, found " + found());
        }
        pos += close.length();
        Draft table = root;
        for (Part part : parts.subList(0, parts.size() - 1)) {
            table = onTheWay(table, part);
        }
        Part last = parts.getLast();
        return array ? append(table, last, at) : open(table, last, at);
    }

    private static Draft onTheWay(Draft table, Part part) throws SyntaxException {
        Slot slot = table.slots.get(part.name());
        if (slot == null) {
            Draft made = new Draft(part.at(), Made.ON_THE_WAY);
            table.slots.put(part.name(), new Slot(part.at(), made));
            return made;
        }
        if (slot.value() instanceof Draft draft) {
            return draft;
        }
        if (slot.value() instanceof Drafts drafts) {
            return drafts.list().getLast();
        }
        throw taken(part, slot);
    }

    private static Draft open(Draft table, Part part, Position at) throws SyntaxException {
        Slot slot = table.slots.get(part.name());
        if (slot == null) {
            Draft made = new Draft(at, Made.BY_HEADER);
            table.slots.put(part.name(), new Slot(part.at(), made));
            return made;
        }
        if (slot.value() instanceof Draft draft && draft.made == Made.ON_THE_WAY) {
            draft.made = Made.BY_HEADER;
            draft.at = at;
            return draft;
        }
        throw taken(part, slot);
    }

    private static Draft append(Draft table, Part part, Position at) throws SyntaxException {
        Slot slot =
                table.slots.computeIfAbsent(
                        part.name(), _ -> new Slot(part.at(), new Drafts(new ArrayList<>())));
        if (!(slot.value() instanceof Drafts drafts)) {
            throw taken(part, slot);
        }
        Draft made = new Draft(at, Made.BY_HEADER);
        drafts.list().add(made);
        return made;
    }

    private void keyAndValue(Draft into, int depth) throws SyntaxException {
        List<Part> parts = key();
        if (atEnd() || peek() != '=') {
            throw error("expected = behind a key, found " + found());
        }
        pos++;
        skipSpace();
        Draft table = into;
        for (Part part : parts.subList(0, parts.size() - 1)) {
            table = byDots(table, part);
        }
        Part last = parts.getLast();
        Slot before = table.slots.get(last.name());
        if (before != null) {
            throw taken(last, before);
        }
        table.slots.put(last.name(), new Slot(last.at(), value(depth)));
    }

    private static Draft byDots(Draft table, Part part) throws SyntaxException {
        Slot slot = table.slots.get(part.name());
        if (slot == null) {
            Draft made = new Draft(part.at(), Made.BY_DOTS);
            table.slots.put(part.name(), new Slot(part.at(), made));
            return made;
        }
        if (slot.value() instanceof Draft draft && draft.made == Made.BY_DOTS) {
            return draft;
        }
        throw taken(part, slot);
    }

    private static SyntaxException taken(Part part, Slot before) {
        return new SyntaxException(
                part.at(),
                Node.Text.quote(part.name()) + " is there already, in line " + before.at().line());
    }

    /** Leaves the position behind the space that follows the key. */
    private List<Part> key() throws SyntaxException {
        List<Part> parts = new ArrayList<>(2);
        while (true) {
            parts.add(part());
            if (parts.size() > MAX_KEY_PARTS) {
                throw error("a key has at most " + MAX_KEY_PARTS + " parts");
            }
            skipSpace();
            if (atEnd() || peek() != '.') {
                return parts;
            }
            pos++;
            skipSpace();
        }
    }

    private Part part() throws SyntaxException {
        int start = pos;
        Position at = places.at(start);
        if (!atEnd() && peek() == '"') {
            return new Part(basic(), at);
        }
        if (!atEnd() && peek() == '\'') {
            return new Part(literal(), at);
        }
        while (!atEnd() && isBare(peek())) {
            pos++;
        }
        if (pos == start) {
            throw error("expected a key, found " + found());
        }
        return new Part(text.substring(start, pos), at);
    }

    private static boolean isBare(char c) {
        return c >= 'a' && c <= 'z'
                || c >= 'A' && c <= 'Z'
                || c >= '0' && c <= '9'
                || c == '_'
                || c == '-';
    }

    // Values

    private Node value(int depth) throws SyntaxException {
        if (atEnd()) {
            throw error("expected a value, found the end of the file");
        }
        return switch (peek()) {
            case '"', '\'' -> string();
            case '[' -> array(depth + 1);
            case '{' -> inline(depth + 1);
            default -> word();
        };
    }

    private Node array(int depth) throws SyntaxException {
        int start = pos;
        Position at = opened(depth);
        List<Node> items = new ArrayList<>();
        while (true) {
            skipBlank();
            if (closed(']', start, "list")) {
                return new Node.Items(at, items);
            }
            items.add(value(depth));
            skipBlank();
            comma(']', start, "list");
        }
    }

    private Node inline(int depth) throws SyntaxException {
        int start = pos;
        Draft table = new Draft(opened(depth), Made.INLINE);
        while (true) {
            skipBlank();
            if (closed('}', start, "table")) {
                return table.freeze();
            }
            keyAndValue(table, depth);
            skipBlank();
            comma('}', start, "table");
        }
    }

    private Position opened(int depth) throws SyntaxException {
        if (depth > MAX_DEPTH) {
            throw error("more than " + MAX_DEPTH + " lists and tables inside each other");
        }
        return places.at(pos++);
    }

    private boolean closed(char close, int start, String what) throws SyntaxException {
        if (atEnd()) {
            throw new SyntaxException(
                    places.at(start), "the " + what + " that starts here has no " + close);
        }
        if (peek() != close) {
            return false;
        }
        pos++;
        return true;
    }

    private void comma(char close, int start, String what) throws SyntaxException {
        if (atEnd()) {
            throw new SyntaxException(
                    places.at(start), "the " + what + " that starts here has no " + close);
        }
        if (peek() == ',') {
            pos++;
        } else if (peek() != close) {
            throw error("expected , or " + close + " in a " + what + ", found " + found());
        }
    }

    private Node string() throws SyntaxException {
        int start = pos;
        Position at = places.at(start);
        boolean basic = peek() == '"';
        boolean lines = text.startsWith(basic ? "\"\"\"" : "'''", start);
        String value = basic ? lines ? basicLines() : basic() : lines ? literalLines() : literal();
        int content = start + (lines ? 3 : 1);
        if (lines) {
            content +=
                    text.startsWith("\r\n", content) ? 2 : text.startsWith("\n", content) ? 1 : 0;
        }
        return new Node.Text(at, value, places.content(value, content), Node.Origin.FILE);
    }

    private String basic() throws SyntaxException {
        int start = pos++;
        StringBuilder out = new StringBuilder();
        while (true) {
            char c = stringChar(start);
            if (c == '"') {
                return out.toString();
            }
            if (c == '\n' || c == '\r') {
                throw noEnd(start);
            }
            if (c == '\\') {
                escape(out);
            } else {
                out.append(c);
            }
        }
    }

    private String literal() throws SyntaxException {
        int start = pos++;
        while (true) {
            char c = stringChar(start);
            if (c == '\'') {
                return text.substring(start + 1, pos - 1);
            }
            if (c == '\n' || c == '\r') {
                throw noEnd(start);
            }
        }
    }

    private String basicLines() throws SyntaxException {
        int start = openLines();
        StringBuilder out = new StringBuilder();
        while (!closesLines('"', out)) {
            char c = stringChar(start);
            if (c == '\\') {
                if (!continues()) {
                    escape(out);
                }
            } else {
                appendLineChar(c, out);
            }
        }
        return out.toString();
    }

    private String literalLines() throws SyntaxException {
        int start = openLines();
        StringBuilder out = new StringBuilder();
        while (!closesLines('\'', out)) {
            appendLineChar(stringChar(start), out);
        }
        return out.toString();
    }

    private int openLines() {
        int start = pos;
        pos += 3;
        if (text.startsWith("\r\n", pos)) {
            pos += 2;
        } else if (text.startsWith("\n", pos)) {
            pos++;
        }
        return start;
    }

    /** Three quotes close; one or two more before them belong to the text. */
    private boolean closesLines(char quote, StringBuilder out) {
        int quotes = 0;
        while (quotes < 5 && pos + quotes < text.length() && text.charAt(pos + quotes) == quote) {
            quotes++;
        }
        if (quotes < 3) {
            return false;
        }
        pos += quotes;
        out.repeat(quote, quotes - 3);
        return true;
    }

    private void appendLineChar(char c, StringBuilder out) throws SyntaxException {
        if (c != '\r') {
            out.append(c);
        } else if (atEnd() || peek() != '\n') {
            pos--;
            throw error("a carriage return without a line feed");
        }
    }

    private char stringChar(int start) throws SyntaxException {
        if (atEnd()) {
            throw noEnd(start);
        }
        char c = text.charAt(pos);
        if (isControl(c) && c != '\n' && c != '\r') {
            throw error(
                    "a control character in a string: write \\u"
                            + String.format("%04x", (int) c)
                            + " in double quotes");
        }
        pos++;
        return c;
    }

    private SyntaxException noEnd(int start) {
        return new SyntaxException(places.at(start), "the string that starts here has no end");
    }

    /** A backslash at the end of a line: the line goes on at the next text. */
    private boolean continues() throws SyntaxException {
        int next = pos;
        while (next < text.length() && (text.charAt(next) == ' ' || text.charAt(next) == '\t')) {
            next++;
        }
        if (next < text.length() && text.charAt(next) != '\n' && !text.startsWith("\r\n", next)) {
            return false;
        }
        while (next < text.length() && " \t\r\n".indexOf(text.charAt(next)) >= 0) {
            next++;
        }
        pos = next;
        return true;
    }

    private void escape(StringBuilder out) throws SyntaxException {
        int start = pos - 1;
        char c = atEnd() ? 0 : text.charAt(pos++);
        switch (c) {
            case 'b' -> out.append('\b');
            case 't' -> out.append('\t');
            case 'n' -> out.append('\n');
            case 'f' -> out.append('\f');
            case 'r' -> out.append('\r');
            case 'e' -> out.append('\u001b');
            case '"', '\\' -> out.append(c);
            case 'x' -> out.appendCodePoint(hex(2, start));
            case 'u' -> out.appendCodePoint(hex(4, start));
            case 'U' -> out.appendCodePoint(hex(8, start));
            default ->
                    throw new SyntaxException(
                            places.at(start),
                            "unknown escape "
                                    + text.substring(start, Math.min(pos, text.length()))
                                    + " in double quotes; write \\\\ for a backslash, or use single quotes");
        }
    }

    private int hex(int digits, int start) throws SyntaxException {
        long value = 0;
        for (int i = 0; i < digits; i++) {
            int digit = atEnd() ? -1 : Character.digit(peek(), 16);
            if (digit < 0 || peek() > 'f') {
                throw new SyntaxException(
                        places.at(start), "this escape needs " + digits + " hexadecimal digits");
            }
            value = value << 4 | digit;
            pos++;
        }
        boolean surrogate = value >= Character.MIN_SURROGATE && value <= Character.MAX_SURROGATE;
        if (value > Character.MAX_CODE_POINT || surrogate) {
            throw new SyntaxException(places.at(start), "this escape is no Unicode character");
        }
        return (int) value;
    }

    /** Numbers, booleans, dates and times. */
    private Node word() throws SyntaxException {
        int start = pos;
        Position at = places.at(start);
        scanWord();
        if (pos - start == 10 && isDateThenTime(start)) {
            pos++;
            scanWord();
        }
        String word = text.substring(start, pos);
        if (word.isEmpty()) {
            throw error("expected a value, found " + found());
        }
        Node node = word.length() > MAX_NUMBER ? null : scalar(at, word);
        if (node == null) {
            pos = start;
            throw noValue(at, word);
        }
        return node;
    }

    private void scanWord() {
        while (!atEnd() && " \t\r\n,]}#=\"'[{".indexOf(peek()) < 0) {
            pos++;
        }
    }

    private boolean isDateThenTime(int start) {
        return text.charAt(start + 4) == '-'
                && pos + 3 < text.length()
                && peek() == ' '
                && Character.isDigit(text.charAt(pos + 1))
                && text.charAt(pos + 3) == ':';
    }

    private static SyntaxException noValue(Position at, String word) {
        boolean wordy = Character.isLetter(word.charAt(0)) && word.length() <= MAX_NUMBER;
        String hint = wordy ? "; text needs quotes: " + Node.Text.quote(word) : "";
        return new SyntaxException(at, "expected a value, found " + Node.Text.quote(word) + hint);
    }

    /** Null when it is none. */
    private static Node scalar(Position at, String word) throws SyntaxException {
        switch (word) {
            case "true", "false" -> {
                return new Node.Flag(at, word.equals("true"));
            }
            case "inf", "+inf" -> {
                return new Node.Decimal(at, Double.POSITIVE_INFINITY);
            }
            case "-inf" -> {
                return new Node.Decimal(at, Double.NEGATIVE_INFINITY);
            }
            case "nan", "+nan", "-nan" -> {
                return new Node.Decimal(at, Double.NaN);
            }
            default -> {
                return number(at, word);
            }
        }
    }

    private static Node number(Position at, String word) throws SyntaxException {
        String digits = word.replace("_", "");
        try {
            if (WHOLE.matcher(word).matches()) {
                return new Node.Whole(at, Long.parseLong(digits));
            }
            if (RADIX.matcher(word).matches()) {
                int radix = word.charAt(1) == 'x' ? 16 : word.charAt(1) == 'o' ? 8 : 2;
                return new Node.Whole(at, Long.parseLong(digits.substring(2), radix));
            }
        } catch (NumberFormatException e) {
            throw new SyntaxException(at, word + " does not fit into 64 bits");
        }
        if (DECIMAL.matcher(word).matches()) {
            return new Node.Decimal(at, Double.parseDouble(digits));
        }
        return isDateOrTime(word) ? new Node.Text(at, word, at, Node.Origin.FILE) : null;
    }

    private static boolean isDateOrTime(String word) {
        try {
            if (word.length() < 8 || !Character.isDigit(word.charAt(0))) {
                return false;
            }
            if (word.charAt(2) == ':') {
                return isTime(word);
            }
            if (word.charAt(4) != '-' || word.length() < 10) {
                return false;
            }
            LocalDate.parse(word.substring(0, 10));
            return word.length() == 10
                    || "Tt ".indexOf(word.charAt(10)) >= 0 && isTimeWithOffset(word.substring(11));
        } catch (DateTimeException e) {
            return false;
        }
    }

    private static boolean isTimeWithOffset(String word) {
        int zone = word.length() < 8 ? -1 : zoneStart(word);
        if (zone < 0) {
            return isTime(word);
        }
        String offset = word.substring(zone);
        if (!offset.equalsIgnoreCase("z")) {
            if (offset.length() != 6) {
                return false;
            }
            ZoneOffset.of(offset);
        }
        return isTime(word.substring(0, zone));
    }

    private static int zoneStart(String word) {
        for (int i = 8; i < word.length(); i++) {
            if ("Zz+-".indexOf(word.charAt(i)) >= 0) {
                return i;
            }
        }
        return -1;
    }

    private static boolean isTime(String word) {
        if (word.length() < 8) {
            return false;
        }
        LocalTime.parse(word.substring(0, 8));
        return word.length() == 8
                || word.charAt(8) == '.'
                        && word.length() > 9
                        && word.chars().skip(9).allMatch(c -> c >= '0' && c <= '9');
    }

    // Characters

    private boolean atEnd() {
        return pos >= text.length();
    }

    private char peek() {
        return text.charAt(pos);
    }

    private void skipSpace() {
        while (!atEnd() && (peek() == ' ' || peek() == '\t')) {
            pos++;
        }
    }

    /** Skips space, line breaks and comments. */
    private void skipBlank() throws SyntaxException {
        while (true) {
            skipSpace();
            skipComment();
            if (!skipBreak()) {
                return;
            }
        }
    }

    private void skipComment() throws SyntaxException {
        if (atEnd() || peek() != '#') {
            return;
        }
        while (!atEnd() && peek() != '\n' && !text.startsWith("\r\n", pos)) {
            if (isControl(peek())) {
                throw error("a control character in a comment");
            }
            pos++;
        }
    }

    private boolean skipBreak() {
        if (text.startsWith("\r\n", pos)) {
            pos += 2;
            return true;
        }
        if (!atEnd() && peek() == '\n') {
            pos++;
            return true;
        }
        return false;
    }

    private void endLine() throws SyntaxException {
        skipSpace();
        skipComment();
        if (!atEnd() && !skipBreak()) {
            throw error("expected the end of the line, found " + found());
        }
    }

    private static boolean isControl(char c) {
        return c < ' ' && c != '\t' || c == 0x7f;
    }

    private String found() {
        if (atEnd()) {
            return "the end of the file";
        }
        if (peek() == '\n' || peek() == '\r') {
            return "the end of the line";
        }
        return Node.Text.quoteCharacter(text.codePointAt(pos));
    }

    private SyntaxException error(String message) {
        return new SyntaxException(places.at(pos), message);
    }
}
