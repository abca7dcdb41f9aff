package dev.tidemill.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What is read without picocli must be read as picocli would. */
class PlainArgumentsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "run a.toml",
                "run a.toml --set x=1",
                "run --set x=1 --set y=2 a.toml --report r.json",
                "run --serve 8080 a.toml",
                "run --serve 127.0.0.1:0 --report dir/r.json --set a=b=c a.toml"
            })
    void agreesWithPicocli(String line) {
        String[] words = line.split(" ");
        CommandLine.ParseResult parsed =
                TidemillCommand.commandLine().parseArgs(words).subcommand();
        RunOptions options = PlainArguments.ofRun(words).orElseThrow();
        assertThat(options.file()).isEqualTo(parsed.matchedPositionalValue(0, (Path) null));
        assertThat(options.overrides()).isEqualTo(parsed.matchedOptionValue("--set", List.of()));
        assertThat(options.report()).isEqualTo(parsed.matchedOptionValue("--report", (Path) null));
        assertThat(options.serve()).isEqualTo(parsed.matchedOptionValue("--serve", (String) null));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "check a.toml",
                "run",
                "run a.toml b.toml",
                "run a.toml --set",
                "run a.toml --set --report",
                "run a.toml --report x --report y",
                "run a.toml --set=x=1",
                "run a.toml --help",
                "run -h",
                "run @arguments",
                "run -- a.toml",
                "run a.toml --serve-token-file t",
                "run \"a.toml\"",
                "--help run a.toml"
            })
    void leavesTheRestToPicocli(String line) {
        assertThat(PlainArguments.ofRun(line.split(" "))).isEmpty();
    }

    @Test
    void anEmptyWordIsNotPlain() {
        assertThat(PlainArguments.ofRun("run", "")).isEmpty();
        assertThat(PlainArguments.ofRun("run", "a", "--set", "")).isEmpty();
    }
}
