package dev.tidemill.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The launcher in a clone of its own, with a JDK and a Maven that only write down how they were called. */
@DisabledOnOs(OS.WINDOWS)
class LauncherTest {
    @TempDir private Path folder;

    private Path clone;
    private Path jdk;
    private Path tools;

    @BeforeEach
    void makeAClone() throws IOException {
        Path repository = repository();
        assumeTrue(Files.exists(repository.resolve("tidemill")));
        clone = Files.createDirectories(folder.resolve("a clone with spaces"));
        Files.createDirectories(clone.resolve("dev"));
        for (String file : List.of("tidemill", "dev/jdk.sh")) {
            Files.copy(repository.resolve(file), clone.resolve(file));
        }
        executable(clone.resolve("tidemill"), Files.readString(clone.resolve("tidemill")));
        Files.createDirectories(clone.resolve("cli/src/main"));
        Files.createDirectories(clone.resolve("cli/target"));
        Files.writeString(clone.resolve("pom.xml"), "<project/>");
        Files.writeString(clone.resolve("cli/pom.xml"), "<project/>");
        Files.writeString(clone.resolve("cli/src/main/Source.java"), "class Source {}");
        age(
                clone.resolve("pom.xml"),
                clone.resolve("cli/pom.xml"),
                clone.resolve("cli/src/main/Source.java"),
                clone.resolve("cli/src/main"));
        jdk = fakeJdk("jdk 25", "25.0.3");
        tools = Files.createDirectories(folder.resolve("tools"));
        executable(
                tools.resolve("mvn"),
                """
                #!/usr/bin/env bash
                echo "mvn $JAVA25_HOME" >>"$CALLS"
                sleep 0.5
                [ -z "${BUILD_FAILS:-}" ] || { echo '[ERROR] cannot find symbol'; exit 1; }
                for argument in "$@"; do
                    case $argument in -Dtidemill.cli.lib=*) lib=${argument#*=} ;; esac
                done
                echo '[INFO] Building Tidemill :: cli 0.1.0-SNAPSHOT [17/18]'
                echo dependency >"$lib/dependency.jar"
                echo program >"$(dirname "$lib")/../../cli/target/tidemill-cli-0.1.0.jar"
                """);
    }

    private static Path repository() {
        return Path.of("").toAbsolutePath().getParent();
    }

