package dev.tidemill.pipeline.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemill.pipeline.spec.Inputs;
import dev.tidemill.pipeline.spec.InvalidPipelineException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Whatever value of a file comes from a reference, no message shows it. */
class SecretsTest {
    private static final Pattern VALUE =
            Pattern.compile(
                    "(?<== )(\"[^\"]*\"|-?[0-9.]+|true|false|\\[.*]|\\{.*})(?=\\n)|(?<=[\\[ ])\"[^\"]*\"(?=[,\\]} ])");

    @Test
    void noMessageShowsASecret() throws IOException {
        String good = resource("same.toml");
        List<String> messages = new ArrayList<>();
        for (String secret : List.of("hunter2", "-987654321", "x y\u0007z")) {
            Matcher matcher = VALUE.matcher(good);
            int at = 0;
            while (matcher.find(at)) {
                String text =
                        good.substring(0, matcher.start())
                                + "\"${SECRET}\""
                                + good.substring(matcher.end());
                messages.addAll(said(text, secret));
                assertThat(messages).as(text).noneMatch(message -> message.contains(secret));
                at = matcher.start() + 1;
            }
        }
        assertThat(messages).hasSizeGreaterThan(80);
    }

    private static List<String> said(String text, String secret) {
        Inputs inputs = new Inputs(List.of(), Map.of("SECRET", secret));
        List<String> messages = new ArrayList<>();
        for (Catalogue catalogue : List.of(Fakes.catalogue(), Catalogue.installed())) {
            try {
                SpecLoader.parse(text, "p.toml", Path.of("."), inputs, catalogue)
                        .warnings()
                        .forEach(warning -> messages.add(warning.toString()));
            } catch (InvalidPipelineException e) {
                messages.add(e.getMessage());
            }
        }
        return messages;
    }

    private static String resource(String name) throws IOException {
        try (var in = SecretsTest.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
