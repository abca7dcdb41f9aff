package dev.tidemill.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The pages in docs/reference are what the descriptions say. */
class ReferencePagesTest {
    private static final Path PAGES = Path.of("..", "docs", "reference");

    @Test
    void noPageIsStale() throws Exception {
        for (Map.Entry<String, String> page : MarkdownPages.all().entrySet()) {
            assertThat(PAGES.resolve(page.getKey()))
                    .as("write it again: ./tidemill describe --markdown docs/reference")
                    .hasContent(page.getValue());
        }
    }

    @Test
    void noPageIsLeftOver() throws Exception {
        try (var files = Files.list(PAGES)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(MarkdownPages.all().keySet());
        }
    }
}
