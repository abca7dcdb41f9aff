package dev.tidemill.kafka;

import dev.tidemill.data.Schema;
import dev.tidemill.formats.BadDataCollector;
import dev.tidemill.formats.BadDataException;
import dev.tidemill.formats.OnBadData;
import dev.tidemill.spi.Clock;
import dev.tidemill.spi.Notices;
import dev.tidemill.spi.SourceContext;
import dev.tidemill.spi.SourceOutput;
import dev.tidemill.spi.SourceReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;

/** Reads one task's partitions with a consumer of its own. */
final class KafkaReader implements SourceReader {
    private static final Duration WAIT = Duration.ofMillis(100);
    private static final Duration CLOSE = Duration.ofSeconds(2);
    private static final Duration ANSWER = Duration.ofSeconds(1);
    private static final long NANOS_PER_MS = 1_000_000;
    private static final long NO_END = Long.MAX_VALUE;

    private final TopicRead read;
    private final int task;
    private final int tasks;
    private final Schema values;
    private final Map<Integer, Long> ends;
    private final Clock clock;
    private final Notices notices;
    private final int batchRows;
    private final long batchWaitNanos;
    private final long refreshNanos;
    private final KafkaConsumer<ByteBuffer, ByteBuffer> consumer;
    private final Commits commits;
    private final BadDataCollector bad;
    private final Semaphore wake = new Semaphore(0);

    /** By partition's number; null where another task reads. */
    private final Map<TopicPartition, Split> splits = new HashMap<>();

    private int partitions;
    private int unfinished;
    private boolean announced;
    private boolean positioned;
    private long nextRefresh;
    private long lastHeard;
    private boolean silent;
    private boolean topicMissed;
    private boolean tombstonesTold;

    /** Positions of the epoch to go on from, by split. */
    private final Map<String, String> restored;

    /** One partition that this task reads. */
    private static final class Split {
        final TopicPartition partition;
        final int number;
        final long end;
        final PartitionRows rows;
        boolean finished;

        Split(TopicPartition partition, int number, long end, PartitionRows rows) {
            this.partition = partition;
            this.number = number;
            this.end = end;
            this.rows = rows;
        }

        String identity() {
            return partition.toString();
        }
    }

    KafkaReader(
            TopicRead read,
            int partitions,
            Schema values,
            Map<Integer, Long> ends,
            int task,
            int tasks,
            SourceContext context) {
        this.read = read;
        this.partitions = partitions;
        this.values = values;
        this.ends = ends;
        this.task = task;
        this.tasks = tasks;
        clock = context.clock();
        notices = context.notices();
        batchRows = read.settings().pollRows(context.batchRows());
        batchWaitNanos = read.settings().batchWaitMs() * NANOS_PER_MS;
        refreshNanos = read.refreshMs() * NANOS_PER_MS;
        bad =
                new BadDataCollector(
                        read.request().dataset(),
                        read.format().onBadData() == OnBadData.DEAD_LETTER);
        consumer = read.consumer(String.valueOf(task));
        commits = new Commits(consumer, read, notices);
        restored = context.restored().orElse(Map.of());
    }

    @Override
    public Status poll(SourceOutput out) throws Exception {
        try {
            if (!announced) {
                announced = true;
                IntStream.range(0, partitions)
                        .filter(p -> p % tasks == task)
                        .forEach(p -> add(p, out));
            }
            if (!positioned) {
                seekToStart(out);
                positioned = true;
            }
            return step(out);
        } catch (WakeupException e) {
            return Status.IDLE;
        } catch (OffsetOutOfRangeException e) {
            goOnWhereMessagesAre(e.offsetOutOfRangePartitions());
            return Status.PROGRESS;
        } catch (KafkaException e) {
            throw KafkaSource.failure(read, e);
        }
    }

    private Split add(int partition, SourceOutput out) {
        TopicPartition name = new TopicPartition(read.topic(), partition);
        Split split =
                new Split(
                        name,
                        splits.size(),
                        ends.getOrDefault(partition, NO_END),
                        new PartitionRows(read.decoder(values, bad), read.columns(), partition));
        splits.put(name, split);
        unfinished++;
        out.splitAdded(split.number, split.identity());
        return split;
    }

    // ---- where to start ----

    private void seekToStart(SourceOutput out) {
        Set<TopicPartition> own = splits.keySet();
        consumer.assign(own);
        Map<TopicPartition, Long> starts = startOffsets(own);
        starts.forEach(consumer::seek);
        for (Split split : splits.values()) {
            finishAt(split, starts.get(split.partition), out);
        }
        lastHeard = clock.nanos();
        nextRefresh = lastHeard + refreshNanos;
        commits.start(clock.nanos(), starts);
    }

