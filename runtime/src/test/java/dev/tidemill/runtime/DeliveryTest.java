package dev.tidemill.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemill.data.Batch;
import dev.tidemill.data.DataType;
import dev.tidemill.data.Field;
import dev.tidemill.data.LongColumn;
import dev.tidemill.data.Schema;
import dev.tidemill.spi.Sink;
import dev.tidemill.spi.SinkContext;
import dev.tidemill.spi.SinkWriter;
import dev.tidemill.spi.Source;
import dev.tidemill.spi.SourceContext;
import dev.tidemill.spi.SourceOutput;
import dev.tidemill.spi.SourceReader;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sources hear that their rows stand only when that is so. */
class DeliveryTest {
    private static final Schema SCHEMA = Schema.of(new Field("n", DataType.INT64));

    private final List<String> events = new CopyOnWriteArrayList<>();
    private final AtomicInteger written = new AtomicInteger();

    private final class Numbers implements Source {
        private final boolean blocks;
        private final boolean ends;

        Numbers(boolean blocks, boolean ends) {
            this.blocks = blocks;
            this.ends = ends;
        }

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
            return ends;
        }

        @Override
        public int defaultTasks(int workers) {
            return 2;
        }

        @Override
        public boolean mayBlock() {
            return blocks;
        }

        @Override
        public SourceReader open(int task, int tasks, SourceContext context) {
            return new SourceReader() {
                private int batches;

                @Override
                public Status poll(SourceOutput out) {
                    if (batches == 0) {
                        out.splitAdded(0, "numbers-" + task);
                    }
                    if (batches < 3 + 20 * task) {
                        batches++;
                        out.batch(Batch.of(SCHEMA, LongColumn.of(1, 2, 3)).withSplit(0));
                        return Status.PROGRESS;
                    }
                    return ends ? Status.FINISHED : Status.IDLE;
                }

                @Override
                public void committed(Map<String, String> positions) {
                    events.add("delivered");
                }

                @Override
                public Map<String, String> positions() {
                    return Map.of("numbers-" + task, String.valueOf(batches));
                }

                @Override
                public void close() {
                    events.add("closed");
                }
            };
        }
    }

    private final class Slow implements Sink {
        private final boolean fails;

        Slow(boolean fails) {
            this.fails = fails;
        }

        @Override
        public boolean mayBlock() {
            return true;
        }

        @Override
        public SinkWriter open(int task, int tasks, SinkContext context) {
            return new SinkWriter() {
                @Override
                public void write(Batch batch) throws InterruptedException {
                    Thread.sleep(1);
                    written.addAndGet(batch.rows());
                }

                @Override
                public void flush() {}

                @Override
                public String prepare(boolean last) throws IOException, InterruptedException {
                    Thread.sleep(50);
                    if (fails) {
                        throw new IOException("disk full");
                    }
                    events.add("finished");
                    return null;
                }

                @Override
                public void close() {}
            };
        }
    }

    private Job.Outcome run(boolean blocks, boolean ends, boolean fails) throws Exception {
        Dataflow dataflow =
                new Dataflow(
                        "test",
                        List.of(
                                new Dataflow.Vertex(
                                        "in",
                                        2,
                                        new Dataflow.Head.Read(
                                                "in", new Numbers(blocks, ends), List.of()),
                                        List.of(
                                                new Dataflow.Link.Send(
                                                        "out", 0, new Dataflow.Route.Forward()))),
                                new Dataflow.Vertex(
                                        "out",
                                        2,
                                        new Dataflow.Head.Write("out", new Slow(fails)),
                                        List.of())),
                        16);
        Job job = Job.start(dataflow, RuntimeOptions.defaults().withWorkers(1));
        if (!ends) {
            Thread.sleep(50);
            job.stop();
        }
        return job.await(Duration.ofSeconds(20)).orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    void afterTheLastSinkHasFinished(boolean blocks, boolean ends) throws Exception {
        assertThat(run(blocks, ends, false))
                .isInstanceOf(ends ? Job.Outcome.Drained.class : Job.Outcome.Stopped.class);
        assertThat(events.subList(0, 2)).containsOnly("finished");
        if (ends) {
            assertThat(written).hasValue(3 * (3 + 23));
        }
        assertThat(events.subList(2, events.size()))
                .containsExactlyInAnyOrder("delivered", "delivered", "closed", "closed");
    }

    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    void neverWhenTheRunFailed(boolean blocks, boolean ends) throws Exception {
        assertThat(run(blocks, ends, true)).isInstanceOf(Job.Outcome.Failed.class);
        assertThat(events).containsOnly("closed").hasSize(2);
    }
}
