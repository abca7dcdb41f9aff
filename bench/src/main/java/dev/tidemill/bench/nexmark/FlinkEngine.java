package dev.tidemill.bench.nexmark;

import dev.tidemill.bench.BenchException;
import dev.tidemill.bench.MeasuredProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Apache Flink SQL on a cluster within one process, by the module {@code bench/flink}. It runs on the {@code java} of the path, or on the program that
 * {@code TIDEMILL_PEER_JAVA} names: 17 or 21, which are what Flink supports.
 */
final class FlinkEngine implements Engine {
    private final Path home;
    private final Path work;
    private final int tasks;

    FlinkEngine(Path home, Path work, int tasks) {
        this.home = home;
        this.work = work;
        this.tasks = tasks;
    }

    @Override
    public String name() {
        return "Flink";
    }

    @Override
    public Measurement measure(Query query, Input input)
            throws IOException, InterruptedException, BenchException {
        Path base = work.resolve("flink-" + query.id());
        MeasuredProcess process = MeasuredProcess.run(base, command(query, input));
        return new Measurement(query, name(), input.events(), process, -1);
    }

    @Override
    public Path answer(Query query, Input input)
            throws IOException, InterruptedException, BenchException {
        Path base = work.resolve("flink-" + query.id() + "-answer");
        Path rows = Path.of(base + ".rows");
        Folders.delete(rows);
        List<String> command = new ArrayList<>(command(query, input));
        command.addAll(List.of("--answer", rows.toString()));
        MeasuredProcess.run(base, command);
        return rows;
    }

    private List<String> command(Query query, Input input) throws IOException, BenchException {
        if (!(input instanceof Input.Lines lines)) {
            throw new BenchException("--peer flink needs --via file");
        }
        List<String> command = new ArrayList<>();
        command.add(System.getenv().getOrDefault("TIDEMILL_PEER_JAVA", "java"));
        command.addAll(options());
        command.addAll(
                List.of(
                        "-cp",
                        classpath(),
                        "dev.tidemill.bench.flink.FlinkNexmark",
                        "--query",
                        query.id(),
                        "--input",
                        lines.path().toString(),
                        "--parallelism",
                        Integer.toString(tasks)));
        return command;
    }

    private List<String> options() throws IOException {
        return Files.readAllLines(home.resolve("bench/flink/jvm.options")).stream()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .toList();
    }

    private String classpath() throws IOException, BenchException {
        Path target = home.resolve("bench/flink/target");
        if (!Files.isDirectory(target.resolve("lib"))) {
            throw new BenchException(
                    "the peer is not built; build it with: mvn -Pflink-peer -pl bench/flink -DskipTests package");
        }
        try (Stream<Path> jars = Files.list(target)) {
            String own =
                    jars.map(Path::toString)
                            .filter(name -> name.endsWith(".jar"))
                            .findFirst()
                            .orElseThrow();
            return target.resolve("lib") + "/*:" + own;
        }
    }
}
