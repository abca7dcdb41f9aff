package dev.tidemill.pipeline.check;

import dev.tidemill.describe.Description;
import dev.tidemill.describe.Nearest;
import dev.tidemill.describe.Option;
import dev.tidemill.pipeline.read.Node;
import dev.tidemill.pipeline.read.OptionReader;
import dev.tidemill.pipeline.read.Problems;
import dev.tidemill.pipeline.spec.PipelineSpec.Dataset;
import dev.tidemill.pipeline.spec.PipelineSpec.Endpoint;
import dev.tidemill.pipeline.spec.Position;
import dev.tidemill.spi.ConfigException;
import dev.tidemill.spi.Connector;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads {@code [datasets.<name>]}: which connector reads and writes it, and with what options. */
final class DatasetReader {
    private static final String DEFAULT = "kafka";
    private static final String CONNECTOR = "connector";
    private static final String SINK = "sink";
    private static final String TOPIC = "topic";

    private final Catalogue catalogue;
    private final Flow flow;
    private final Problems problems;
    private final OptionReader options;

    DatasetReader(Catalogue catalogue, Flow flow, Problems problems) {
        this.catalogue = catalogue;
        this.flow = flow;
        this.problems = problems;
        this.options = new OptionReader(problems);
    }

    /** One side of a dataset: the connector it names and that connector's description for this side. */
    private record Role(Connector connector, Description description, boolean reading) {}

    /** @param complete false when a connector could not be found, so that nothing is known of the keys */
    private record Roles(Role source, Role sink, boolean complete) {
        List<Option> options() {
            Map<String, Option> all = new LinkedHashMap<>();
            for (Role role : new Role[] {source, sink}) {
                if (role != null) {
                    role.description()
                            .options()
                            .forEach(option -> all.putIfAbsent(option.name(), option));
                }
            }
            return List.copyOf(all.values());
        }
    }

    Optional<Dataset> read(Node.Entry entry) {
        String name = entry.key();
        if (!(entry.value() instanceof Node.Table table)) {
            problems.error(
                    entry.value().at(),
                    "a dataset must be a table, found " + entry.value().shown());
            return Optional.empty();
        }
        if (!Names.isName(name)) {
            problems.error(
                    entry.at(),
                    "the name of a dataset must be 1 to "
                            + Names.MAX_LENGTH
                            + " characters without control characters");
        }
        boolean written = flow.isWritten(name);
        boolean read = flow.isRead(name);
        boolean needsSource = read && !written;
        boolean needsSink = written && (!read || table.has(SINK) || table.has(TOPIC));
        if (!written && !read) {
            problems.warning(entry.at(), "no stage uses this dataset");
        }
        Roles roles = roles(name, table);
        Set<String> meant = Set.of();
        if (roles.complete()) {
            meant = options.checkKeys(what(name), table, roles.options(), List.of(CONNECTOR, SINK));
        }
        if (written && read && !needsSink) {
            problems.warning(
                    entry.at(),
                    flow.writerOf(name)
                            + " writes this dataset and others read it: without sink or topic its table has no effect");
            return Optional.of(new Dataset(name, null, null, table.at()));
        }
        boolean unused = !needsSource && !needsSink;
        Endpoint source =
                needsSource || unused ? endpoint(name, table, roles.source(), meant) : null;
        Endpoint sink = needsSink || unused ? endpoint(name, table, roles.sink(), meant) : null;
        if (needsSource
                && roles.source() == null
                && roles.complete()
                && !meant.contains(CONNECTOR)) {
            problems.error(
                    table.at(),
                    "stage "
                            + flow.readerOf(name)
                            + " reads this dataset and nothing writes it: it needs a connector");
        }
        if (needsSink && roles.sink() == null && roles.complete() && !meant.contains(SINK)) {
            problems.error(
                    table.at(), flow.writerOf(name) + " writes this dataset: it needs a sink");
        }
        return Optional.of(
                new Dataset(
                        name, needsSource ? source : null, needsSink ? sink : null, table.at()));
    }

    private static String what(String dataset) {
        return "dataset \"" + dataset + "\"";
    }

    private Roles roles(String name, Node.Table table) {
        Node connector = table.get(CONNECTOR);
        Node sink = table.get(SINK);
        boolean neither = connector == null && sink == null;
        if (neither && misspelt(name, table)) {
            return new Roles(null, null, false);
        }
        boolean topicOnly =
                sink == null
                        && table.has(TOPIC)
                        && connector instanceof Node.Text text
                        && text.value().equals(DEFAULT);
        Optional<Role> source =
                connector != null
                        ? named(CONNECTOR, connector, true)
                        : neither ? byDefault(name, table, true) : Optional.empty();
        Optional<Role> target =
                sink != null
                        ? named(SINK, sink, false)
                        : neither || topicOnly ? byDefault(name, table, false) : Optional.empty();
        boolean complete =
                (source.isPresent() || connector == null && !neither)
                        && (target.isPresent() || sink == null && !neither);
        return new Roles(source.orElse(null), target.orElse(null), complete);
    }

