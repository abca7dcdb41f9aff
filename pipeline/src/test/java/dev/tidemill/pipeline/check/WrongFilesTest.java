package dev.tidemill.pipeline.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemill.describe.Description;
import dev.tidemill.describe.Option;
import dev.tidemill.operators.Steps;
import dev.tidemill.pipeline.spec.Inputs;
import dev.tidemill.pipeline.spec.InvalidPipelineException;
import dev.tidemill.pipeline.spec.PipelineSpec;
import dev.tidemill.pipeline.spec.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The files of {@code wrong-files.txt}, each with every line that is said of it. {@code === title} starts a file, {@code --- p.toml} its text,
 * {@code --- with} the environment ({@code NAME=VALUE}) and overrides ({@code --set KEY=VALUE}), {@code --- says} the errors, {@code --- warns} the warnings.
 * <code>{filter}</code> stands for the keys that the step takes.
 */
class WrongFilesTest {
    private record Case(
            String title, String file, String text, List<String> with, List<String> says) {}

    @TestFactory
    Stream<DynamicTest> everyErrorWithItsPlace() throws IOException {
        return cases().stream()
                .map(
                        each ->
                                DynamicTest.dynamicTest(
                                        each.title(),
                                        () -> assertThat(said(each)).isEqualTo(each.says())));
    }

    @Test
    void thereAreManyOfThem() throws IOException {
        assertThat(
                        cases().stream()
                                .filter(
                                        each ->
                                                each.says().stream()
                                                        .anyMatch(
                                                                line ->
                                                                        !line.startsWith(
                                                                                "warning: "))))
                .hasSizeGreaterThan(80);
    }

    private static List<String> said(Case each) {
        List<String> overrides = new ArrayList<>();
        Map<String, String> environment = new LinkedHashMap<>();
        for (String line : each.with()) {
            if (line.startsWith("--set ")) {
                overrides.add(line.substring(6));
            } else {
                environment.put(
                        line.substring(0, line.indexOf('=')),
                        line.substring(line.indexOf('=') + 1));
            }
        }
        try {
            PipelineSpec spec =
                    SpecLoader.parse(
                            each.text(),
                            each.file(),
                            Path.of("."),
                            new Inputs(overrides, environment),
                            Fakes.catalogue());
            return spec.warnings().stream().map(warning -> "warning: " + shown(warning)).toList();
        } catch (InvalidPipelineException e) {
            return e.problems().stream().map(WrongFilesTest::shown).toList();
        }
    }

    private static String shown(Problem problem) {
        String text = problem.toString();
        for (Description step : Steps.descriptions()) {
            String keys =
                    "op, "
                            + step.options().stream()
                                    .map(Option::name)
                                    .collect(Collectors.joining(", "));
            if (text.endsWith(keys)) {
                return text.substring(0, text.length() - keys.length()) + "{" + step.name() + "}";
            }
        }
        return text;
    }

    private static List<Case> cases() throws IOException {
        List<Case> cases = new ArrayList<>();
        for (String block : resource().split("(?m)^=== ")) {
            if (!block.isBlank()) {
                cases.add(parse(block));
            }
        }
        return cases;
    }

    private static Case parse(String block) {
        String[] parts = block.split("(?m)^--- ");
        String file = parts[1].substring(0, parts[1].indexOf('\n'));
        List<String> with = List.of();
        List<String> says = List.of();
        for (int i = 2; i < parts.length; i++) {
            List<String> lines = parts[i].lines().skip(1).filter(line -> !line.isBlank()).toList();
            if (parts[i].startsWith("with")) {
                with = lines;
            } else {
                says = lines;
            }
        }
        return new Case(parts[0].strip(), file, parts[1].substring(file.length() + 1), with, says);
    }

    private static String resource() throws IOException {
        try (InputStream in = WrongFilesTest.class.getResourceAsStream("wrong-files.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
