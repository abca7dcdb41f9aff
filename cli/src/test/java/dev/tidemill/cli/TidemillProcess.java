package dev.tidemill.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The command in a JVM of its own, its streams in files. */
final class TidemillProcess implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 40;
    private final Process process;
    private final Path out;
    private final Path err;

    private TidemillProcess(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    static TidemillProcess start(Path folder, String... arguments) throws IOException {
        return start(folder, Map.of(), arguments);
    }

    static TidemillProcess start(Path folder, Map<String, String> environment, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(javaCommand());
        command.addAll(List.of(arguments));
        return startCommand(folder, environment, command);
    }

    /** The words that run {@code Main}; arguments follow. */
    static List<String> javaCommand() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName());
    }

    static TidemillProcess startCommand(
            Path folder, Map<String, String> environment, List<String> command) throws IOException {
        Path out = Files.createTempFile(folder, "out", ".txt");
        Path err = Files.createTempFile(folder, "err", ".txt");
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile());
        Map<String, String> changed = new HashMap<>(environment);
        builder.environment()
                .keySet()
                .removeIf(name -> name.startsWith("TIDEMILL_") || name.startsWith("STREAM_"));
        builder.environment().put("XDG_DATA_HOME", folder.resolve("data").toString());
        builder.environment().putAll(changed);
        return new TidemillProcess(builder.start(), out, err);
    }

    /** Waits for the end. */
    int exitCode() throws InterruptedException {
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError(
                    "it still runs after " + PATIENCE_SECONDS + " s; on stderr:\n" + err());
        }
        return process.exitValue();
    }

    /** Waits until a text stands on standard error. */
    void awaitErr(String text) throws InterruptedException {
        long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!err().contains(text)) {
            if (!process.isAlive() || System.nanoTime() > limit) {
                throw new AssertionError("no \"" + text + "\" on stderr:\n" + err());
            }
            Thread.sleep(20);
        }
    }

    /** Whether it was started with a signal ignored, as shells do for what they run in the background; the JVM then leaves it so. */
    boolean ignores(int signal) throws IOException {
        Path status = Path.of("/proc", Long.toString(process.pid()), "status");
        if (!Files.exists(status)) {
            return false;
        }
        String mask =
                Files.readAllLines(status).stream()
                        .filter(line -> line.startsWith("SigIgn:"))
                        .findFirst()
                        .orElseThrow()
                        .split("\\s+")[1];
        return (Long.parseUnsignedLong(mask, 16) >>> (signal - 1) & 1) == 1;
    }

    /** @param name as {@code kill} takes it, such as {@code INT} */
    void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
    }

    String out() {
        return read(out);
    }

    String err() {
        return read(err);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
