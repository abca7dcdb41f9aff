package dev.tidemill.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Words on the command line, within this JVM. */
class CommandLineTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        CommandLine command =
                TidemillCommand.commandLine()
                        .setOut(new PrintWriter(out, true))
                        .setErr(new PrintWriter(err, true));
        return command.execute(arguments);
    }

    static List<String> commandNames() {
        return TidemillCommand.commandNames();
    }

    @ParameterizedTest
    @MethodSource("commandNames")
    void everyCommandHelps(String name) {
        assertThat(run(name, "--help")).isZero();
        assertThat(out.toString()).contains("Usage: tidemill " + name);
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void helpAndVersionOfTheWholeEndWell() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString())
                .contains("run", "check", "explain", "describe", "probe", "version", "completion");
        assertThat(run("--version")).isZero();
        assertThat(run("version")).isZero();
        assertThat(out.toString()).contains("tidemill development on Java 25");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
            rnu                | unknown command rnu; did you mean run?
            chek x.toml        | unknown command chek; did you mean check?
            frobnicate         | unknown command frobnicate
            run --repport x y  | unknown option --repport; did you mean --report?
            run a.toml b.toml  | unexpected argument b.toml
            run                | FILE
            describe stepz     | unknown topic stepz; did you mean steps?
            describe functions ronud | unknown function ronud; did you mean round?
            describe connectors nexmarc | unknown connector nexmarc; did you mean nexmark?
            probe              | URL
            probe ftp://x      | ftp://x is no http or https address
            run no-such.toml   | no-such.toml: no such file
            run .              | .: is a directory
            check no-such.toml | no-such.toml: no such file
            run x --serve 99999 --report /no/such/folder/r.json | /no/such/folder/r.json
            """)
    void wrongUsageEndsWithTwoAndSaysWhatIsMeant(String line, String expected) {
        assertThat(run(line.split(" "))).isEqualTo(ExitCode.WRONG_INPUT);
        assertThat(err.toString()).contains(expected);
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void noCommandIsWrongUsage() {
        assertThat(run()).isEqualTo(ExitCode.WRONG_INPUT);
        assertThat(err.toString()).contains("a command is missing", "tidemill --help");
    }

    @Test
    void completionKnowsEveryCommandAndOption() {
        assertThat(run("completion")).isZero();
        assertThat(out.toString())
                .contains(commandNames())
                .contains("--report", "--serve", "--set", "bashcompinit");
    }

    @Test
    void completionIsAScriptThatShellsCanRead(@TempDir Path folder) throws Exception {
        run("completion");
        Path script = Files.writeString(folder.resolve("completion.bash"), out.toString());
        String complete =
                "source \"$1\"; COMP_WORDS=(tidemill ru); COMP_CWORD=1; _complete_tidemill; echo \"${COMPREPLY[*]}\"";
        try (TidemillProcess bash =
                TidemillProcess.startCommand(
                        folder,
                        Map.of(),
                        List.of("bash", "-c", complete, "bash", script.toString()))) {
            assertThat(bash.exitCode()).as(bash.err()).isZero();
            assertThat(bash.out().strip()).isEqualTo("run");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "functions,round",
        "functions,concat",
        "steps,windowedAggregate",
        "formats,csv",
        "settings,heartbeatSeconds",
        "connectors,nexmark",
        "connectors,stdout",
        "connectors,blackhole"
    })
    void describesByName(String topic, String name) {
        assertThat(run("describe", topic)).isZero();
        assertThat(out.toString()).contains(name);
        assertThat(run("describe", topic, name)).isZero();
    }

    @Test
    void probeOfNobodyFails() {
        assertThat(run("probe", "http://127.0.0.1:1/health")).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString()).contains("probe: http://127.0.0.1:1/health");
    }
}
