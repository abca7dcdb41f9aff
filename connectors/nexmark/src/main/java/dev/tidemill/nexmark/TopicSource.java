package dev.tidemill.nexmark;

import dev.tidemill.data.Schema;
import dev.tidemill.kafka.OwnTopic;
import dev.tidemill.spi.Clock;
import dev.tidemill.spi.ConfigException;
import dev.tidemill.spi.Source;
import dev.tidemill.spi.SourceContext;
import dev.tidemill.spi.SourceOutput;
import dev.tidemill.spi.SourceReader;
import dev.tidemill.spi.SourceRequest;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/** Events that come through a topic: read from its beginning while another thread fills it, if it is not full yet. */
final class TopicSource implements Source {
    private final Source messages;

    /** Null when the topic is full. */
    private final Filling filling;

    private TopicSource(Source messages, Filling filling) {
        this.messages = messages;
        this.filling = filling;
    }

    static Source find(NexmarkOptions options, OwnTopic topic, SourceRequest request, Clock clock)
            throws ConfigException, IOException, InterruptedException {
        TopicFiller filler = new TopicFiller(options, topic, clock);
        boolean needed = filler.isNeeded();
        if (needed && topic.bounded()) {
            filler.fill();
        }
        Source messages = topic.source(request, Events.SCHEMA);
        return needed && !topic.bounded()
                ? new TopicSource(messages, new Filling(filler))
                : messages;
    }

    /** The thread that fills the topic. */
    private static final class Filling {
        private final AtomicReference<Exception> failure = new AtomicReference<>();
        private final Thread thread;
        private boolean started;

        Filling(TopicFiller filler) {
            thread =
                    new Thread(
                            () -> {
                                try {
                                    filler.fill();
                                } catch (InterruptedException e) {
                                    // The run is over.
                                } catch (Exception e) {
                                    failure.set(e);
                                }
                            },
                            "tm-nexmark-fill");
            thread.setDaemon(true);
        }

        synchronized void start() {
            if (!started) {
                started = true;
                thread.start();
            }
        }

        void check() throws Exception {
            Exception error = failure.get();
            if (error != null) {
                throw error;
            }
        }

        void stop() {
            thread.interrupt();
        }
    }

    @Override
    public Schema schema() {
        return messages.schema();
    }

    @Override
    public boolean schemaIsFinal() {
        return messages.schemaIsFinal();
    }

    @Override
    public boolean bounded() {
        return messages.bounded();
    }

    @Override
    public int defaultTasks(int workers) {
        return messages.defaultTasks(workers);
    }

    @Override
    public boolean mayBlock() {
        return messages.mayBlock();
    }

    @Override
    public SourceReader open(int task, int tasks, SourceContext context) throws Exception {
        SourceReader reader = messages.open(task, tasks, context);
        filling.start();
        return new Reader(reader, filling);
    }

    private record Reader(SourceReader messages, Filling filling) implements SourceReader {
        @Override
        public Status poll(SourceOutput out) throws Exception {
            filling.check();
            return messages.poll(out);
        }

        @Override
        public Map<String, String> positions() {
            return messages.positions();
        }

        @Override
        public void committed(Map<String, String> positions) throws Exception {
            messages.committed(positions);
        }

        @Override
        public void wakeup() {
            messages.wakeup();
        }

        @Override
        public void close() throws IOException {
            filling.stop();
            messages.close();
        }
    }
}
