package dev.tidemill.runtime;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A bounded queue from one task to another: single producer, single consumer, without locks (the two-index ring of Lamport, 1983). Bounded in elements,
 * rows and bytes; a batch larger than a bound passes when the queue is empty.
 */
final class Edge {
    private static final int SLOTS = 256;

    private final AtomicReferenceArray<Element> ring = new AtomicReferenceArray<>(SLOTS);
    private final long maxRows;
    private final long maxBytes;

    // Written by the producer only.
    private long tail;
    private long sentRows;
    private long sentBytes;
    // Written by the consumer only; read by the producer.
    private long head;
    private volatile long takenRows;
    private volatile long takenBytes;

    private volatile Wakeup consumer;
    private volatile Wakeup producer;

    Edge(long maxRows, long maxBytes) {
        this.maxRows = maxRows;
        this.maxBytes = maxBytes;
    }

    void wakes(Wakeup whoSends, Wakeup whoTakes) {
        producer = whoSends;
        consumer = whoTakes;
    }

    /** Producer: appends, or returns false when there is no room. */
    boolean offer(Element element) {
        int slot = (int) tail & SLOTS - 1;
        if (ring.getOpaque(slot) != null) {
            return false;
        }
        if (element instanceof Element.Rows(var batch)) {
            long bytes = batch.sizeInBytes();
            long rowsInside = sentRows - takenRows;
            long bytesInside = sentBytes - takenBytes;
            if (rowsInside > 0
                    && (rowsInside + batch.rows() > maxRows || bytesInside + bytes > maxBytes)) {
                return false;
            }
            sentRows += batch.rows();
            sentBytes += bytes;
        }
        ring.setRelease(slot, element);
        tail++;
        Wakeup wakeup = consumer;
        if (wakeup != null) {
            wakeup.signal();
        }
        return true;
    }

    /** Consumer: whether {@link #poll} would return something. */
    boolean hasNext() {
        return ring.getAcquire((int) head & SLOTS - 1) != null;
    }

    /** Consumer: the oldest element, or null. */
    Element poll() {
        int slot = (int) head & SLOTS - 1;
        Element element = ring.getAcquire(slot);
        if (element == null) {
            return null;
        }
        head++;
        ring.setRelease(slot, null);
        if (element instanceof Element.Rows(var batch)) {
            takenRows += batch.rows();
            takenBytes += batch.sizeInBytes();
        }
        Wakeup wakeup = producer;
        if (wakeup != null) {
            wakeup.signal();
        }
        return element;
    }

    /** Rows that wait, as seen from anywhere; for metrics. */
    long waitingRows() {
        return Math.max(0, sentRows - takenRows);
    }
}
