package dev.tidemill.expr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ParserTest {
    /** Both sides have the same tree. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '^',
            value = {
                "a ? b : c ? d : e ~ a ? b : (c ? d : e)",
                "a ? b ? c : d : e ~ a ? (b ? c : d) : e",
                "a || b ? c : d ~ (a || b) ? c : d",
                "a || b && c ~ a || (b && c)",
                "a && b || c ~ (a && b) || c",
                "a || b || c ~ (a || b) || c",
                "a && b && c ~ (a && b) && c",
                "a && b == c ~ a && (b == c)",
                "a == b != c ~ (a == b) != c",
                "a == b in c ~ (a == b) in c",
                "a == b < c ~ a == (b < c)",
                "a < b <= c ~ (a < b) <= c",
                "a > b >= c ~ (a > b) >= c",
                "a < b + c ~ a < (b + c)",
                "a - b - c ~ (a - b) - c",
                "a - b + c ~ (a - b) + c",
                "a + b * c ~ a + (b * c)",
                "a * b + c ~ (a * b) + c",
                "a / b / c ~ (a / b) / c",
                "a % b * c ~ (a % b) * c",
                "-a * b ~ (-a) * b",
                "a - -b ~ a - (-b)",
                "!a && b ~ (!a) && b",
                "!a == b ~ (!a) == b",
                "!!a ~ !(!a)",
                "-a.b ~ -(a.b)",
                "!a[0] ~ !(a[0])",
                "a.b.c ~ (a.b).c",
                "a.b ~ a['b']",
                "a[b][c] ~ (a[b])[c]",
                "a.`b c` ~ a['b c']",
                "`a` ~ a",
                "f ? -1 : 2 ~ (f) ? (-1) : (2)",
                "1-1 ~ 1 - 1",
                "a-1 ~ a - 1",
                "[1,2][0] ~ ([1, 2])[0]",
                "abs(a).b ~ (abs(a)).b",
                "a in [1] && b ~ (a in [1]) && b",
                "x\t+ y ~ x + y",
            })
    void bindsAs(String text, String withParentheses) throws ExpressionException {
        assertThat(shape(text)).isEqualTo(shape(withParentheses));
    }

    private static String shape(String text) throws ExpressionException {
        return shape(new Parser(text).parse());
    }

    private static String shape(Node node) {
        String label =
                switch (node) {
                    case Node.Literal literal ->
                            literal.value() + ":" + Values.kind(literal.value());
                    case Node.Name name -> name.name();
                    case Node.Unary unary -> String.valueOf(unary.operator());
                    case Node.Binary binary -> binary.operator().symbol;
                    case Node.Call call -> call.function().name();
                    default -> node.getClass().getSimpleName();
                };
        return node.children().stream()
                .map(ParserTest::shape)
                .collect(Collectors.joining(" ", "(" + label + " ", ")"));
    }

    /** The text, where it is wrong, and a part of what is said. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '^',
            value = {
                "^^ ~ 0 ~ found the end where a value was expected",
                "a + ~ 3 ~ found the end",
                "a b ~ 2 ~ found 'b' after the end",
                "a = 1 ~ 2 ~ write '=='",
                "a <> 1 ~ 2 ~ write '!='",
                "+1 ~ 0 ~ no unary '+'",
                "a + +1 ~ 4 ~ no unary '+'",
                "(a ~ 2 ~ where ')' was expected",
                "[1, ] ~ 4 ~ found ']' where a value",
                "[1 2] ~ 3 ~ where ',' was expected",
                "'abc ~ 0 ~ has no end",
                "1 + 'abc\\ ~ 4 ~ has no end",
                "`abc ~ 0 ~ no closing backtick",
                "a + `` ~ 4 ~ empty name",
                "a ? b ~ 5 ~ where ':' was expected",
                "a[1 ~ 3 ~ where ']' was expected",
                "a. ~ 2 ~ a name was expected",
                "a.1 ~ 2 ~ found '1' where a name",
                "1e ~ 0 ~ exponent",
                "1 + 1e999 ~ 4 ~ beyond float64",
                "1abc ~ 1 ~ found 'a' in a number",
                "uper(a) ~ 0 ~ did you mean 'upper'?",
                "1 + nosuchfunction(a) ~ 4 ~ no function 'nosuchfunction'",
                "upper() ~ 0 ~ upper takes 1 argument, found 0",
                "upper(a, b) ~ 0 ~ takes 1 argument, found 2",
                "substr(a) ~ 0 ~ 2 to 3 arguments",
                "concat() ~ 0 ~ at least 1",
                "a & b ~ 2 ~ found '&'",
                "a ! b ~ 2 ~ found '!'",
                "not a ~ 4 ~ found 'a'",
                "a not in [1] ~ 2 ~ found 'n'",
                "{a: 1} ~ 0 ~ found '{'",
                "a # b ~ 2 ~ found '#'",
                "'a' + '\\ud800' ~ 6 ~ half a character",
                "😀 ~ 0 ~ found '😀'",
            })
    void saysWhatIsWrongAndWhere(String text, int position, String message) {
        ExpressionException e =
                catchThrowableOfType(ExpressionException.class, () -> Expression.parse(text));
        assertThat(e).isNotNull().hasMessageContaining(message);
        assertThat(e.position()).isEqualTo(position);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '^',
            value = {
                "'it\\'s' ~ it's",
                "\"it's\" ~ it's",
                "\"a\\\"b\" ~ a\"b",
                "'\\\\d' ~ \\d",
                "'\\d' ~ d",
                "'\\u00e9' ~ é",
                "'\\u00E9t\\u00e9' ~ été",
                "'\\u12' ~ u12",
                "'\\uzzzz' ~ uzzzz",
                "'\\ud83d\\ude00' ~ 😀",
            })
    void readsEscapes(String text, String value) throws ExpressionException {
        Expression expression = Expression.parse(text);
        assertThat(new Parser(text).parse()).isEqualTo(new Node.Literal(value, 0));
        assertThat(expression.warnings()).isEmpty();
    }

    @Test
    void warnsOfLineBreakAndTab() throws ExpressionException {
        assertThat(new Parser("'a\\nb\\tc'").parse()).isEqualTo(new Node.Literal("a\nb\tc", 0));
        assertThat(Expression.parse("'\\n' + '\\n'").warnings())
                .singleElement()
                .asString()
                .contains("\\n", "letter n");
        assertThat(Expression.parse("'\\n\\t'").warnings()).hasSize(2);
        assertThat(Expression.parse("'\n'").warnings()).isEmpty();
    }

    @Test
    void readsNumbers() throws ExpressionException {
        assertThat(literal("007")).isEqualTo(7L);
        assertThat(literal("1.")).isEqualTo(1.0);
        assertThat(literal(".5")).isEqualTo(0.5);
        assertThat(literal("1e-3")).isEqualTo(0.001);
        assertThat(literal("1E+2")).isEqualTo(100.0);
        assertThat(literal("9223372036854775807")).isEqualTo(Long.MAX_VALUE);
        assertThat(literal("9223372036854775808")).isEqualTo(0x1p63);
        assertThat(literal("-9223372036854775808")).isEqualTo(Long.MIN_VALUE);
        assertThat(literal("- 9223372036854775808")).isEqualTo(Long.MIN_VALUE);
        assertThat(literal("-9223372036854775809")).isEqualTo(-0x1p63);
        assertThat(literal("-0.0")).isEqualTo(-0.0);
        assertThat(shape("5 -9223372036854775808")).isEqualTo(shape("5 - (9223372036854775808)"));
    }

    private static Object literal(String text) throws ExpressionException {
        return ((Node.Literal) new Parser(text).parse()).value();
    }

    @Test
    void namesTheColumnsItReads() throws ExpressionException {
        assertThat(
                        Expression.parse("a.b + c[d] > (e ? `f g` : min(h, [i])) && !a && -j > 0")
                                .columns())
                .containsExactly("a", "c", "d", "e", "f g", "h", "i", "j");
    }

    @Test
    void manyMembersAreNoNesting() throws ExpressionException {
        String text =
                IntStream.range(0, 300)
                        .mapToObj(i -> "a.b == " + i)
                        .collect(Collectors.joining(", ", "true in [", "]"));
        assertThat(Expression.parse(text).columns()).containsExactly("a");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(", "[", "-", "!", "a[", "a?", "abs(", "1+(", "a?b:", "!-", "a.b[c?", "a||(",
                "1 in ["
            })
    void refusesDeepNesting(String opening) {
        assertRefused(opening.repeat(10_000));
    }

    @ParameterizedTest
    @ValueSource(strings = {"+1", "||a", ".b", "[0]", " in a", "==1", "*-1"})
    void refusesLongChains(String link) {
        assertRefused("a" + link.repeat(10_000));
    }

    private static void assertRefused(String text) {
        ExpressionException e =
                catchThrowableOfType(ExpressionException.class, () -> Expression.parse(text));
        assertThat(e.getMessage())
                .containsPattern(
                        "nested more than 200 deep|more than 1000 operators|more than 65536");
    }

    @Test
    void evaluatesTheLongestChainThatItTakes() throws ExpressionException {
        String sum = "1" + "+1".repeat(Parser.MAX_HEIGHT - 1);
        assertThat(
                        Expression.parse(sum)
                                .bind(new dev.tidemill.data.Schema(java.util.List.of()))
                                .type())
                .isEqualTo(dev.tidemill.data.DataType.INT64);
    }

    @Test
    void anyTextIsAnExpressionOrAnExpressionException() {
        String[] tokens = {
            "a",
            "1",
            ".5",
            "'x'",
            "\"",
            "'",
            "\\",
            "(",
            ")",
            "[",
            "]",
            ",",
            "?",
            ":",
            "+",
            "-",
            "*",
            "/",
            "%",
            "!",
            "=",
            "==",
            "!=",
            "<",
            ">",
            "<=",
            "&&",
            "||",
            "&",
            "|",
            " in ",
            "null",
            "true",
            ".",
            "`",
            "upper(",
            "min(",
            "\\u",
            "\\ud800",
            "é",
            "😀",
            " ",
            "\0",
            "1e",
            "9223372036854775808",
            "\n"
        };
        long seed = System.nanoTime();
        for (long s : new long[] {1, 2, 3, seed}) {
            Random random = new Random(s);
            Assertions.assertTimeout(
                    Duration.ofSeconds(20),
                    () -> {
                        for (int i = 0; i < 20_000; i++) {
                            StringBuilder text = new StringBuilder();
                            for (int k = random.nextInt(24); k > 0; k--) {
                                text.append(
                                        random.nextInt(8) == 0
                                                ? String.valueOf((char) random.nextInt(0x3000))
                                                : tokens[random.nextInt(tokens.length)]);
                            }
                            parseOrRefuse(text.toString(), s);
                        }
                    });
        }
    }

    private static void parseOrRefuse(String text, long seed) {
        try {
            Expression.parse(text);
        } catch (ExpressionException e) {
            assertThat(e.position()).as("%s, seed %d", text, seed).isBetween(0, text.length());
        } catch (RuntimeException | Error e) {
            throw new AssertionError("'" + text + "', seed " + seed, e);
        }
    }
}