    private boolean misspelt(String name, Node.Table table) {
        boolean found = false;
        for (Node.Entry entry : table.entries().values()) {
            Optional<String> near = Nearest.to(entry.key(), List.of(CONNECTOR, SINK));
            if (near.isPresent()) {
                problems.error(
                        entry.at(),
                        what(name)
                                + " has no key \""
                                + entry.key()
                                + "\"; did you mean \""
                                + near.get()
                                + "\"?");
                found = true;
            }
        }
        return found;
    }

    private Optional<Role> byDefault(String name, Node.Table table, boolean reading) {
        Optional<Role> role =
                catalogue.connector(DEFAULT).flatMap(connector -> role(connector, reading));
        if (role.isEmpty()) {
            problems.error(
                    table.at(),
                    what(name)
                            + " names no connector and no sink, and kafka, which is meant then, is not installed");
        }
        return role;
    }

    private Optional<Role> named(String key, Node node, boolean reading) {
        if (!(node instanceof Node.Text text)) {
            problems.error(node.at(), key + " must be a string, found " + node.shown());
            return Optional.empty();
        }
        Optional<Connector> connector = catalogue.connector(text.value());
        Optional<Role> role = connector.flatMap(found -> role(found, reading));
        if (role.isPresent()) {
            return role;
        }
        problems.error(node.at(), refusal(key, text, connector.isPresent(), reading));
        return Optional.empty();
    }

    private String refusal(String key, Node.Text text, boolean exists, boolean reading) {
        List<String> names = catalogue.connectors(reading);
        String list = String.join(", ", names);
        if (exists) {
            return text.shown()
                    + (reading ? " only writes; what reads is " : " only reads; what writes is ")
                    + list;
        }
        if (Catalogue.CONNECTORS_TO_COME.contains(text.value())) {
            return "the "
                    + key
                    + " "
                    + text.shown()
                    + " is not in this version yet, which has "
                    + list;
        }
        List<String> all = new ArrayList<>(names);
        all.addAll(Catalogue.CONNECTORS_TO_COME);
        String near =
                text.origin() == Node.Origin.SECRET
                        ? "; there are "
                        : Nearest.to(text.value(), all)
                                .map(name -> "; did you mean \"" + name + "\"? There are ")
                                .orElse("; there are ");
        return "unknown " + key + " " + text.shown() + near + list;
    }

    private static Optional<Role> role(Connector connector, boolean reading) {
        return (reading ? connector.sourceDescription() : connector.sinkDescription())
                .map(description -> new Role(connector, description, reading));
    }

    private Endpoint endpoint(String name, Node.Table table, Role role, Set<String> meant) {
        if (role == null) {
            return null;
        }
        OptionReader.Read read =
                options.read(what(name), table, role.description().options(), meant);
        Endpoint endpoint =
                new Endpoint(
                        role.connector().name(),
                        read.values(),
                        Map.copyOf(read.places()),
                        table.at());
        if (read.valid()) {
            together(name, table, role, endpoint);
        }
        return endpoint;
    }

    private void together(String name, Node.Table table, Role role, Endpoint endpoint) {
        try {
            role.connector().check(name, role.reading(), endpoint.options());
        } catch (ConfigException e) {
            String message = withoutSecrets(e.getMessage(), table);
            String option = e.option();
            problems.error(
                    place(endpoint, option),
                    option == null ? what(name) + ": " + message : option + ": " + message);
        }
    }

    private static Position place(Endpoint endpoint, String option) {
        if (option == null) {
            return endpoint.at();
        }
        int dot = option.indexOf('.');
        Position outer = dot < 0 ? endpoint.at() : endpoint.place(option.substring(0, dot));
        return endpoint.places().getOrDefault(option, outer);
    }

    /** A connector's message may quote what it found. */
    private static String withoutSecrets(String message, Node.Table table) {
        List<String> secrets = new ArrayList<>();
        collectSecrets(table, false, secrets);
        secrets.sort(Comparator.comparingInt(String::length).reversed());
        String out = message;
        for (String secret : secrets) {
            out = out.replace(secret, "***");
        }
        return out;
    }

    private static void collectSecrets(Node node, boolean secret, List<String> out) {
        switch (node) {
            case Node.Table table ->
                    table.entries()
                            .forEach(
                                    (key, entry) ->
                                            collectSecrets(
                                                    entry.value(),
                                                    secret || OptionReader.isSecret(key),
                                                    out));
            case Node.Items items ->
                    items.items().forEach(item -> collectSecrets(item, secret, out));
            case Node.Text text
                    when (secret || text.origin() == Node.Origin.SECRET)
                            && !text.value().isEmpty() ->
                    out.add(text.value());
            default -> {}
        }
    }
}
