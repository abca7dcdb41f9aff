package dev.tidemill.cli;

import dev.tidemill.describe.Description;
import dev.tidemill.expr.FunctionDescription;
import dev.tidemill.expr.Functions;
import dev.tidemill.formats.Formats;
import dev.tidemill.operators.Steps;
import dev.tidemill.pipeline.settings.Settings;
import dev.tidemill.spi.Connector;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.Supplier;

/**
 * A kind of thing that can be described.
 *
 * @param entries every one by name: first its line in the list, then its page
 */
record Topic(String name, String singular, String summary, Supplier<Map<String, Entry>> entries) {
    static final List<Topic> ALL =
            List.of(
                    new Topic(
                            "steps",
                            "step",
                            "What a transform can do with rows.",
                            () -> described(Steps.descriptions())),
                    new Topic(
                            "functions",
                            "function",
                            "What expressions can call.",
                            Topic::functions),
                    new Topic(
                            "connectors",
                            "connector",
                            "Where rows come from and go to.",
                            Topic::connectors),
                    new Topic(
                            "formats",
                            "format",
                            "How records become rows and rows become records.",
                            () -> described(Formats.descriptions())),
                    new Topic(
                            "settings",
                            "setting",
                            "What [settings], --set and the environment can change.",
                            Topic::settings));

    /** @param page what a person reads who asks for this one alone */
    record Entry(String summary, Supplier<String> page) {}

    java.util.Set<String> names() {
        return entries.get().keySet();
    }

    /** All of them, a line each. */
    String list() {
        return Page.table(
                entries.get().entrySet().stream()
                        .map(entry -> new String[] {entry.getKey(), entry.getValue().summary()})
                        .toList());
    }

    String page(String entry) {
        return entries.get().get(entry).page().get();
    }

    private static Map<String, Entry> described(List<Description> descriptions) {
        Map<String, Entry> entries = new LinkedHashMap<>();
        descriptions.forEach(
                each -> entries.put(each.name(), new Entry(each.summary(), () -> Page.of(each))));
        return entries;
    }

    private static Map<String, Entry> functions() {
        Map<String, Entry> entries = new LinkedHashMap<>();
        for (FunctionDescription function : Functions.descriptions()) {
            entries.put(
                    function.name(),
                    new Entry(
                            function.signature() + ": " + function.doc(), () -> Page.of(function)));
        }
        return entries;
    }

    private static Map<String, Entry> settings() {
        Map<String, Entry> entries = new LinkedHashMap<>();
        Settings.list()
                .forEach(
                        setting ->
                                entries.put(
                                        setting.name(),
                                        new Entry(setting.option().doc(), () -> Page.of(setting))));
        return entries;
    }

    private static Map<String, Entry> connectors() {
        Map<String, Entry> entries = new LinkedHashMap<>();
        ServiceLoader.load(Connector.class).stream()
                .map(ServiceLoader.Provider::get)
                .sorted(Comparator.comparing(Connector::name))
                .forEach(connector -> entries.put(connector.name(), entry(connector)));
        return entries;
    }

    private static Entry entry(Connector connector) {
        Description any =
                connector.sourceDescription().or(connector::sinkDescription).orElseThrow();
        return new Entry(
                any.summary(),
                () -> {
                    StringBuilder page = new StringBuilder();
                    connector
                            .sourceDescription()
                            .ifPresent(
                                    source ->
                                            page.append("As a source:\n\n")
                                                    .append(Page.of(source))
                                                    .append('\n'));
                    connector
                            .sinkDescription()
                            .ifPresent(sink -> page.append("As a sink:\n\n").append(Page.of(sink)));
                    return page.toString().stripTrailing();
                });
    }
}
