package dev.tidemill.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemill.data.Schema;
import dev.tidemill.runtime.Dataflow;
import dev.tidemill.runtime.Job;
import dev.tidemill.runtime.RuntimeOptions;
import dev.tidemill.spi.Sink;
import dev.tidemill.spi.Source;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Reading and writing together in a job, across stops and failures. */
class TopicToTopicTest {
    private static Job start(Fixture in, Sink out) throws Exception {
        Source source = in.withKeys().source();
        Dataflow dataflow =
                new Dataflow(
                        "test",
                        List.of(
                                new Dataflow.Vertex(
                                        "in",
                                        2,
                                        new Dataflow.Head.Read("in", source, List.of()),
                                        List.of(
                                                new Dataflow.Link.Send(
                                                        "out", 0, new Dataflow.Route.Forward()))),
                                new Dataflow.Vertex(
                                        "out", 2, new Dataflow.Head.Write("out", out), List.of())),
                        16);
        return Job.start(dataflow, RuntimeOptions.defaults().withWorkers(1));
    }

    private static Sink sink(Fixture fixture) throws Exception {
        return new KafkaConnector().sink("out", fixture.options(), fixture.context());
    }

    private static void fill(String topic, int from, int to) {
        try (TestCluster.Producer producer = TestCluster.producer()) {
            for (int i = from; i < to; i++) {
                producer.send(topic, i % 3, "k" + i, "{\"n\":" + i + "}");
            }
        }
    }

    private static List<Object> numbers(String topic) throws Exception {
        return Fixture.topic(topic).untilLatest().withKeys().all().rows.stream()
                .map(
                        r -> {
                            assertThat(r.get(Schema.KEY)).isEqualTo("k" + r.get("n"));
                            return r.get("n");
                        })
                .sorted()
                .toList();
    }

    private static void await(String topic, int rows) throws Exception {
        long deadline = System.nanoTime() + 20_000_000_000L;
        while (numbers(topic).size() < rows) {
            assertThat(System.nanoTime()).as("rows in " + topic).isLessThan(deadline);
        }
    }

    private static List<Object> upTo(int count) {
        return LongStream.range(0, count).<Object>mapToObj(n -> n).toList();
    }

    @Test
    void anOrderedStopAndARestartGiveEachRowOnce() throws Exception {
        String from = TestCluster.topic(3);
        String to = TestCluster.topic(2);
        Fixture in = Fixture.topic(from).with("offsetReset", "earliest").pipeline("p-" + from);
        fill(from, 0, 1000);
        Job first = start(in, sink(Fixture.topic(to)));
        await(to, 1000);
        fill(from, 1000, 1500);
        first.stop();
        assertThat(first.await(Duration.ofSeconds(20)).orElseThrow())
                .isInstanceOf(Job.Outcome.Stopped.class);
        fill(from, 1500, 2000);
        Job second = start(in, sink(Fixture.topic(to)));
        await(to, 2000);
        second.stop();
        assertThat(second.await(Duration.ofSeconds(20)).orElseThrow())
                .isInstanceOf(Job.Outcome.Stopped.class);
        assertThat(numbers(to)).isEqualTo(upTo(2000));
    }

    @Test
    void aFailureOfTheSinkLosesNothing() throws Exception {
        String from = TestCluster.topic(3);
        String to = TestCluster.topic(1);
        Fixture in = Fixture.topic(from).with("offsetReset", "earliest").pipeline("p-" + from);
        fill(from, 0, 100);
        Job failing =
                start(
                        in,
                        sink(
                                Fixture.topic(to)
                                        .with("properties", Map.of("max.request.size", "1"))));
        assertThat(failing.await(Duration.ofSeconds(20)).orElseThrow())
                .isInstanceOf(Job.Outcome.Failed.class);
        Job working = start(in, sink(Fixture.topic(to)));
        await(to, 100);
        working.stop();
        working.await(Duration.ofSeconds(20));
        assertThat(numbers(to)).isEqualTo(upTo(100));
    }
}
