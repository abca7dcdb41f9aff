package dev.tidemill.expr;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.tidemill.data.DataType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Functions of text. Lengths and positions count characters (code points). */
final class StringFunctions {
    private static final int MAX_RESULT_BYTES = 10 << 20;
    private static final int MAX_PATTERNS = 1000;
    private static final Map<String, Pattern> PATTERNS = new ConcurrentHashMap<>();

    private StringFunctions() {}

    @FunctionalInterface
    private interface TextBody {
        Object apply(String text) throws EvalError;
    }

    static void addTo(Functions.FunctionSet set) {
        set.category("Strings");
        addCase(set);
        addJoining(set);
        addSearch(set);
        addPadding(set);
        addParts(set);
        addRegex(set);
        addCodes(set);
    }

    private static void text(
            Functions.FunctionSet set,
            String name,
            String doc,
            String in,
            String out,
            TextBody body) {
        set.declare(name + "(s)", doc)
                .example(name + "(" + in + ")", out)
                .gives(DataType.UTF8)
                .is(a -> body.apply(Arguments.text(name, a, 0)));
    }

    private static void addCase(Functions.FunctionSet set) {
        text(
                set,
                "upper",
                "In capitals.",
                "'straße'",
                "'STRASSE'",
                s -> s.toUpperCase(Locale.ROOT));
        text(set, "lower", "In small letters.", "'ABC'", "'abc'", s -> s.toLowerCase(Locale.ROOT));
        text(set, "trim", "Without white space at both ends.", "'  a b '", "'a b'", String::strip);
        text(
                set,
                "trimStart",
                "Without white space at the start.",
                "'  a '",
                "'a '",
                String::stripLeading);
        text(
                set,
                "trimEnd",
                "Without white space at the end.",
                "'  a '",
                "'  a'",
                String::stripTrailing);
        text(
                set,
                "capitalize",
                "With its first character in capitals, the rest as it is.",
                "'aB c'",
                "'AB c'",
                s -> {
                    int end = s.isEmpty() ? 0 : s.offsetByCodePoints(0, 1);
                    return s.substring(0, end).toUpperCase(Locale.ROOT) + s.substring(end);
                });
        text(
                set,
                "reverse",
                "Its characters in reverse order.",
                "'abc'",
                "'cba'",
                s -> new StringBuilder(s).reverse().toString());
    }

    private static void addJoining(Functions.FunctionSet set) {
        set.declare("concat(s, …)", "The strings one after the other; any null gives null.")
                .example("concat('a', 'b', 'c')", "'abc'")
                .example("concat('a', null)", "null")
                .gives(DataType.UTF8)
                .is(
                        a -> {
                            StringBuilder out = new StringBuilder();
                            for (int i = 0; i < a.length; i++) {
                                out.append(Arguments.text("concat", a, i));
                            }
                            return out.toString();
                        });
        set.declare(
                        "concatWs(sep, s, …)",
                        "The strings with a separator between them; nulls are skipped.")
                .example("concatWs('-', 'a', null, 'b')", "'a-b'")
                .gives(DataType.UTF8)
                .takesNulls()
                .is(StringFunctions::concatWs);
    }

    private static Object concatWs(Object[] a) throws EvalError {
        if (a[0] == null) {
            return null;
        }
        List<String> parts = new ArrayList<>();
        for (int i = 1; i < a.length; i++) {
            if (a[i] != null) {
                parts.add(Arguments.text("concatWs", a, i));
            }
        }
        return String.join(Arguments.text("concatWs", a, 0), parts);
    }

    private static void addSearch(Functions.FunctionSet set) {
        set.declare("contains(s, part)", "Whether part occurs; the empty string occurs everywhere.")
                .example("contains('abc', 'bc')", "true")
                .example("contains('abc', '')", "true")
                .gives(DataType.BOOL)
                .is(
                        a ->
                                Arguments.text("contains", a, 0)
                                        .contains(Arguments.text("contains", a, 1)));
        set.declare("startsWith(s, part)", "Whether s begins with part.")
                .example("startsWith('abc', 'ab')", "true")
                .gives(DataType.BOOL)
                .is(
                        a ->
                                Arguments.text("startsWith", a, 0)
                                        .startsWith(Arguments.text("startsWith", a, 1)));
        set.declare("endsWith(s, part)", "Whether s ends with part.")
                .example("endsWith('abc', 'x')", "false")
                .gives(DataType.BOOL)
                .is(
                        a ->
                                Arguments.text("endsWith", a, 0)
                                        .endsWith(Arguments.text("endsWith", a, 1)));
        set.declare("indexOf(s, part)", "The position of part from 0, or -1.")
                .example("indexOf('hello', 'l')", "2")
                .example("indexOf('hello', 'z')", "-1")
                .gives(DataType.INT64)
                .is(
                        a -> {
                            String s = Arguments.text("indexOf", a, 0);
                            int at = s.indexOf(Arguments.text("indexOf", a, 1));
                            return at < 0 ? -1L : (long) s.codePointCount(0, at);
                        });
        set.declare(
                        "replace(s, from, to)",
                        "Every occurrence of from replaced; an empty from puts to around each character.")
                .example("replace('a.b.c', '.', '-')", "'a-b-c'")
                .example("replace('ab', '', '|')", "'|a|b|'")
                .gives(DataType.UTF8)
                .is(StringFunctions::replace);
    }

