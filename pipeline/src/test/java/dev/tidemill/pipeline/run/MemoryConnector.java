package dev.tidemill.pipeline.run;

import dev.tidemill.data.Batch;
import dev.tidemill.data.Column;
import dev.tidemill.data.ColumnBuilder;
import dev.tidemill.data.DataType;
import dev.tidemill.data.Field;
import dev.tidemill.data.Schema;
import dev.tidemill.describe.Description;
import dev.tidemill.describe.Option;
import dev.tidemill.describe.OptionType;
import dev.tidemill.spi.Connector;
import dev.tidemill.spi.OptionValues;
import dev.tidemill.spi.PipelineContext;
import dev.tidemill.spi.Sink;
import dev.tidemill.spi.SinkContext;
import dev.tidemill.spi.SinkWriter;
import dev.tidemill.spi.Source;
import dev.tidemill.spi.SourceContext;
import dev.tidemill.spi.SourceOutput;
import dev.tidemill.spi.SourceReader;
import dev.tidemill.spi.SourceRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Rows from and to lists of the test, by {@code list = "name"}: a source has scripted splits, a sink collects. */
public final class MemoryConnector implements Connector {
    /** What a split does, in order. */
    sealed interface Event {
        /** Rows of the columns {@code t, k, v}. */
        record Rows(int split, long[] times) implements Event {}

        record CaughtUp(int split) implements Event {}

        record Finished(int split) implements Event {}

        /** As an outside that is away for a while: so many readers fail here. */
        record Failure(AtomicInteger times) implements Event {}

        /** Nothing comes until the test stops or goes on. */
        record Silence() implements Event {}
    }

    record Script(int splits, List<Event> events) {}

    static final Map<String, Script> SCRIPTS = new ConcurrentHashMap<>();
    static final Map<String, List<Map<String, Object>>> ROWS = new ConcurrentHashMap<>();

    private static final List<Option> OPTIONS =
            List.of(Option.of("list", OptionType.STRING, "The list.").withDefault("out"));

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public Optional<Description> sourceDescription() {
        return Optional.of(
                new Description("connector", "memory", "Scripted rows.", "", OPTIONS, null));
    }

    @Override
    public Optional<Description> sinkDescription() {
        return Optional.of(
                new Description("connector", "memory", "Collected rows.", "", OPTIONS, null));
    }

    @Override
    public Source source(SourceRequest request, OptionValues options, PipelineContext context) {
        Script script = SCRIPTS.get(options.requireString("list"));
        return new Source() {
            @Override
            public Schema schema() {
                return SCHEMA;
            }

            @Override
            public boolean schemaIsFinal() {
                return true;
            }

            @Override
            public boolean bounded() {
                return true;
            }

            @Override
            public int defaultTasks(int workers) {
                return 1;
            }

            @Override
            public int maxTasks() {
                return 1;
            }

            @Override
            public boolean mayBlock() {
                return false;
            }

            @Override
            public SourceReader open(int task, int tasks, SourceContext source) {
                return new Reader(script, source.restored().orElse(Map.of()));
            }
        };
    }

    static final Schema SCHEMA =
            Schema.of(
                    new Field("t", DataType.INT64),
                    new Field("k", DataType.UTF8),
                    new Field("v", DataType.INT64));

    private static final class Reader implements SourceReader {
        private final Script script;
        private int next;
        private boolean announced;

        Reader(Script script, Map<String, String> restored) {
            this.script = script;
            next = Integer.parseInt(restored.getOrDefault("script", "0"));
        }

        @Override
        public Map<String, String> positions() {
            return Map.of("script", Integer.toString(next));
        }