    private Map<TopicPartition, Long> startOffsets(Set<TopicPartition> own) {
        Map<TopicPartition, Long> starts = new HashMap<>();
        boolean groupKnowsTopic = !restored.isEmpty();
        for (TopicPartition partition : own) {
            String position = restored.get(partition.toString());
            if (position != null) {
                starts.put(partition, Long.valueOf(position));
            }
        }
        if (read.group().isPresent() && !own.isEmpty()) {
            Set<TopicPartition> all = new HashSet<>();
            IntStream.range(0, partitions)
                    .forEach(p -> all.add(new TopicPartition(read.topic(), p)));
            for (Map.Entry<TopicPartition, OffsetAndMetadata> committed :
                    consumer.committed(all).entrySet()) {
                if (committed.getValue() != null) {
                    groupKnowsTopic = true;
                    if (own.contains(committed.getKey())) {
                        starts.putIfAbsent(committed.getKey(), committed.getValue().offset());
                    }
                }
            }
        }
        List<TopicPartition> left = new ArrayList<>(own);
        left.removeAll(starts.keySet());
        if (left.isEmpty()) {
            return starts;
        }
        // A partition that came while the pipeline was down has no position though the others have:
        // all in it is new.
        boolean earliest = read.fromEarliest() || groupKnowsTopic;
        starts.putAll(earliest ? consumer.beginningOffsets(left) : consumer.endOffsets(left));
        return starts;
    }

    private void goOnWhereMessagesAre(Map<TopicPartition, Long> positions) {
        Map<TopicPartition, Long> begins = consumer.beginningOffsets(positions.keySet());
        positions.forEach(
                (partition, position) -> {
                    long begin = begins.get(partition);
                    notices.warn(
                            position < begin
                                    ? "messages "
                                            + position
                                            + " to "
                                            + (begin - 1)
                                            + " of "
                                            + partition
                                            + " are gone from the broker before they were read: reading goes on at "
                                            + begin
                                    : "the broker has no message "
                                            + position
                                            + " in "
                                            + partition
                                            + ", the topic was cut or made anew: reading goes on at its first message, "
                                            + begin);
                    consumer.seek(partition, begin);
                });
    }

    // ---- reading ----

    private Status step(SourceOutput out) throws Exception {
        if (unfinished == 0 && read.bounded()) {
            return Status.FINISHED;
        }
        boolean progress = !splits.isEmpty() && readSome(out);
        if (splits.isEmpty()) {
            wake.tryAcquire(WAIT.toMillis(), TimeUnit.MILLISECONDS);
            wake.drainPermits();
        }
        long now = clock.nanos();
        if (progress) {
            heard(now);
        }
        if (!read.bounded() && now - nextRefresh >= 0) {
            nextRefresh = now + refreshNanos;
            refresh(out);
        }
        commits.tick(now, this::offsets);
        return progress ? Status.PROGRESS : Status.IDLE;
    }

    private boolean readSome(SourceOutput out) throws Exception {
        ConsumerRecords<ByteBuffer, ByteBuffer> messages = consumer.poll(WAIT);
        take(messages, out);
        boolean some = !messages.isEmpty();
        if (some && batchWaitNanos > 0) {
            readMore(messages.count(), out);
        }
        for (Split split : splits.values()) {
            emit(split, out);
            if (!split.finished) {
                mark(split, messages, out);
            }
        }
        return some || unfinished == 0;
    }

    private void readMore(int soFar, SourceOutput out) throws Exception {
        long deadline = clock.nanos() + batchWaitNanos;
        int rows = soFar;
        long left = batchWaitNanos;
        while (left > 0 && rows < batchRows) {
            ConsumerRecords<ByteBuffer, ByteBuffer> more;
            try {
                more = consumer.poll(Duration.ofNanos(left));
            } catch (WakeupException e) {
                return;
            }
            take(more, out);
            rows += more.count();
            left = deadline - clock.nanos();
        }
    }

    private void take(ConsumerRecords<ByteBuffer, ByteBuffer> messages, SourceOutput out)
            throws BadDataException {
        long tombstones = 0;
        for (TopicPartition partition : messages.partitions()) {
            Split split = splits.get(partition);
            bad.split(split.identity());
            try {
                tombstones += take(split, messages.records(partition), out);
            } catch (BadDataException e) {
                throw bad.withPlace(e);
            }
        }
        bad.flush(out);
        if (tombstones > 0) {
            dropTombstones(tombstones, out);
        }
    }

    private long take(
            Split split, List<ConsumerRecord<ByteBuffer, ByteBuffer>> messages, SourceOutput out)
            throws BadDataException {
        long tombstones = 0;
        for (ConsumerRecord<ByteBuffer, ByteBuffer> message : messages) {
            if (message.offset() >= split.end) {
                break;
            }
            if (message.value() == null) {
                tombstones++;
                continue;
            }
            split.rows.add(message);
            if (split.rows.rows() >= batchRows) {
                emit(split, out);
            }
        }
        return tombstones;
    }

