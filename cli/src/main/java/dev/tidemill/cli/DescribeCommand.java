package dev.tidemill.cli;

import dev.tidemill.describe.Nearest;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "describe",
        description =
                "Explains what a pipeline file may say: steps, functions, connectors, formats, settings.",
        footer = {
            "",
            "Examples:",
            "  tidemill describe steps",
            "  tidemill describe steps windowedAggregate"
        })
final class DescribeCommand implements Callable<Integer> {
    @Mixin private HelpOption help;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "TOPIC",
            description = "steps, functions, connectors, formats or settings.")
    private String topic;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "NAME",
            description = "One of them, in full.")
    private String name;

    @Option(
            names = "--markdown",
            paramLabel = "DIR",
            description = "Writes all of it as Markdown pages into a folder.")
    private Path markdown;

    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws RefusedException {
        PrintWriter out = spec.commandLine().getOut();
        if (markdown != null) {
            return write();
        }
        if (topic == null) {
            out.println(
                    Page.table(
                            Topic.ALL.stream()
                                    .map(each -> new String[] {each.name(), each.summary()})
                                    .toList()));
            out.flush();
            return ExitCode.FINE;
        }
        Topic found = topic();
        out.println(name == null ? found.list() : found.page(entry(found)));
        out.flush();
        return ExitCode.FINE;
    }

    private int write() throws RefusedException {
        try {
            Files.createDirectories(markdown);
            for (Map.Entry<String, String> page : MarkdownPages.all().entrySet()) {
                Files.writeString(markdown.resolve(page.getKey()), page.getValue());
            }
            return ExitCode.FINE;
        } catch (IOException e) {
            throw new RefusedException(
                    ExitCode.FAILED, "cannot write pages into " + markdown + ": " + e.getMessage());
        }
    }

    private Topic topic() throws RefusedException {
        List<String> names = Topic.ALL.stream().map(Topic::name).toList();
        int index = names.indexOf(topic);
        if (index < 0) {
            throw unknown("topic", topic, names);
        }
        return Topic.ALL.get(index);
    }

    private String entry(Topic found) throws RefusedException {
        List<String> names = new ArrayList<>(found.names());
        if (!names.contains(name)) {
            throw unknown(found.singular(), name, names);
        }
        return name;
    }

    private static RefusedException unknown(String kind, String word, List<String> known) {
        String meant =
                Nearest.to(word, known)
                        .map(near -> "did you mean " + near + "?")
                        .orElse("there are " + String.join(", ", known));
        return RefusedException.wrongInput("unknown " + kind + " " + word + "; " + meant);
    }
}
