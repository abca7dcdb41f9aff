package dev.tidemill.expr;

import dev.tidemill.describe.Nearest;
import dev.tidemill.expr.Node.Operator;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Text to tree by precedence climbing (Martin Richards, 1979). Bounded in depth and length, so that no text can exhaust the stack.
 */
final class Parser {
    static final int MAX_LENGTH = 64 * 1024;
    static final int MAX_DEPTH = 200;
    static final int MAX_HEIGHT = 1000;
    private static final int UNARY = 8;

    private final String text;
    private final Set<String> warnings = new LinkedHashSet<>();
    private int at;
    private int depth;

    Parser(String text) {
        this.text = text;
    }

    List<String> warnings() {
        return List.copyOf(warnings);
    }

    Node parse() throws ExpressionException {
        if (text.length() > MAX_LENGTH) {
            throw error(
                    "the expression has " + text.length() + " characters, more than " + MAX_LENGTH,
                    0);
        }
        Node node = conditional();
        skipBlanks();
        if (at < text.length()) {
            throw error("found " + found() + " after the end of the expression", at);
        }
        checkHeight(node, 1);
        return node;
    }

    /** A chain of operators is not nested in the text, but it is in the tree, and whatever walks the tree does so by recursion. */
    private static void checkHeight(Node node, int height) throws ExpressionException {
        if (height > MAX_HEIGHT) {
            throw error("more than " + MAX_HEIGHT + " operators build on each other", node.at());
        }
        for (Node child : node.children()) {
            checkHeight(child, height + 1);
        }
    }

    private Node conditional() throws ExpressionException {
        enter();
        Node condition = binary(2);
        skipBlanks();
        if (peek() != '?') {
            depth--;
            return condition;
        }
        int position = at++;
        Node then = conditional();
        expect(':');
        Node otherwise = conditional();
        depth--;
        return new Node.Conditional(condition, then, otherwise, position);
    }

    private Node binary(int least) throws ExpressionException {
        Node left = unary();
        for (; ; ) {
            skipBlanks();
            int position = at;
            Operator operator = operator(least);
            if (operator == null) {
                return left;
            }
            enter();
            Node right = binary(operator.precedence + 1);
            depth--;
            left = new Node.Binary(operator, left, right, position);
        }
    }

    /** Takes a binary operator that binds at least so tightly, or returns null. */
    private Operator operator(int least) throws ExpressionException {
        for (Operator operator : Operator.values()) {
            if (!text.startsWith(operator.symbol, at)) {
                continue;
            }
            int end = at + operator.symbol.length();
            if (operator == Operator.IN && end < text.length() && isNamePart(text.charAt(end))) {
                continue;
            }
            boolean longer =
                    (operator == Operator.LESS || operator == Operator.GREATER)
                            && end < text.length()
                            && text.charAt(end) == '=';
            if (longer) {
                continue;
            }
            if (operator == Operator.LESS && text.startsWith(">", end)) {
                throw error("'<>' is no operator; write '!='", at);
            }
            if (operator.precedence < least) {
                return null;
            }
            at = end;
            return operator;
        }
        if (peek() == '=') {
            throw error("'=' is no operator; write '=='", at);
        }
        return null;
    }

    private Node unary() throws ExpressionException {
        skipBlanks();
        int position = at;
        char c = peek();
        if (c == '!' && !text.startsWith("!=", at) || c == '-') {
            at++;
            skipBlanks();
            if (c == '-' && isNumberStart()) {
                return postfix(new Node.Literal(number(true), position));
            }
            enter();
            Node operand = unary();
            depth--;
            return new Node.Unary(c, operand, position);
        }
        if (c == '+') {
            throw error("there is no unary '+'", position);
        }
        return postfix(primary());
    }

    private Node postfix(Node node) throws ExpressionException {
        for (; ; ) {
            skipBlanks();
            int position = at;
            if (peek() == '.') {
                at++;
                skipBlanks();
                String name = peek() == '`' ? quotedName() : name();
                node = new Node.Index(node, new Node.Literal(name, position), position);
            } else if (peek() == '[') {
                at++;
                Node index = conditional();
                expect(']');
                node = new Node.Index(node, index, position);
            } else {
                return node;
            }
        }
    }

    private Node primary() throws ExpressionException {
        skipBlanks();
        int position = at;
        char c = peek();
        if (c == '(') {
            at++;
            Node node = conditional();
            expect(')');
            return node;
        }
        if (c == '[') {
            at++;
            return new Node.ListOf(items(']'), position);
        }
        if (c == '\'' || c == '"') {
            return new Node.Literal(string(c), position);
        }
        if (c == '`') {
            return new Node.Name(quotedName(), position);
        }
        if (isNumberStart()) {
            return new Node.Literal(number(false), position);
        }
        if (!isNameStart(c)) {
            throw error("found " + found() + " where a value was expected", position);
        }
        return word(position);
    }

    private Node word(int position) throws ExpressionException {
        String name = name();
        skipBlanks();
        if (peek() == '(') {
            at++;
            return call(name, position);
        }
        return switch (name) {
            case "true" -> new Node.Literal(true, position);
            case "false" -> new Node.Literal(false, position);
            case "null" -> new Node.Literal(null, position);
            default -> new Node.Name(name, position);
        };
    }

