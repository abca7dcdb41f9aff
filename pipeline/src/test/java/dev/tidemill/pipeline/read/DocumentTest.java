package dev.tidemill.pipeline.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemill.pipeline.spec.InvalidPipelineException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.toml.TomlMapper;

class DocumentTest {
    private static final TomlMapper ORACLE = new TomlMapper();

    @Test
    void tomlHasAllItsValues() throws Exception {
        assertThat(
                        plain(
                                toml(
                                        """
                a = 1_000
                b = 0x1F
                c = -5.5e3
                d = 0b101
                e = "a\\tb\\u00e9\\U0001F600\\"\\\\"
                f = 'C:\\x'
                g = \"""
                one \\
                   two ""quoted""
                three\"""
                h = '''
                raw \\n
                '''
                i = [1, [2.5, "x"], # comment
                  { y = true },
                ]
                j.k."l m" = inf
                j.n = 1979-05-27T07:32:00.5-08:00
                o = 1979-05-27 07:32:00
                p = 07:32:00
                q = 1979-05-27
                r = { s.t = 1, u = {} }
                """)))
                .hasToString(
                        "{a=1000, b=31, c=-5500.0, d=5, e=a\tbé😀\"\\, f=C:\\x, g=one two \"\"quoted\"\"\nthree, h=raw \\n\n, "
                                + "i=[1, [2.5, x], {y=true}], j={k={l m=Infinity}, n=1979-05-27T07:32:00.5-08:00}, o=1979-05-27 07:32:00, p=07:32:00, "
                                + "q=1979-05-27, r={s={t=1}, u={}}}");
    }

    @Test
    void tomlTablesNestAndRepeat() throws Exception {
        assertThat(
                        plain(
                                toml(
                                        """
                [a.b]
                x = 1
                [[c]]
                [[c.d]]
                y = 1
                [[c.d]]
                y = 2
                [c.e]
                [[c]]
                [a]
                z = 1
                """)))
                .hasToString("{a={b={x=1}, z=1}, c=[{d=[{y=1}, {y=2}], e={}}, {}]}");
    }

