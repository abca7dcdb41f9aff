package dev.tidemill.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemill.pipeline.BuildRecord;
import dev.tidemill.pipeline.ControlPlane;
import dev.tidemill.pipeline.Pipeline;
import dev.tidemill.pipeline.RunStatus;
import dev.tidemill.pipeline.spec.Inputs;
import dev.tidemill.spi.Notices;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every example runs, offline, and writes what is kept beside this test; outputs go to files instead of the terminal. */
class ExamplesTest {
    private static final Path EXAMPLES = Path.of("..", "examples");
    private static final Path EXPECTED = Path.of("src", "test", "resources", "examples");

    @TempDir private Path directory;

    static Stream<String> examples() throws Exception {
        try (Stream<Path> files = Files.list(EXAMPLES)) {
            return files
                    .filter(Files::isRegularFile)
                    .map(file -> file.getFileName().toString())
                    .sorted()
                    .toList()
                    .stream();
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void writesWhatIsExpected(String example) throws Exception {
        Path file = EXAMPLES.resolve(example);
        Pipeline printing = Pipeline.load(file, new Inputs(List.of(), Map.of()));
        List<String> toFiles = new ArrayList<>();
        printing.spec().datasets().values().stream()
                .filter(dataset -> dataset.sink() != null)
                .forEach(
                        dataset -> {
                            toFiles.add("datasets." + dataset.name() + ".sink=file");
                            toFiles.add(
                                    "datasets."
                                            + dataset.name()
                                            + ".path="
                                            + directory
                                                    .resolve(dataset.name() + ".jsonl")
                                                    .toAbsolutePath());
                        });
        Pipeline pipeline = Pipeline.load(file, new Inputs(toFiles, Map.of()));
        BuildRecord record = pipeline.start(ControlPlane.NONE, Notices.STDERR).await();
        assertThat(record.error()).isNull();
        assertThat(record.status()).isEqualTo(RunStatus.SUCCEEDED);
        StringBuilder written = new StringBuilder();
        for (String output : record.outputs()) {
            written.append("== ").append(output).append('\n');
            Files.readAllLines(directory.resolve(output + ".jsonl")).stream()
                    .sorted()
                    .forEach(line -> written.append(line).append('\n'));
        }
        Path expected = EXPECTED.resolve(example + ".txt");
        if (Boolean.getBoolean("tidemill.writeExpected")) {
            Files.createDirectories(EXPECTED);
            Files.writeString(expected, written);
        }
        assertThat(written.toString()).isEqualTo(Files.readString(expected));
    }
}