    private Node call(String name, int position) throws ExpressionException {
        Function function = Functions.find(name);
        if (function == null) {
            String hint =
                    Nearest.to(name, Functions.names())
                            .map(nearest -> "; did you mean '" + nearest + "'?")
                            .orElse("");
            throw error("there is no function '" + name + "'" + hint, position);
        }
        List<Node> arguments = items(')');
        if (!function.takes(arguments.size())) {
            throw error(
                    name
                            + " takes "
                            + function.arity()
                            + ", found "
                            + arguments.size()
                            + ": "
                            + function.description().signature(),
                    position);
        }
        return new Node.Call(function, arguments, position);
    }

    private List<Node> items(char close) throws ExpressionException {
        List<Node> items = new ArrayList<>();
        skipBlanks();
        if (peek() == close) {
            at++;
            return items;
        }
        for (; ; ) {
            items.add(conditional());
            skipBlanks();
            if (peek() == close) {
                at++;
                return items;
            }
            expect(',');
        }
    }

    private String string(char quote) throws ExpressionException {
        int start = at++;
        StringBuilder out = new StringBuilder();
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c == quote) {
                return checked(out.toString(), start);
            }
            if (c == '\\') {
                escape(out, start);
            } else {
                out.append(c);
            }
        }
        throw error("the string that begins here has no end", start);
    }

    private static String checked(String string, int start) throws ExpressionException {
        boolean half =
                string.codePoints()
                        .anyMatch(
                                c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
        if (half) {
            throw error(
                    "this string holds half a character: \\uD800 to \\uDFFF must come in pairs",
                    start);
        }
        return string;
    }

    private void escape(StringBuilder out, int start) throws ExpressionException {
        if (at >= text.length()) {
            throw error("the string that begins here has no end", start);
        }
        char c = text.charAt(at++);
        switch (c) {
            case 'n' -> {
                out.append('\n');
                warnings.add(
                        "'\\n' is a line break here; FusionVault Streams reads it as the letter n");
            }
            case 't' -> {
                out.append('\t');
                warnings.add("'\\t' is a tab here; FusionVault Streams reads it as the letter t");
            }
            case 'u' -> {
                int code = at + 4 <= text.length() ? hex(text.substring(at, at + 4)) : -1;
                if (code < 0) {
                    // Without four digits it keeps the meaning of any other escaped letter.
                    out.append('u');
                    return;
                }
                out.append((char) code);
                at += 4;
            }
            default -> out.append(c);
        }
    }

    private static int hex(String digits) {
        int value = 0;
        for (int i = 0; i < digits.length(); i++) {
            int digit = Character.digit(digits.charAt(i), 16);
            if (digit < 0) {
                return -1;
            }
            value = 16 * value + digit;
        }
        return value;
    }

    private boolean isNumberStart() {
        return isDigit(peek())
                || peek() == '.' && at + 1 < text.length() && isDigit(text.charAt(at + 1));
    }

    /** The sign is taken with the digits, since the least int64 has no positive counterpart. */
    private Object number(boolean negative) throws ExpressionException {
        int start = at;
        boolean whole = true;
        skipDigits();
        if (peek() == '.') {
            whole = false;
            at++;
            skipDigits();
        }
        if (peek() == 'e' || peek() == 'E') {
            whole = false;
            at++;
            if (peek() == '+' || peek() == '-') {
                at++;
            }
            if (!isDigit(peek())) {
                throw error("the exponent of this number has no digits", start);
            }
            skipDigits();
        }
        if (isNameStart(peek())) {
            throw error("found " + found() + " in a number", at);
        }
        String digits = (negative ? "-" : "") + text.substring(start, at);
        if (whole) {
            try {
                return Long.parseLong(digits);
            } catch (NumberFormatException e) {
                // Too many digits for an int64: a float64, as in the reference.
            }
        }
        double value = Double.parseDouble(digits);
        if (Double.isInfinite(value)) {
            throw error("the number " + digits + " is beyond float64", start);
        }
        return value;
    }

    private void skipDigits() {
        while (isDigit(peek())) {
            at++;
        }
    }

    private String quotedName() throws ExpressionException {
        int start = at++;
        int end = text.indexOf('`', at);
        if (end <= at) {
            throw error(
                    end < 0 ? "the name that begins here has no closing backtick" : "an empty name",
                    start);
        }
        String name = text.substring(at, end);
        at = end + 1;
        return name;
    }

    private String name() throws ExpressionException {
        int start = at;
        if (!isNameStart(peek())) {
            throw error("found " + found() + " where a name was expected", at);
        }
        while (at < text.length() && isNamePart(text.charAt(at))) {
            at++;
        }
        return text.substring(start, at);
    }

    private void expect(char wanted) throws ExpressionException {
        skipBlanks();
        if (peek() != wanted) {
            throw error("found " + found() + " where '" + wanted + "' was expected", at);
        }
        at++;
    }

    private String found() {
        if (at >= text.length()) {
            return "the end";
        }
        return "'" + new String(Character.toChars(text.codePointAt(at))) + "'";
    }

    private void enter() throws ExpressionException {
        if (++depth > MAX_DEPTH) {
            throw error("nested more than " + MAX_DEPTH + " deep", at);
        }
    }

    private void skipBlanks() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private char peek() {
        return at < text.length() ? text.charAt(at) : 0;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isNameStart(char c) {
        return Character.isLetter(c) || c == '_';
    }

    private static boolean isNamePart(char c) {
        return Character.isLetterOrDigit(c) || c == '_';
    }

    private static ExpressionException error(String message, int position) {
        return new ExpressionException(message, position);
    }
}
