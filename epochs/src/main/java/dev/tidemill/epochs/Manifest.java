package dev.tidemill.epochs;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Everything that a pipeline needs to go on behind an epoch. Its bytes are canonical: equal manifests have equal bytes. The format is in
 * docs/internals/epoch-format.md.
 *
 * @param pipeline its name
 * @param epoch its number, from {@link EpochStore#nextEpoch}
 * @param generation the owner that wrote it, {@link EpochStore#generation}
 * @param createdAt milliseconds since 1970
 * @param kind why the epoch was taken
 * @param pending whether a deciding sink's own transaction says if the epoch stands
 * @param fingerprint of the plan, opaque here
 * @param vnodes how many key slots there were
 * @param positions where each source goes on: by dataset, then by split; opaque here
 * @param times the greatest event time of each split: by step, then by split, in milliseconds since 1970
 * @param state of each step, task by task
 * @param handles what sinks prepared and commit once the manifest stands, by dataset; opaque here
 * @param counters by name
 */
public record Manifest(
        String pipeline,
        long epoch,
        long generation,
        long createdAt,
        Kind kind,
        boolean pending,
        String fingerprint,
        int vnodes,
        Map<String, Map<String, String>> positions,
        Map<String, Map<String, Long>> times,
        Map<String, List<TaskState>> state,
        Map<String, List<String>> handles,
        Map<String, Long> counters) {

    /** Why an epoch was taken. */
    public enum Kind {
        /** Its time had come. */
        PERIODIC,
        /** The pipeline was stopped in order. */
        STOP,
        /** The input ended: the run is finished. */
        END
    }

    /**
     * What one task of a step keeps.
     *
     * @param images in the order to read them: a whole one, then what changed; none when the task keeps nothing
     */
    public record TaskState(List<ObjectRef> images) {
        public TaskState {
            images = List.copyOf(images);
        }
    }

    public Manifest {
        Objects.requireNonNull(pipeline);
        Objects.requireNonNull(kind);
        Objects.requireNonNull(fingerprint);
        positions = sorted(positions, Manifest::sorted);
        times = sorted(times, Manifest::sorted);
        state = sorted(state, List::copyOf);
        handles = sorted(handles, List::copyOf);
        counters = sorted(counters);
    }

    private static <T> Map<String, T> sorted(Map<String, T> map) {
        return sorted(map, value -> value);
    }

    private static <T> Map<String, T> sorted(Map<String, T> map, UnaryOperator<T> copy) {
        Map<String, T> sorted = new TreeMap<>();
        map.forEach((key, value) -> sorted.put(key, copy.apply(value)));
        return Collections.unmodifiableMap(sorted);
    }

    /** All objects of the state. */
    public Stream<ObjectRef> objects() {
        return state.values().stream()
                .flatMap(List::stream)
                .flatMap(task -> task.images().stream());
    }

    /** Bytes of the state's objects. */
    public long stateBytes() {
        return objects().mapToLong(ObjectRef::length).sum();
    }

    /** The canonical bytes. */
    public byte[] toBytes() {
        ObjectNode out = Documents.create();
        out.put("pipeline", pipeline).put("epoch", epoch).put("generation", generation);
        out.put("createdAt", createdAt).put("kind", kind.name()).put("pending", pending);
        out.put("fingerprint", fingerprint).put("vnodes", vnodes);
        ObjectNode sources = out.putObject("positions");
        positions.forEach((dataset, splits) -> splits.forEach(sources.putObject(dataset)::put));
        ObjectNode steps = out.putObject("times");
        times.forEach((step, splits) -> splits.forEach(steps.putObject(step)::put));
        putState(out.putObject("state"));
        ObjectNode sinks = out.putObject("handles");
        handles.forEach((dataset, list) -> list.forEach(sinks.putArray(dataset)::add));
        counters.forEach(out.putObject("counters")::put);
        return Documents.seal(out);
    }

    private void putState(ObjectNode out) {
        state.forEach(
                (step, tasks) -> {
                    ArrayNode list = out.putArray(step);
                    for (TaskState task : tasks) {
                        ArrayNode images = list.addArray();
                        task.images().forEach(ref -> Documents.ref(images.addObject(), ref));
                    }
                });
    }

    /**
     * @param what names the bytes in errors
     * @throws DamagedException when the bytes are not a whole manifest
     * @throws StoreException when a newer version wrote it
     */
    public static Manifest fromBytes(byte[] bytes, String what) throws StoreException {
        return Documents.decode(bytes, what, Manifest::decode);
    }

    private static Manifest decode(JsonNode from) {
        return new Manifest(
                from.required("pipeline").stringValue(),
                from.required("epoch").longValue(),
                from.required("generation").longValue(),
                from.required("createdAt").longValue(),
                Kind.valueOf(from.required("kind").stringValue()),
                from.required("pending").booleanValue(),
                from.required("fingerprint").stringValue(),
                from.required("vnodes").intValue(),
                fields(from.required("positions"), each -> fields(each, JsonNode::stringValue)),
                fields(from.required("times"), each -> fields(each, JsonNode::longValue)),
                fields(from.required("state"), each -> elements(each, Manifest::task)),
                fields(from.required("handles"), each -> elements(each, JsonNode::stringValue)),
                fields(from.required("counters"), JsonNode::longValue));
    }

    private static TaskState task(JsonNode from) {
        return new TaskState(elements(from, Documents::ref));
    }

    private static <T> Map<String, T> fields(JsonNode from, Function<JsonNode, T> decoder) {
        Map<String, T> out = new TreeMap<>();
        from.forEachEntry((name, value) -> out.put(name, decoder.apply(value)));
        return out;
    }

    private static <T> List<T> elements(JsonNode from, Function<JsonNode, T> decoder) {
        List<T> out = new ArrayList<>();
        from.forEach(each -> out.add(decoder.apply(each)));
        return out;
    }
}