    private static Object replace(Object[] a) throws EvalError {
        String s = Arguments.text("replace", a, 0);
        String from = Arguments.text("replace", a, 1);
        String to = Arguments.text("replace", a, 2);
        if (!from.isEmpty()) {
            checkSize(
                    "replace",
                    utf8Length(s)
                            + occurrences(s, from)
                                    * Math.max(0, utf8Length(to) - utf8Length(from)));
            return s.replace(from, to);
        }
        StringBuilder out = new StringBuilder(to);
        for (int i = 0; i < s.length(); ) {
            int end = s.offsetByCodePoints(i, 1);
            out.append(s, i, end).append(to);
            checkSize("replace", out.length());
            i = end;
        }
        return out.toString();
    }

    private static long occurrences(String s, String part) {
        long count = 0;
        for (int at = s.indexOf(part); at >= 0; at = s.indexOf(part, at + part.length())) {
            count++;
        }
        return count;
    }

    private static void addPadding(Functions.FunctionSet set) {
        set.declare("repeat(s, n)", "s so many times; a result over 10 MiB is an error of the row.")
                .example("repeat('ab', 2.9)", "'abab'")
                .example("repeat('ab', -1)", "''")
                .gives(DataType.UTF8)
                .is(
                        a -> {
                            String s = Arguments.text("repeat", a, 0);
                            long n = Math.max(0, Arguments.cut("repeat", a, 1));
                            if (s.isEmpty()) {
                                return "";
                            }
                            checkSize(
                                    "repeat",
                                    n > MAX_RESULT_BYTES ? Long.MAX_VALUE : n * utf8Length(s));
                            return s.repeat((int) n);
                        });
        set.declare("padStart(s, len, fill)", "s filled up to len characters at the start.")
                .example("padStart('7', 3, '0')", "'007'")
                .example("padStart('1234', 3, '0')", "'1234'")
                .gives(DataType.UTF8)
                .is(a -> pad("padStart", a, true));
        set.declare("padEnd(s, len, fill)", "s filled up to len characters at the end.")
                .example("padEnd('ab', 5, 'xy')", "'abxyx'")
                .gives(DataType.UTF8)
                .is(a -> pad("padEnd", a, false));
    }

    private static String pad(String function, Object[] a, boolean atStart) throws EvalError {
        String s = Arguments.text(function, a, 0);
        long length = Arguments.cut(function, a, 1);
        String fill = Arguments.text(function, a, 2);
        long missing = length - s.codePointCount(0, s.length());
        if (missing <= 0 || fill.isEmpty()) {
            return s;
        }
        checkSize(function, missing);
        int fillLength = fill.codePointCount(0, fill.length());
        String whole = fill.repeat((int) (missing / fillLength));
        String padding =
                whole + fill.substring(0, fill.offsetByCodePoints(0, (int) (missing % fillLength)));
        return limited(function, atStart ? padding + s : s + padding);
    }

    private static String limited(String function, String result) throws EvalError {
        checkSize(function, utf8Length(result));
        return result;
    }

    private static void checkSize(String function, long bytes) throws EvalError {
        if (bytes > MAX_RESULT_BYTES) {
            throw new EvalError("the result of " + function + " is over 10 MiB");
        }
    }

    private static long utf8Length(String s) {
        long bytes = 0;
        for (int i = 0; i < s.length(); i++) {
            char c = s.charAt(i);
            bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
        }
        return bytes;
    }

