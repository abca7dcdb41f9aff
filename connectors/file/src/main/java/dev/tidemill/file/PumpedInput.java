package dev.tidemill.file;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Arrays;

/**
 * A stream whose reads block and cannot be interrupted, such as standard input, read by a thread of its own into a bounded queue, so that a
 * reader waits no longer than it
 * wants. It can keep what it gives, to give it again.
 */
final class PumpedInput implements ByteInput {
    private static final int CHUNK = 1 << 16;
    private static final int MAX_CHUNKS = 16;

    private final long waitMs;
    private final ArrayDeque<byte[]> chunks = new ArrayDeque<>();
    private boolean ended;
    private IOException failure;
    private boolean woken;

    private byte[] current = new byte[0];
    private int position;
    private byte[] kept = new byte[0];
    private boolean keeping;

    /** @param waitMs the longest wait of a read */
    PumpedInput(InputStream in, long waitMs) {
        this.waitMs = waitMs;
        Thread.ofPlatform().daemon().name("tidemill-stdin").start(() -> pump(in));
    }

    private void pump(InputStream in) {
        try {
            byte[] buffer = new byte[CHUNK];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                put(Arrays.copyOf(buffer, read));
            }
            end(null);
        } catch (IOException e) {
            end(e);
        } catch (InterruptedException e) {
            end(new IOException("interrupted", e));
        }
    }

    private synchronized void put(byte[] chunk) throws InterruptedException {
        while (chunks.size() >= MAX_CHUNKS) {
            wait();
        }
        chunks.add(chunk);
        notifyAll();
    }

    private synchronized void end(IOException error) {
        ended = true;
        failure = error;
        notifyAll();
    }

    /** From now on what is read is kept, until {@link #rewind}. */
    void keep() {
        keeping = true;
    }

    /** Gives what was kept once more, then goes on. */
    void rewind() {
        byte[] rest = Arrays.copyOfRange(current, position, current.length);
        current = Arrays.copyOf(kept, kept.length + rest.length);
        System.arraycopy(rest, 0, current, kept.length, rest.length);
        position = 0;
        kept = new byte[0];
        keeping = false;
    }

    @Override
    public int read(byte[] target, int at, int length) throws IOException {
        if (position == current.length) {
            byte[] next = next();
            if (next == null) {
                return isEnded() ? -1 : 0;
            }
            current = next;
            position = 0;
        }
        int taken = Math.min(length, current.length - position);
        System.arraycopy(current, position, target, at, taken);
        position += taken;
        if (keeping) {
            int size = kept.length;
            kept = Arrays.copyOf(kept, size + taken);
            System.arraycopy(target, at, kept, size, taken);
        }
        return taken;
    }

    private synchronized byte[] next() throws IOException {
        long deadline = System.nanoTime() + waitMs * 1_000_000;
        while (chunks.isEmpty() && !ended && !woken) {
            long left = (deadline - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                return null;
            }
            try {
                wait(left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return null;
            }
        }
        woken = false;
        notifyAll();
        return chunks.poll();
    }

    private synchronized boolean isEnded() throws IOException {
        if (failure != null) {
            throw failure;
        }
        return ended && chunks.isEmpty();
    }

    synchronized void wakeup() {
        woken = true;
        notifyAll();
    }

    /** The stream itself stays open: it is the process's. */
    @Override
    public void close() {}
}
