package dev.tidemill.pipeline.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemill.pipeline.spec.Inputs;
import dev.tidemill.pipeline.spec.InvalidPipelineException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever the text, there is a spec or problems with places inside of it; never another exception, never a long wait. */
@Timeout(60)
class FuzzTest {
    private static final Inputs NONE = new Inputs(List.of(), Map.of("HOME", "x"));
    private static final long NANOS = 1_500_000_000L;
    private static final String[] PIECES = {
        "[",
        "]",
        "[[",
        "]]",
        "{",
        "}",
        "\"",
        "'",
        "\"\"\"",
        "'''",
        "=",
        ".",
        ",",
        ":",
        "\n",
        "\r\n",
        " ",
        "\t",
        "#",
        "- ",
        "&a ",
        "*a",
        "!!x ",
        "|\n",
        ">\n",
        "?",
        "${",
        "${HOME}",
        "$${",
        "\\",
        "\\u",
        "null",
        "1e999",
        "-",
        "0x",
        "9999999999999999999",
        "nan",
        "transforms",
        "steps",
        "op",
        "inputs",
        "datasets",
        "settings",
        "\u0000",
        "\u0085",
        "\u2028",
        "\ud800",
        "😀",
        "%",
        "---\n",
        "...\n",
        "<<: ",
        "~",
        "true"
    };

    @ParameterizedTest
    @ValueSource(strings = {"same.toml", "same.yaml", "same.json"})
    void changedFiles(String name) throws IOException {
        String good = resource(name);
        Random random = new Random(7);
        long end = System.nanoTime() + NANOS;
        int refused = 0;
        int rounds = 0;
        for (; rounds < 3000 && System.nanoTime() < end; rounds++) {
            StringBuilder text = new StringBuilder(good);
            int changes = 1 + random.nextInt(3);
            for (int i = 0; i < changes && !text.isEmpty(); i++) {
                change(text, random);
            }
            refused += isRefused(text.toString(), name) ? 1 : 0;
        }
        assertThat(refused).isBetween(rounds / 3, rounds);
    }

    private static void change(StringBuilder text, Random random) {
        int at = random.nextInt(text.length());
        int to = Math.min(text.length(), at + random.nextInt(12));
        switch (random.nextInt(4)) {
            case 0 -> text.delete(at, to);
            case 1 -> text.insert(at, PIECES[random.nextInt(PIECES.length)]);
            case 2 -> text.replace(at, to, PIECES[random.nextInt(PIECES.length)]);
            default -> text.insert(random.nextInt(text.length()), text.substring(at, to));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"p.toml", "p.yaml", "p.json"})
    void randomText(String name) {
        Random random = new Random(11);
        long end = System.nanoTime() + NANOS;
        for (int round = 0; round < 10_000 && System.nanoTime() < end; round++) {
            StringBuilder text = new StringBuilder();
            int pieces = random.nextInt(40);
            for (int i = 0; i < pieces; i++) {
                text.append(
                        random.nextInt(3) == 0
                                ? String.valueOf((char) random.nextInt(0x180))
                                : PIECES[random.nextInt(PIECES.length)]);
            }
            isRefused(text.toString(), name);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"p.toml", "p.yaml", "p.json"})
    void extremes(String name) {
        for (String piece :
                List.of(
                        "[", "{", "[[", "{\"a\":", "a: [", "a = [", "a = {b=", "- ", "a.", "? ",
                        "'", "\"", "x", "1", "_1", "\n", "[a]\n", "[[a]]\n", "&a ", "* ", "!")) {
            isRefused(piece.repeat(200_000 / piece.length()), name);
            isRefused("a = " + piece.repeat(50_000 / piece.length()), name);
            isRefused("a: " + piece.repeat(50_000 / piece.length()), name);
        }
    }

    @Test
    void manyStagesInReverse() {
        StringBuilder text =
                new StringBuilder(
                        "[datasets.d0]\nconnector = \"nexmark\"\n[datasets.d5000]\nsink = \"blackhole\"\n");
        for (int i = 5000; i > 0; i--) {
            text.append("[[transforms]]\ninputs = [\"d")
                    .append(i - 1)
                    .append("\"]\noutput = \"d")
                    .append(i)
                    .append("\"\n");
        }
        assertThat(isRefused(text.toString(), "p.toml")).isFalse();
    }

    private static boolean isRefused(String text, String name) {
        try {
            SpecLoader.parse(text, name, Path.of("."), NONE, Fakes.catalogue());
            return false;
        } catch (InvalidPipelineException e) {
            assertThat(e.problems()).isNotEmpty();
            long lines =
                    text.chars()
                                    .filter(
                                            c ->
                                                    c == '\n'
                                                            || c == '\r'
                                                            || c == '\u0085'
                                                            || c == '\u2028'
                                                            || c == '\u2029')
                                    .count()
                            + 1;
            e.problems()
                    .forEach(
                            problem -> {
                                assertThat(problem.message()).isNotBlank();
                                assertThat((long) problem.at().line())
                                        .as(problem.toString())
                                        .isLessThanOrEqualTo(lines);
                            });
            return true;
        } catch (RuntimeException | StackOverflowError e) {
            String shown = text.length() > 2000 ? text.substring(0, 2000) + "…" : text;
            throw new AssertionError(name + ": " + shown, e);
        }
    }

    private static String resource(String name) throws IOException {
        try (var in = FuzzTest.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