    private static void emit(Split split, SourceOutput out) {
        if (split.rows.rows() > 0) {
            out.batch(split.rows.take().withSplit(split.number));
        }
    }

    private void dropTombstones(long count, SourceOutput out) {
        out.badRecords(count, null);
        if (!tombstonesTold) {
            tombstonesTold = true;
            notices.info(
                    "dataset "
                            + read.request().dataset()
                            + ": messages without a value (tombstones) are passed over and counted as dropped");
        }
    }

    /** Says when a partition is at its end, for now or for good. The position also passes what gives no message: markers and aborted transactions. */
    private void mark(
            Split split, ConsumerRecords<ByteBuffer, ByteBuffer> messages, SourceOutput out) {
        if (split.end != NO_END) {
            finishAt(split, consumer.position(split.partition), out);
        } else if (messages.records(split.partition).isEmpty()
                && consumer.currentLag(split.partition).orElse(-1) == 0) {
            out.splitCaughtUp(split.number);
        }
    }

    private void finishAt(Split split, long position, SourceOutput out) {
        if (position < split.end || split.finished) {
            return;
        }
        split.finished = true;
        unfinished--;
        consumer.pause(List.of(split.partition));
        out.splitFinished(split.number);
    }

    // ---- what changes at the broker ----

    private void refresh(SourceOutput out) throws IOException {
        try {
            int found = consumer.partitionsFor(read.topic(), ANSWER).size();
            if (found == 0) {
                missed();
                return;
            }
            topicMissed = false;
            if (found > partitions) {
                addNew(found, out);
            }
            if (clock.nanos() - lastHeard > refreshNanos && !splits.isEmpty()) {
                // What the client knows by heart says nothing of the broker's health.
                consumer.endOffsets(splits.keySet(), ANSWER);
            }
            heard(clock.nanos());
        } catch (TimeoutException e) {
            silent = true;
            notices.warn(
                    "no answer from the Kafka broker at "
                            + read.cluster().brokers()
                            + " for "
                            + TopicLookup.seconds((clock.nanos() - lastHeard) / NANOS_PER_MS)
                            + ", trying on (topic "
                            + read.topic()
                            + ")");
        }
    }

    private void heard(long now) {
        lastHeard = now;
        if (silent) {
            silent = false;
            notices.info("the Kafka broker at " + read.cluster().brokers() + " answers again");
        }
    }

    /** A topic may be unknown for a moment while brokers change; twice in a row it is gone. */
    private void missed() throws IOException {
        if (topicMissed) {
            throw new IOException(
                    "dataset "
                            + read.request().dataset()
                            + ": the topic "
                            + read.topic()
                            + " no longer exists at "
                            + read.cluster().brokers());
        }
        topicMissed = true;
    }

    private void addNew(int found, SourceOutput out) {
        List<Split> added = new ArrayList<>();
        for (int p = partitions; p < found; p++) {
            if (p % tasks == task) {
                added.add(add(p, out));
            }
        }
        if (task == 0) {
            notices.info(
                    "topic "
                            + read.topic()
                            + " has "
                            + found
                            + " partitions now, "
                            + partitions
                            + " before");
        }
        partitions = found;
        if (added.isEmpty()) {
            return;
        }
        consumer.assign(splits.keySet());
        added.forEach(split -> consumer.seek(split.partition, 0));
    }

    private Map<TopicPartition, Long> offsets() {
        Map<TopicPartition, Long> offsets = new HashMap<>();
        splits.keySet().forEach(p -> offsets.put(p, consumer.position(p)));
        return offsets;
    }

    /** The offset of the next message of each partition; of those that were restored until they have been looked up. */
    @Override
    public Map<String, String> positions() {
        Map<String, String> positions = new HashMap<>();
        for (Split split : splits.values()) {
            if (positioned) {
                positions.put(split.identity(), String.valueOf(consumer.position(split.partition)));
            } else if (restored.containsKey(split.identity())) {
                positions.put(split.identity(), restored.get(split.identity()));
            }
        }
        return positions;
    }

    @Override
    public void committed(Map<String, String> positions) throws IOException {
        Map<TopicPartition, Long> own = new HashMap<>();
        for (Split split : splits.values()) {
            String position = positions.get(split.identity());
            if (position != null) {
                own.put(split.partition, Long.valueOf(position));
            }
        }
        try {
            commits.now(own);
        } catch (KafkaException e) {
            throw KafkaSource.failure(read, e);
        }
    }

    @Override
    public void wakeup() {
        consumer.wakeup();
        wake.release();
    }

    @Override
    public void close() throws IOException {
        try {
            consumer.close(CloseOptions.timeout(CLOSE));
        } catch (WakeupException e) {
            // It closed all the same.
        } catch (KafkaException e) {
            throw KafkaSource.failure(read, e);
        }
    }
}
