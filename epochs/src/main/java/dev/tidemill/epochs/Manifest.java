package dev.tidemill.epochs;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
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
 * @param vnodes how many key slots the state is cut into
 * @param sources by dataset
 * @param state by step id
 * @param sinks by dataset
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
        Map<String, SourcePositions> sources,
        Map<String, List<Shard>> state,
        Map<String, Prepared> sinks,
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
     * Where a source goes on.
     *
     * @param identity of the external thing that the positions are in, opaque here
     * @param splits by split id
     */
    public record SourcePositions(String identity, Map<String, Split> splits) {
        public SourcePositions {
            Objects.requireNonNull(identity);
            splits = sorted(splits);
        }
    }

    /**
     * Where a split goes on.
     *
     * @param position opaque here, usually JSON
     * @param watermark in milliseconds since 1970; {@link Long#MIN_VALUE} when there is none yet
     */
    public record Split(String position, long watermark) {
        public Split {
            Objects.requireNonNull(position);
        }
    }

    /**
     * A step's state of a range of vnodes.
     *
     * @param firstVnode the first
     * @param endVnode behind the last
     * @param objects in the order to read them: a full image, then what changed
     */
    public record Shard(int firstVnode, int endVnode, List<ObjectRef> objects) {
        public Shard {
            objects = List.copyOf(objects);
            if (firstVnode < 0 || endVnode < firstVnode) {
                throw new IllegalArgumentException("vnodes " + firstVnode + " to " + endVnode);
            }
        }
    }

    /**
     * What a sink has prepared and commits once the manifest stands.
     *
     * @param kind of the sink, opaque here
     * @param handles opaque here
     */
    public record Prepared(String kind, List<String> handles) {
        public Prepared {
            Objects.requireNonNull(kind);
            handles = List.copyOf(handles);
        }
    }

    public Manifest {
        Objects.requireNonNull(pipeline);
        Objects.requireNonNull(kind);
        Objects.requireNonNull(fingerprint);
        sources = sorted(sources);
        sinks = sorted(sinks);
        counters = sorted(counters);
        Map<String, List<Shard>> shards = new TreeMap<>();
        state.forEach((step, list) -> shards.put(step, List.copyOf(list)));
        state = Collections.unmodifiableMap(shards);
    }

    private static <T> Map<String, T> sorted(Map<String, T> map) {
        return Collections.unmodifiableMap(new TreeMap<>(map));
    }

    /** All objects of the state. */
    public Stream<ObjectRef> objects() {
        return state.values().stream()
                .flatMap(List::stream)
                .flatMap(shard -> shard.objects().stream());
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
        putSources(out.putObject("sources"));
        putState(out.putObject("state"));
        putSinks(out.putObject("sinks"));
        counters.forEach(out.putObject("counters")::put);
        return Documents.seal(out);
    }

    private void putSources(ObjectNode out) {
        sources.forEach(
                (dataset, source) -> {
                    ObjectNode one = out.putObject(dataset).put("identity", source.identity());
                    ObjectNode splits = one.putObject("splits");
                    source.splits()
                            .forEach(
                                    (id, split) ->
                                            splits.putObject(id)
                                                    .put("position", split.position())
                                                    .put("watermark", split.watermark()));
                });
    }

    private void putState(ObjectNode out) {
        state.forEach(
                (step, shards) -> {
                    ArrayNode list = out.putArray(step);
                    for (Shard shard : shards) {
                        ObjectNode one = list.addObject();
                        one.put("firstVnode", shard.firstVnode()).put("endVnode", shard.endVnode());
                        ArrayNode objects = one.putArray("objects");
                        shard.objects().forEach(ref -> Documents.ref(objects.addObject(), ref));
                    }
                });
    }

    private void putSinks(ObjectNode out) {
        sinks.forEach(
                (dataset, sink) -> {
                    ObjectNode one = out.putObject(dataset).put("kind", sink.kind());
                    sink.handles().forEach(one.putArray("handles")::add);
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
        Map<String, Long> counters = new TreeMap<>();
        from.required("counters")
                .forEachEntry((name, value) -> counters.put(name, value.longValue()));
        return new Manifest(
                from.required("pipeline").stringValue(),
                from.required("epoch").longValue(),
                from.required("generation").longValue(),
                from.required("createdAt").longValue(),
                Kind.valueOf(from.required("kind").stringValue()),
                from.required("pending").booleanValue(),
                from.required("fingerprint").stringValue(),
                from.required("vnodes").intValue(),
                sources(from.required("sources")),
                state(from.required("state")),
                sinks(from.required("sinks")),
                counters);
    }

    private static Map<String, SourcePositions> sources(JsonNode from) {
        Map<String, SourcePositions> sources = new TreeMap<>();
        from.forEachEntry(
                (dataset, source) -> {
                    Map<String, Split> splits = new TreeMap<>();
                    source.required("splits")
                            .forEachEntry((id, split) -> splits.put(id, split(split)));
                    sources.put(
                            dataset,
                            new SourcePositions(source.required("identity").stringValue(), splits));
                });
        return sources;
    }

    private static Split split(JsonNode from) {
        return new Split(
                from.required("position").stringValue(), from.required("watermark").longValue());
    }

    private static Map<String, List<Shard>> state(JsonNode from) {
        Map<String, List<Shard>> state = new TreeMap<>();
        from.forEachEntry(
                (step, shards) -> {
                    List<Shard> list = new ArrayList<>();
                    shards.forEach(shard -> list.add(shard(shard)));
                    state.put(step, list);
                });
        return state;
    }

    private static Shard shard(JsonNode from) {
        List<ObjectRef> objects = new ArrayList<>();
        from.required("objects").forEach(ref -> objects.add(Documents.ref(ref)));
        return new Shard(
                from.required("firstVnode").intValue(),
                from.required("endVnode").intValue(),
                objects);
    }

    private static Map<String, Prepared> sinks(JsonNode from) {
        Map<String, Prepared> sinks = new TreeMap<>();
        from.forEachEntry(
                (dataset, sink) -> {
                    List<String> handles = new ArrayList<>();
                    sink.required("handles").forEach(each -> handles.add(each.stringValue()));
                    sinks.put(dataset, new Prepared(sink.required("kind").stringValue(), handles));
                });
        return sinks;
    }
}
