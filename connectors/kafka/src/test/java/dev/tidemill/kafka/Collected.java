package dev.tidemill.kafka;

import dev.tidemill.data.Batch;
import dev.tidemill.spi.SourceOutput;
import dev.tidemill.spi.SourceReader;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** Keeps what a reader emits. */
final class Collected implements SourceOutput {
    final Map<Integer, String> splits = new LinkedHashMap<>();
    final List<Map<String, Object>> rows = new ArrayList<>();
    final List<Map<String, Object>> deadLetters = new ArrayList<>();
    final Set<Integer> caughtUp = new HashSet<>();
    final Set<Integer> finished = new HashSet<>();
    int batches;
    int largestBatch;
    long dropped;
    long misfits;

    @Override
    public void splitAdded(int split, String identity) {
        if (splits.put(split, identity) != null) {
            throw new IllegalStateException("split " + split + " was there already");
        }
    }

    @Override
    public void batch(Batch batch) {
        if (!splits.containsKey(batch.split()) || finished.contains(batch.split())) {
            throw new IllegalStateException("rows of a split that is not open: " + batch.split());
        }
        batches++;
        largestBatch = Math.max(largestBatch, batch.rows());
        for (int i = 0; i < batch.rows(); i++) {
            rows.add(batch.row(i));
        }
    }

    @Override
    public void splitCaughtUp(int split) {
        caughtUp.add(split);
    }

    @Override
    public void splitFinished(int split) {
        if (!finished.add(split)) {
            throw new IllegalStateException("split " + split + " was finished already");
        }
    }

    @Override
    public void badRecords(long count, Batch letters) {
        dropped += count;
        for (int i = 0; letters != null && i < letters.rows(); i++) {
            deadLetters.add(letters.row(i));
        }
    }

    @Override
    public void misfits(long count) {
        misfits += count;
    }

    /** The values of one column, sorted by their text. */
    List<Object> sorted(String column) {
        return rows.stream()
                .map(r -> r.get(column))
                .sorted((a, b) -> String.valueOf(a).compareTo(String.valueOf(b)))
                .toList();
    }

    Collected untilFinished(SourceReader reader) throws Exception {
        long deadline = System.nanoTime() + 20_000_000_000L;
        while (reader.poll(this) != SourceReader.Status.FINISHED) {
            expectBefore(deadline);
        }
        return this;
    }

    Collected until(SourceReader reader, BooleanSupplier done) throws Exception {
        long deadline = System.nanoTime() + 20_000_000_000L;
        while (!done.getAsBoolean()) {
            reader.poll(this);
            expectBefore(deadline);
        }
        return this;
    }

    private void expectBefore(long deadline) {
        if (System.nanoTime() > deadline) {
            throw new AssertionError("not done after 20 s; rows so far: " + rows.size());
        }
    }
}