    private static void age(Path... files) throws IOException {
        for (Path file : files) {
            Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(3600)));
        }
    }

    private static void executable(Path file, String text) throws IOException {
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Path fakeJdk(String name, String version) throws IOException {
        Path home = Files.createDirectories(folder.resolve(name));
        Files.createDirectories(home.resolve("bin"));
        Files.writeString(
                home.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\n");
        executable(home.resolve("bin/javac"), "#!/bin/sh\n");
        executable(
                home.resolve("bin/java"),
                """
                #!/usr/bin/env bash
                for argument in "$@"; do
                    case $argument in
                        -XX:AOTCacheOutput=*)
                            echo training >>"$CALLS"
                            [ -z "${TRAINING_FAILS:-}" ] || exit 1
                            echo cache >"${argument#*=}"
                            exit 0
                            ;;
                    esac
                done
                echo run >>"$CALLS"
                printf '<%s>' "$@"
                """);
        return home;
    }

    private TidemillProcess launch(
            Map<String, String> environment, Path command, String... arguments) throws IOException {
        Map<String, String> all = new HashMap<>();
        all.put("PATH", tools + ":/usr/bin:/bin");
        all.put("HOME", folder.toString());
        all.put("JAVA_HOME", "");
        all.put("CALLS", folder.resolve("calls").toString());
        all.put("TIDEMILL_JAVA_HOME", jdk.toString());
        all.putAll(environment);
        List<String> words = new ArrayList<>(List.of(command.toString()));
        words.addAll(List.of(arguments));
        return TidemillProcess.startCommand(folder, all, words);
    }

    private TidemillProcess launch(String... arguments) throws IOException {
        return launch(Map.of(), clone.resolve("tidemill"), arguments);
    }

    private List<String> calls() throws IOException {
        Path file = folder.resolve("calls");
        return Files.exists(file)
                ? Files.readAllLines(file).stream().map(line -> line.split(" ")[0]).toList()
                : List.of();
    }

    @Test
    void buildsAndTrainsOnceAndPassesArgumentsOn() throws Exception {
        try (TidemillProcess first = launch("run", "my file.toml", "--set", "a=b c")) {
            assertThat(first.exitCode()).as(first.err()).isZero();
            assertThat(first.out())
                    .contains("<dev.tidemill.cli.Main><run><my file.toml><--set><a=b c>");
            assertThat(first.out())
                    .contains("<-XX:AOTCache=", "tidemill-cli-0.1.0.jar", "dependency.jar");
            assertThat(first.err()).contains("building cli", "cli (17 of 18)", "AOT cache");
        }
        try (TidemillProcess second = launch("version")) {
            assertThat(second.exitCode()).isZero();
            assertThat(second.err()).isEmpty();
        }
        assertThat(calls()).containsExactly("mvn", "training", "run", "run");
    }

    @Test
    void buildsAgainWhenASourceIsNewerOrGone() throws Exception {
        Path source = clone.resolve("cli/src/main/Source.java");
        launch("version").exitCode();
        Files.writeString(source, "class Source { int x; }");
        Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(1)));
        launch("version").exitCode();
        assertThat(calls()).containsExactly("mvn", "training", "run", "mvn", "training", "run");
        age(source);
        launch("version").exitCode();
        assertThat(calls()).hasSize(7).endsWith("run");
        Files.delete(source);
        Files.setLastModifiedTime(source.getParent(), FileTime.from(Instant.now().plusSeconds(1)));
        launch("version").exitCode();
        assertThat(calls()).endsWith("mvn", "training", "run");
    }

    @Test
    void worksThroughSymbolicLinksFromAnywhere() throws Exception {
        Path bin = Files.createDirectories(folder.resolve("bin"));
        Path chain = Files.createSymbolicLink(folder.resolve("chain"), clone.resolve("tidemill"));
        Path link = Files.createSymbolicLink(bin.resolve("tm"), Path.of("../chain"));
        assertThat(chain).exists();
        try (TidemillProcess process = launch(Map.of(), link, "version")) {
            assertThat(process.exitCode()).as(process.err()).isZero();
            assertThat(process.out()).contains("<version>");
        }
    }

    @Test
    void concurrentFirstRunsBuildOnce() throws Exception {
        List<TidemillProcess> processes = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            processes.add(launch("version"));
        }
        for (TidemillProcess process : processes) {
            assertThat(process.exitCode()).as(process.err()).isZero();
        }
        assertThat(calls()).filteredOn("mvn"::equals).hasSize(1);
        assertThat(calls()).filteredOn("training"::equals).hasSize(1);
        assertThat(clone.resolve(".tidemill/lock")).doesNotExist();
    }

    @Test
    void aLockOfADeadProcessIsTaken() throws Exception {
        Files.createDirectories(clone.resolve(".tidemill"));
        Files.createSymbolicLink(clone.resolve(".tidemill/lock"), Path.of("99999999"));
        try (TidemillProcess process = launch("version")) {
            assertThat(process.exitCode()).as(process.err()).isZero();
        }
    }

    @Test
    void goesOnWithoutACacheAndTriesOnlyOnce() throws Exception {
        Map<String, String> failing = Map.of("TRAINING_FAILS", "yes");
        try (TidemillProcess process = launch(failing, clone.resolve("tidemill"), "version")) {
            assertThat(process.exitCode()).isZero();
            assertThat(process.err()).contains("going on without");
            assertThat(process.out()).doesNotContain("AOTCache");
        }
        launch(failing, clone.resolve("tidemill"), "version").exitCode();
        assertThat(calls()).containsExactly("mvn", "training", "run", "run");
    }

    @Test
    void aFailedBuildSaysWhyAndLeavesNothing() throws Exception {
        try (TidemillProcess process =
                launch(Map.of("BUILD_FAILS", "yes"), clone.resolve("tidemill"), "version")) {
            assertThat(process.exitCode()).isEqualTo(1);
            assertThat(process.err()).contains("cannot find symbol", "the build failed");
            assertThat(process.out()).isEmpty();
        }
        try (TidemillProcess process = launch("version")) {
            assertThat(process.exitCode()).as(process.err()).isZero();
        }
    }

    @Test
    void userOptionsComeLast() throws Exception {
        try (TidemillProcess process =
                launch(
                        Map.of("TIDEMILL_JAVA_OPTS", "-Xmx64m -XX:+UseParallelGC"),
                        clone.resolve("tidemill"),
                        "version")) {
            assertThat(process.exitCode()).as(process.err()).isZero();
            assertThat(process.out()).contains("<-Xmx64m><-XX:+UseParallelGC><-cp>");
        }
    }

    @Test
    void aWrongTidemillJavaHomeIsNamed() throws Exception {
        Path old = fakeJdk("jdk 17", "17.0.15");
        try (TidemillProcess process =
                launch(
                        Map.of("TIDEMILL_JAVA_HOME", old.toString()),
                        clone.resolve("tidemill"),
                        "version")) {
            assertThat(process.exitCode()).isEqualTo(ExitCode.WRONG_INPUT);
            assertThat(process.err())
                    .contains(
                            "TIDEMILL_JAVA_HOME=" + old,
                            "JDK 17.0.15",
                            "JDK 25 or newer is needed");
        }
        try (TidemillProcess process =
                launch(
                        Map.of("TIDEMILL_JAVA_HOME", "/no/such"),
                        clone.resolve("tidemill"),
                        "version")) {
            assertThat(process.exitCode()).isEqualTo(ExitCode.WRONG_INPUT);
            assertThat(process.err()).contains("no JDK");
        }
        assertThat(calls()).isEmpty();
    }

    @Test
    void findsAJdkInTheHomeFolderAndPrefersTheOneItWasMadeFor() throws Exception {
        Path jdks = Files.createDirectories(folder.resolve(".jdks"));
        Files.move(fakeJdk("new", "26"), jdks.resolve("a"));
        Files.move(fakeJdk("right", "25.0.1"), jdks.resolve("b"));
        String script = ". \"$1\"; find_jdk && echo \"$jdk $jdk_version\"";
        List<String> command =
                List.of("bash", "-c", script, "bash", clone.resolve("dev/jdk.sh").toString());
        try (TidemillProcess process =
                TidemillProcess.startCommand(
                        folder,
                        Map.of(
                                "HOME",
                                folder.toString(),
                                "JAVA_HOME",
                                jdks.resolve("a").toString()),
                        command)) {
            assertThat(process.exitCode()).as(process.err()).isZero();
            assertThat(process.out())
                    .contains("25")
                    .as("found in one of the usual folders, or in .jdks");
        }
    }
}