    private static void addParts(Functions.FunctionSet set) {
        set.declare(
                        "split(s, sep)",
                        "The parts between separators as a list; an empty separator is an error of the row.")
                .example("split('a,b,,c', ',')", "['a', 'b', '', 'c']")
                .example("split('a', '')", "error")
                .gives(new DataType.ListOf(DataType.UTF8))
                .is(a -> parts("split", a));
        set.declare(
                        "splitPart(s, sep, n)",
                        "The nth part, from 1, negative from the end; none gives the empty string, 0 is an error of the row.")
                .example("splitPart('a-b-c', '-', 2)", "'b'")
                .example("splitPart('a-b-c', '-', -1)", "'c'")
                .example("splitPart('a-b-c', '-', 9)", "''")
                .gives(DataType.UTF8)
                .is(
                        a -> {
                            List<String> parts = parts("splitPart", a);
                            long n = Arguments.cut("splitPart", a, 2);
                            if (n == 0) {
                                throw new EvalError("splitPart counts from 1, found 0");
                            }
                            long index = n > 0 ? n - 1 : parts.size() + n;
                            return index >= 0 && index < parts.size() ? parts.get((int) index) : "";
                        });
        for (String name : List.of("substr", "substring")) {
            set.declare(
                            name + "(s, start[, len])",
                            "The part from start (from 1) on, of len characters; a start before 1 uses up len.")
                    .example(name + "('hello', 2, 3)", "'ell'")
                    .example(name + "('hello', 0, 2)", "'h'")
                    .example(name + "('hello', 3)", "'llo'")
                    .gives(DataType.UTF8)
                    .is(a -> substring(name, a));
        }
        set.declare("left(s, n)", "The first n characters; a negative n drops from the end.")
                .example("left('hello', 2)", "'he'")
                .example("left('hello', -2)", "'hel'")
                .gives(DataType.UTF8)
                .is(
                        a -> {
                            String s = Arguments.text("left", a, 0);
                            long length = s.codePointCount(0, s.length());
                            long n = Arguments.cut("left", a, 1);
                            return characters(
                                    s, 0, n >= 0 ? Math.min(n, length) : Math.max(0, length + n));
                        });
        set.declare("right(s, n)", "The last n characters; a negative n drops from the start.")
                .example("right('hello', 2)", "'lo'")
                .example("right('hello', -2)", "'llo'")
                .gives(DataType.UTF8)
                .is(
                        a -> {
                            String s = Arguments.text("right", a, 0);
                            long length = s.codePointCount(0, s.length());
                            long n = Arguments.cut("right", a, 1);
                            return characters(
                                    s,
                                    n >= 0
                                            ? Math.max(0, length - n)
                                            : Math.min(length, -Math.max(n, -length)),
                                    length);
                        });
    }

    private static List<String> parts(String function, Object[] a) throws EvalError {
        String s = Arguments.text(function, a, 0);
        String separator = Arguments.text(function, a, 1);
        if (separator.isEmpty()) {
            throw new EvalError(function + " needs a separator that is not empty");
        }
        List<String> out = new ArrayList<>();
        int from = 0;
        for (int at = s.indexOf(separator); at >= 0; at = s.indexOf(separator, from)) {
            out.add(s.substring(from, at));
            from = at + separator.length();
        }
        out.add(s.substring(from));
        return out;
    }

    private static String substring(String function, Object[] a) throws EvalError {
        String s = Arguments.text(function, a, 0);
        long length = s.codePointCount(0, s.length());
        long start = clampLong(Arguments.cut(function, a, 1)) - 1;
        long end = length;
        if (a.length == 3) {
            long wanted = Arguments.cut(function, a, 2);
            if (wanted < 0) {
                throw new EvalError(function + " needs a length of at least 0, found " + wanted);
            }
            end = Math.min(length, start + clampLong(wanted));
        }
        return characters(s, Math.max(0, start), end);
    }

    private static long clampLong(long value) {
        return Math.clamp(value, -(1L << 40), 1L << 40);
    }

    private static String characters(String s, long from, long to) {
        if (from >= to) {
            return "";
        }
        int start = s.offsetByCodePoints(0, (int) Math.min(from, s.codePointCount(0, s.length())));
        return s.substring(start, s.offsetByCodePoints(start, (int) (to - from)));
    }

    private static void addRegex(Functions.FunctionSet set) {
        set.declare(
                        "regexMatch(s, p)",
                        "Whether the pattern is found anywhere. RE2 syntax: no look-around, no back-references.")
                .example("regexMatch('abc123', '[0-9]+')", "true")
                .example("regexMatch('abc', '^b')", "false")
                .gives(DataType.BOOL)
                .is(a -> matcher("regexMatch", a).find());
        set.declare(
                        "regexExtract(s, p)",
                        "The first group of the first match, or the match when there is no group; else null.")
                .example("regexExtract('id=42', 'id=([0-9]+)')", "'42'")
                .example("regexExtract('id', '[0-9]')", "null")
                .gives(DataType.UTF8)
                .is(
                        a -> {
                            Matcher matcher = matcher("regexExtract", a);
                            return matcher.find()
                                    ? matcher.group(Math.min(1, matcher.groupCount()))
                                    : null;
                        });
        set.declare(
                        "regexReplace(s, p, r)",
                        "Every match replaced; $1, ${name} and $$ stand for groups and a dollar sign.")
                .example("regexReplace('a1b2', '([0-9])', '<$1>')", "'a<1>b<2>'")
                .example("regexReplace('x', 'x', '$$')", "'$'")
                .gives(DataType.UTF8)
                .is(StringFunctions::regexReplace);
    }

