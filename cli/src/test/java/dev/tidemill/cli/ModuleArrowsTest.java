package dev.tidemill.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The arrows of ARCHITECTURE.md: a module uses those above it, and only the ones named here. */
class ModuleArrowsTest {
    private static final String ROOT = "dev.tidemill.";
    private static final List<String> CONNECTORS =
            List.of("nexmark", "file", "stdout", "blackhole", "kafka");

    /** What each module may use of Tidemill, itself left out. */
    private static final Map<String, List<String>> MAY_USE = new LinkedHashMap<>();

    static {
        MAY_USE.put("describe", List.of());
        MAY_USE.put("data", List.of());
        MAY_USE.put("expr", List.of("describe", "data"));
        MAY_USE.put("state", List.of("data"));
        MAY_USE.put("operators", List.of("describe", "data", "expr", "state"));
        MAY_USE.put("spi", List.of("describe", "data"));
        MAY_USE.put("epochs", List.of());
        MAY_USE.put("formats", List.of("describe", "data", "spi"));
        MAY_USE.put("runtime", List.of("data", "operators", "spi", "state"));
        CONNECTORS.forEach(
                connector -> MAY_USE.put(connector, List.of("describe", "data", "formats", "spi")));
        // Its events may go through a topic.
        MAY_USE.put("nexmark", List.of("describe", "data", "formats", "spi", "kafka"));
        MAY_USE.put("nexmark", List.of("describe", "data", "formats", "spi", "kafka"));
        MAY_USE.put(
                "pipeline",
                List.of(
                        "describe",
                        "data",
                        "expr",
                        "state",
                        "operators",
                        "formats",
                        "spi",
                        "epochs",
                        "runtime"));
        MAY_USE.put(
                "cli",
                List.of(
                        "describe",
                        "data",
                        "expr",
                        "operators",
                        "formats",
                        "spi",
                        "epochs",
                        "pipeline"));
    }

    private final JavaClasses classes =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .importPackages("dev.tidemill");

    @Test
    void everyModuleUsesOnlyWhatItMay() {
        for (Map.Entry<String, List<String>> module : MAY_USE.entrySet()) {
            List<String> forbidden = new ArrayList<>(MAY_USE.keySet());
            forbidden.addAll(List.of("testkit", "devkafka", "bench"));
            forbidden.remove(module.getKey());
            forbidden.removeAll(module.getValue());
            rule(module.getKey(), forbidden).check(classes);
        }
    }

    private static ArchRule rule(String module, List<String> forbidden) {
        return noClasses()
                .that()
                .resideInAPackage(ROOT + module + "..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        forbidden.stream().map(name -> ROOT + name + "..").toArray(String[]::new))
                .as(module + " uses " + MAY_USE.get(module) + " and nothing else of Tidemill")
                .allowEmptyShould(true);
    }

    @Test
    void everyPackageBelongsToAModule() {
        List<String> known = new ArrayList<>(MAY_USE.keySet());
        known.addAll(List.of("testkit", "devkafka"));
        assertThat(
                        classes.stream()
                                .map(
                                        each ->
                                                each.getPackageName()
                                                        .substring(ROOT.length())
                                                        .split("\\.")[0])
                                .distinct())
                .isSubsetOf(known);
    }

    @Test
    void packagesWithinModulesFormNoCycles() {
        slices().matching("dev.tidemill.(*)..").should().beFreeOfCycles().check(classes);
    }

    @Test
    void whatIsPureOwnsNoThreadsAndReadsNoClock() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        ROOT + "data..", ROOT + "expr..", ROOT + "state..", ROOT + "operators..")
                .should()
                .dependOnClassesThat()
                .areAssignableTo(Thread.class)
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(java.time.Instant.class, "now")
                .check(classes);
    }

    @Test
    void onlyTheCommandEndsTheProcessAndOnlyConnectorsAndItPrint() {
        noClasses()
                .that()
                .resideOutsideOfPackages(ROOT + "cli..", ROOT + "devkafka..")
                .should()
                .callMethod(System.class, "exit", int.class)
                .check(classes);
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        ROOT + "cli..", ROOT + "stdout..", ROOT + "devkafka..", ROOT + "spi..")
                .should()
                .accessField(System.class, "out")
                .check(classes);
    }
}
