package dev.tidemill.pipeline.check;

import dev.tidemill.describe.Description;
import dev.tidemill.operators.Steps;
import dev.tidemill.spi.Connector;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Predicate;

/** The steps and connectors a file may name. Connectors are loaded one by one until the wanted one is found: some are costly to load. For one thread. */
public final class Catalogue {
    /** Names of the reference that come with later versions. */
    static final List<String> STEPS_TO_COME =
            List.of(
                    "sessionAggregate",
                    "streamJoin",
                    "lookupJoin",
                    "topN",
                    "lastN",
                    "compute",
                    "wasm",
                    "container");

    static final List<String> CONNECTORS_TO_COME =
            List.of("nats", "arrow", "table", "iceberg", "flight", "http", "webhook", "websocket");

    private final Map<String, Description> steps = new LinkedHashMap<>();
    private final Predicate<String> isInline;
    private final Iterator<Connector> unseen;
    private final Map<String, Connector> seen = new LinkedHashMap<>();

    Catalogue(List<Description> steps, Predicate<String> isInline, Iterable<Connector> connectors) {
        steps.forEach(step -> this.steps.put(step.name(), step));
        this.isInline = isInline;
        this.unseen = connectors.iterator();
    }

    /** Steps of this version, and the connectors on the class path. Not thread-safe. */
    public static Catalogue installed() {
        return new Catalogue(
                Steps.descriptions(), Steps::isInline, ServiceLoader.load(Connector.class));
    }

    Optional<Description> step(String op) {
        return Optional.ofNullable(steps.get(op));
    }

    List<String> steps() {
        return List.copyOf(steps.keySet());
    }

    boolean isInline(String op) {
        return isInline.test(op);
    }

    public Optional<Connector> connector(String name) {
        while (!seen.containsKey(name) && unseen.hasNext()) {
            Connector next = unseen.next();
            seen.put(next.name(), next);
        }
        return Optional.ofNullable(seen.get(name));
    }

    /** The names of those that read, or of those that write. */
    List<String> connectors(boolean reading) {
        unseen.forEachRemaining(connector -> seen.put(connector.name(), connector));
        List<String> names = new ArrayList<>();
        for (Connector connector : seen.values()) {
            boolean fits =
                    (reading ? connector.sourceDescription() : connector.sinkDescription())
                            .isPresent();
            if (fits) {
                names.add(connector.name());
            }
        }
        names.sort(null);
        return names;
    }
}