        @Override
        public Status poll(SourceOutput out) throws IOException {
            if (!announced) {
                announced = true;
                for (int split = 0; split < script.splits(); split++) {
                    out.splitAdded(split, "split-" + split);
                }
                for (Event event : script.events().subList(0, next)) {
                    if (event instanceof Event.Finished(int split)) {
                        out.splitFinished(split);
                    }
                }
                return Status.PROGRESS;
            }
            if (next == script.events().size()) {
                return Status.FINISHED;
            }
            return emit(out, script.events().get(next));
        }

        private Status emit(SourceOutput out, Event event) throws IOException {
            switch (event) {
                case Event.Rows(int split, long[] times) -> out.batch(rows(times).withSplit(split));
                case Event.CaughtUp(int split) -> out.splitCaughtUp(split);
                case Event.Finished(int split) -> out.splitFinished(split);
                case Event.Failure(AtomicInteger times) -> {
                    if (times.getAndDecrement() > 0) {
                        throw new IOException("the outside is away");
                    }
                }
                case Event.Silence _ -> {
                    return Status.IDLE;
                }
            }
            next++;
            return Status.PROGRESS;
        }

        private static Batch rows(long[] times) {
            ColumnBuilder t = ColumnBuilder.of(DataType.INT64);
            ColumnBuilder k = ColumnBuilder.of(DataType.UTF8);
            ColumnBuilder v = ColumnBuilder.of(DataType.INT64);
            for (long time : times) {
                t.append(time);
                k.append("k");
                v.append(1L);
            }
            return Batch.of(SCHEMA, new Column[] {t.build(), k.build(), v.build()}, times.length);
        }

        @Override
        public void close() {}
    }

    @Override
    public Sink sink(String dataset, OptionValues options, PipelineContext context) {
        String list = options.requireString("list");
        if (list.startsWith("staged-")) {
            return new StagedSink(list);
        }
        return new Sink() {
            @Override
            public boolean wantsRowKeys() {
                return true;
            }

            @Override
            public boolean mayBlock() {
                return false;
            }

            @Override
            public SinkWriter open(int task, int tasks, SinkContext sink) {
                return new Writer(list);
            }
        };
    }

    /** Rows that a writer prepared, by handle. */
    static final Map<String, List<Map<String, Object>>> PREPARED = new ConcurrentHashMap<>();

    private static final AtomicLong HANDLES = new AtomicLong();

    /** Publishes at commit: what was written and never prepared is gone. */
    private static final class StagedSink implements Sink {
        private final String list;

        StagedSink(String list) {
            this.list = list;
        }

        @Override
        public boolean wantsRowKeys() {
            return true;
        }

        @Override
        public boolean mayBlock() {
            return false;
        }

        @Override
        public void commit(List<String> handles) {
            for (String handle : handles) {
                List<Map<String, Object>> rows = PREPARED.remove(handle);
                if (rows != null) {
                    ROWS.computeIfAbsent(list, _ -> new ArrayList<>()).addAll(rows);
                }
            }
        }

        @Override
        public SinkWriter open(int task, int tasks, SinkContext sink) {
            List<Map<String, Object>> rows = new ArrayList<>();
            return new SinkWriter() {
                @Override
                public void write(Batch batch) {
                    for (int i = 0; i < batch.rows(); i++) {
                        rows.add(batch.row(i));
                    }
                }

                @Override
                public void flush() {}

                @Override
                public String prepare(boolean last) {
                    if (rows.isEmpty()) {
                        return null;
                    }
                    String handle = list + "-" + HANDLES.incrementAndGet();
                    PREPARED.put(handle, List.copyOf(rows));
                    rows.clear();
                    return handle;
                }

                @Override
                public void close() {}
            };
        }
    }

    private record Writer(String list) implements SinkWriter {
        @Override
        public void write(Batch batch) {
            List<Map<String, Object>> rows = new ArrayList<>();
            for (int i = 0; i < batch.rows(); i++) {
                rows.add(batch.row(i));
            }
            ROWS.computeIfAbsent(
                            list, _ -> java.util.Collections.synchronizedList(new ArrayList<>()))
                    .addAll(rows);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