    private static Matcher matcher(String function, Object[] a) throws EvalError {
        return pattern(function, Arguments.text(function, a, 1))
                .matcher(Arguments.text(function, a, 0));
    }

    private static Pattern pattern(String function, String text) throws EvalError {
        Pattern known = PATTERNS.get(text);
        if (known != null) {
            return known;
        }
        try {
            Pattern compiled = Pattern.compile(text);
            if (PATTERNS.size() < MAX_PATTERNS) {
                PATTERNS.put(text, compiled);
            }
            return compiled;
        } catch (PatternSyntaxException e) {
            throw new EvalError(
                    function + ": the pattern '" + text + "' is wrong: " + e.getDescription());
        }
    }

    private static String regexReplace(Object[] a) throws EvalError {
        String s = Arguments.text("regexReplace", a, 0);
        Matcher matcher = matcher("regexReplace", a);
        String replacement = Arguments.text("regexReplace", a, 2);
        StringBuilder out = new StringBuilder();
        int from = 0;
        while (matcher.find()) {
            out.append(s, from, matcher.start());
            expand(out, replacement, matcher);
            from = matcher.end();
            checkSize("regexReplace", out.length());
        }
        return out.append(s, from, s.length()).toString();
    }

    /** As in the Rust crate: the longest run of name characters after the dollar sign; groups that are not there are empty. */
    private static void expand(StringBuilder out, String replacement, Matcher matcher) {
        for (int i = 0; i < replacement.length(); i++) {
            char c = replacement.charAt(i);
            if (c != '$' || i + 1 == replacement.length()) {
                out.append(c);
                continue;
            }
            int start = i + 1;
            int end = start;
            if (replacement.charAt(start) == '$') {
                out.append('$');
                i = start;
                continue;
            }
            boolean braces = replacement.charAt(start) == '{';
            if (braces) {
                start++;
                end = replacement.indexOf('}', start);
            } else {
                while (end < replacement.length() && isNamePart(replacement.charAt(end))) {
                    end++;
                }
            }
            if (end <= start) {
                out.append(c);
                continue;
            }
            out.append(group(matcher, replacement.substring(start, end)));
            i = braces ? end : end - 1;
        }
    }

    private static boolean isNamePart(char c) {
        return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
    }

    private static String group(Matcher matcher, String name) {
        try {
            boolean number = name.chars().allMatch(c -> c >= '0' && c <= '9');
            int index = number && name.length() < 6 ? Integer.parseInt(name) : -1;
            String value =
                    !number
                            ? matcher.group(name)
                            : index <= matcher.groupCount() ? matcher.group(index) : null;
            return value == null ? "" : value;
        } catch (IllegalArgumentException e) {
            return "";
        }
    }

    private static void addCodes(Functions.FunctionSet set) {
        set.declare("chr(n)", "The character of a code point.")
                .example("chr(65)", "'A'")
                .example("chr(-1)", "error")
                .gives(DataType.UTF8)
                .is(
                        a -> {
                            long n = Arguments.whole("chr", a, 0);
                            if (n < 0
                                    || n > Character.MAX_CODE_POINT
                                    || n >= 0xD800 && n <= 0xDFFF) {
                                throw new EvalError("chr: " + n + " is no character");
                            }
                            return new String(Character.toChars((int) n));
                        });
        set.declare("ascii(s)", "The code point of the first character; 0 for the empty string.")
                .example("ascii('A')", "65")
                .example("ascii('')", "0")
                .gives(DataType.INT64)
                .is(
                        a -> {
                            String s = Arguments.text("ascii", a, 0);
                            return s.isEmpty() ? 0L : (long) s.codePointAt(0);
                        });
        set.declare(
                        "toHex(n)",
                        "A whole number in hexadecimal, small letters; negative ones as two's complement of 64 bits.")
                .example("toHex(255)", "'ff'")
                .example("toHex(-1)", "'ffffffffffffffff'")
                .gives(DataType.UTF8)
                .is(a -> Long.toHexString(Arguments.whole("toHex", a, 0)));
        set.declare(
                        "toString(x)",
                        "As text: all digits of whole numbers, the shortest fraction, no exponent; lists and objects are an error of the row.")
                .example("toString(12.50)", "'12.5'")
                .example("toString(3.0)", "'3'")
                .example("toString(true)", "'true'")
                .example("toString([1])", "error")
                .gives(DataType.UTF8)
                .is(
                        a ->
                                switch (a[0]) {
                                    case Number n -> Numbers.text(n);
                                    case String s -> s;
                                    case Boolean b -> b.toString();
                                    default ->
                                            throw new EvalError(
                                                    "toString does not take a "
                                                            + Values.kind(a[0]));
                                });
    }
}