    @Test
    void keysAndValuesKnowTheirPlace() throws Exception {
        Node.Table root = toml("# c\r\n[a]\r\n  \"ä😀\" = { b = [ 1,\r\n 'x' ] }\n");
        Node.Table a = (Node.Table) root.get("a");
        assertThat(a.at()).hasToString("p.toml:2:1");
        Node.Entry entry = a.entries().get("ä😀");
        assertThat(entry.at()).hasToString("p.toml:3:3");
        assertThat(entry.value().at()).hasToString("p.toml:3:10");
        Node.Items items = (Node.Items) ((Node.Table) entry.value()).get("b");
        assertThat(items.items().get(1).at()).hasToString("p.toml:4:2");
        assertThat(((Node.Text) items.items().get(1)).place(1)).hasToString("p.toml:4:4");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a.b = 1\na.b.c = 2",
                "a = {b=1}\na.c = 2",
                "a = {b=1}\n[a.c]",
                "[a]\n[a]",
                "[a.b]\n[a]\nb.c = 1",
                "a = [1]\n[[a]]",
                "[[a]]\n[a]",
                "[a]\nb.c=1\n[a.b]",
                "[a]\n[[a]]",
                "a = 1__0",
                "a = _1",
                "a = 1_",
                "a = 0x",
                "a = 0xG",
                "a = 1.",
                "a = .5",
                "a = 1e",
                "a = +0x1",
                "a = 01",
                "a = 1979-05-27T",
                "a = tru",
                "a = \"\\ud800\"",
                "a = \"\\u12\"",
                "a = 'x\ny'",
                "a = \"\"\"x",
                "a = '''x''''''",
                "a = [1 2]",
                "a = [,]",
                "a = {,}",
                "a b = 1",
                "= 1",
                "a = ",
                "a",
                "[a",
                "[]",
                "[a.]",
                "[[a]",
                "a = 1 b = 2",
                "a = \"\u0001\"",
                "a = 1 # \u0001",
                "a = 1\rb = 2",
                "a = 1_000_",
                "a = infinity",
                "a = --1",
                "a = {b = 1",
                "\"a\nb\" = 1",
                "\"\"\"a\"\"\" = 1"
            })
    void tomlThatIsNone(String text) {
        assertThatThrownBy(() -> toml(text)).isInstanceOf(InvalidPipelineException.class);
        assertThatThrownBy(() -> ORACLE.readTree(text)).isInstanceOf(JacksonException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1979-13-01",
                "1979-02-30",
                "25:00:00",
                "07:61:00",
                "1979-05-27T07:32:00+25:00",
                "1979-05-27T07:32:00.",
                "1979-05-27T07:32"
            })
    void timesThatAreNone(String text) {
        assertThatThrownBy(() -> toml("a = " + text)).isInstanceOf(InvalidPipelineException.class);
    }

    /** Another implementation must say the same of random documents: the same tree, or that it is none. */
    @Test
    void tomlAgreesWithAnotherReader() throws Exception {
        int good = 0;
        for (int seed = 0; seed < 4000; seed++) {
            String text = randomToml(new Random(seed));
            Object oracle = oracle(text);
            Object ours = ours(text);
            assertThat(ours).as("seed %d:%n%s", seed, text).isEqualTo(oracle);
            good += ours == null ? 0 : 1;
        }
        assertThat(good).isBetween(1000, 3900);
    }

    private static Object oracle(String text) {
        try {
            return plain(ORACLE.readTree(text));
        } catch (JacksonException e) {
            return null;
        }
    }

    private static Object ours(String text) {
        try {
            return plain(toml(text));
        } catch (InvalidPipelineException e) {
            return null;
        }
    }

    private static String randomToml(Random random) {
        StringBuilder out = new StringBuilder();
        int lines = 1 + random.nextInt(6);
        for (int i = 0; i < lines; i++) {
            switch (random.nextInt(6)) {
                case 0 -> out.append('[').append(key(random)).append("]");
                case 1 -> out.append("[[").append(key(random)).append("]] # x");
                default ->
                        out.append(key(random))
                                .append(random.nextBoolean() ? " = " : "=")
                                .append(value(random, 3));
            }
            out.append(random.nextInt(4) == 0 ? "\r\n" : "\n");
        }
        return out.toString();
    }

    private static String key(Random random) {
        List<String> parts = new ArrayList<>();
        int count = random.nextInt(4) == 0 ? 2 + random.nextInt(2) : 1;
        for (int i = 0; i < count; i++) {
            parts.add(pick(random, "a", "b", "c", "d-1", "\"e f\"", "'g'", "5"));
        }
        return String.join(random.nextBoolean() ? "." : " . ", parts);
    }

    private static String value(Random random, int depth) {
        int kind = random.nextInt(depth == 0 ? 4 : 6);
        return switch (kind) {
            case 0 ->
                    pick(
                            random,
                            "0",
                            "-17",
                            "1_000",
                            "9223372036854775807",
                            "0xff",
                            "0o17",
                            "0b11");
            case 1 -> pick(random, "true", "false", "1.5", "-0.5", "1e3", "6.02E+23", "1_0.0_1");
            case 2 ->
                    pick(
                            random,
                            "\"\"",
                            "\"a\\n\\u00e9\"",
                            "'x\\y'",
                            "\"\"\"a\nb\"\"\"",
                            "'''\nq'r'''",
                            "\"\"\"a \\\n   b\"\"\"",
                            "\"\"\"\"x\"\"\"\"");
            case 3 ->
                    pick(
                            random,
                            "nope",
                            "1979-2-3",
                            "01",
                            "\"\\q\"",
                            "'",
                            "1.",
                            "\"a\" \"b\"",
                            "[1",
                            "7");
            case 4 ->
                    "["
                            + value(random, depth - 1)
                            + ", "
                            + value(random, depth - 1)
                            + (random.nextBoolean() ? ",]" : "\n]");
            default ->
                    "{ "
                            + key(random)
                            + " = "
                            + value(random, depth - 1)
                            + ", "
                            + key(random)
                            + " = "
                            + value(random, depth - 1)
                            + " }";
        };
    }

    private static String pick(Random random, String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    @Test
    void aByteOrderMarkTakesNoPlace() throws Exception {
        assertThat(Document.parse("\uFEFFa = 1\n", "p.toml").get("a").at())
                .hasToString("p.toml:1:5");
        assertThat(Document.parse("\uFEFF{\"a\": 1}", "p.json").get("a").at())
                .hasToString("p.json:1:7");
    }

    @Test
    void yamlAndJsonGiveTheSameTree() throws Exception {
        Object expected = plain(toml("a = 1\nb = { c = ['x', 2.5, true], 'd.e' = '5' }\n"));
        assertThat(
                        plain(
                                Document.parse(
                                        "{\"a\": 1, \"b\": {\"c\": [\"x\", 25e-1, true], \"d.e\": \"5\"}}",
                                        "p.json")))
                .isEqualTo(expected);
        assertThat(
                        plain(
                                Document.parse(
                                        "# hi\na: 1\nb:\n  c:\n    - x\n    - 2.5\n    - true\n  d.e: '5'\n",
                                        "p.yaml")))
                .isEqualTo(expected);
        assertThat(
                        plain(
                                Document.parse(
                                        "x: &v {c: [x, 2.5, true], d.e: '5'}\na: 1\nb: *v\n",
                                        "p.yml")))
                .isEqualTo(
                        plain(
                                Document.parse(
                                        "{\"x\": {\"c\": [\"x\", 2.5, true], \"d.e\": \"5\"}, \"a\": 1, \"b\": {\"c\": [\"x\", 2.5, true],\"d.e\": \"5\"}}",
                                        "q.JSON")));
    }

    @Test
    void yamlScalarsFollowTheCoreSchema() throws Exception {
        String text =
                "{a: 0x1f, b: 0o17, c: 1e3, d: .5, e: yes, f: '1', g: !!str 1, h: -.inf, i: +7, j: 2001-01-01, k: 1.}";
        assertThat(plain(Document.parse(text, "p.yaml")))
                .hasToString(
                        "{a=31, b=15, c=1000.0, d=0.5, e=yes, f=1, g=1, h=-Infinity, i=7, j=2001-01-01, k=1.0}");
    }

    @Test
    void aliasesCannotGrowWithoutBound() {
        StringBuilder laughs = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for (int i = 1; i < 12; i++) {
            laughs.append("a").append(i).append(": &a").append(i).append(" [");
            laughs.append(("*a" + (i - 1) + ", ").repeat(9))
                    .append("*a")
                    .append(i - 1)
                    .append("]\n");
        }
        assertThatThrownBy(() -> Document.parse(laughs.toString(), "p.yaml"))
                .hasMessageContaining("too much");
    }

    private static Node.Table toml(String text) throws InvalidPipelineException {
        return Document.parse(text + "\n", "p.toml");
    }

    private static Object plain(Node node) {
        return switch (node) {
            case Node.Table table -> {
                Map<String, Object> out = new LinkedHashMap<>();
                table.entries().forEach((key, entry) -> out.put(key, plain(entry.value())));
                yield out;
            }
            case Node.Items items -> items.items().stream().map(DocumentTest::plain).toList();
            case Node.Text text -> text.value();
            case Node.Whole whole -> whole.value();
            case Node.Decimal decimal -> decimal.value();
            case Node.Flag flag -> flag.value();
            case Node.Nothing _ -> "nothing";
        };
    }

    private static Object plain(JsonNode node) {
        if (node.isObject()) {
            Map<String, Object> out = new LinkedHashMap<>();
            node.properties().forEach(entry -> out.put(entry.getKey(), plain(entry.getValue())));
            return out;
        }
        if (node.isArray()) {
            List<Object> out = new ArrayList<>();
            node.forEach(item -> out.add(plain(item)));
            return out;
        }
        if (node.isIntegralNumber()) {
            return node.longValue();
        }
        if (node.isNumber()) {
            return node.doubleValue();
        }
        return node.isBoolean() ? node.booleanValue() : node.stringValue();
    }
}
