package dev.tidemill.nexmark;

import dev.tidemill.formats.EncodedRows;
import dev.tidemill.formats.JsonEncoder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Writes events as JSON lines, one object an event with the fields of its own kind only. Stateless and thread-safe. */
public final class EventLines {
    private static final int EVENTS_PER_CHUNK = 32_768;

    private EventLines() {}

    /**
     * Writes the events {@code 0 .. events - 1} in order to a new file, encoded by several threads.
     *
     * @return the bytes written
     */
    public static long write(Path file, long seed, long stepMs, long events, int threads)
            throws IOException, InterruptedException {
        long bytes = 0;
        try (ExecutorService encoders = Executors.newFixedThreadPool(threads);
                FileChannel channel =
                        FileChannel.open(
                                file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            ArrayDeque<Future<EncodedRows>> chunks = new ArrayDeque<>();
            long next = 0;
            while (next < events || !chunks.isEmpty()) {
                while (next < events && chunks.size() < 2 * threads) {
                    chunks.add(
                            encoders.submit(
                                    chunk(
                                            seed,
                                            stepMs,
                                            next,
                                            Math.min(events, next + EVENTS_PER_CHUNK))));
                    next += EVENTS_PER_CHUNK;
                }
                bytes += write(channel, result(chunks.remove()));
            }
        }
        return bytes;
    }

    private static Callable<EncodedRows> chunk(long seed, long stepMs, long from, long to) {
        return () -> {
            EncodedRows rows = new EncodedRows();
            new JsonEncoder(true)
                    .encode(
                            EventGenerator.ofAllColumns(seed, stepMs)
                                    .generate(from, 1, (int) (to - from)),
                            rows);
            return rows;
        };
    }

    private static EncodedRows result(Future<EncodedRows> chunk)
            throws IOException, InterruptedException {
        try {
            return chunk.get();
        } catch (ExecutionException e) {
            throw new IOException("the events could not be encoded", e.getCause());
        }
    }

    private static int write(FileChannel channel, EncodedRows rows) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(rows.data(), 0, rows.size());
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
        return rows.size();
    }
}
