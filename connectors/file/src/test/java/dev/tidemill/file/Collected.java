package dev.tidemill.file;

import dev.tidemill.data.Batch;
import dev.tidemill.spi.SourceOutput;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Remembers what a reader tells, and checks the rules of the contract. */
final class Collected implements SourceOutput {
    final List<Map<String, Object>> rows = new ArrayList<>();
    final List<String> splits = new ArrayList<>();
    final Set<Integer> open = new HashSet<>();
    final List<String> events = new ArrayList<>();
    final List<Batch> letters = new ArrayList<>();
    Batch last;
    int batches;
    int largest;
    long bad;
    long misfits;

    @Override
    public void splitAdded(int split, String identity) {
        if (split != splits.size()) {
            throw new AssertionError("split " + split + " after " + splits.size());
        }
        splits.add(identity);
        open.add(split);
        events.add("+" + split);
    }

    @Override
    public void batch(Batch batch) {
        if (!open.contains(batch.split())) {
            throw new AssertionError("rows of split " + batch.split() + ", open are " + open);
        }
        last = batch;
        batches++;
        largest = Math.max(largest, batch.rows());
        for (int i = 0; i < batch.rows(); i++) {
            Map<String, Object> row = new LinkedHashMap<>(batch.row(i));
            rows.add(row);
        }
    }

    @Override
    public void splitCaughtUp(int split) {}

    @Override
    public void splitFinished(int split) {
        if (!open.remove(split)) {
            throw new AssertionError("split " + split + " finished twice");
        }
        events.add("-" + split);
    }

    @Override
    public void badRecords(long count, Batch deadLetters) {
        bad += count;
        if (deadLetters != null) {
            letters.add(deadLetters);
        }
    }

    @Override
    public void misfits(long count) {
        misfits += count;
    }

    List<Object> values(String column) {
        List<Object> out = new ArrayList<>();
        rows.forEach(row -> out.add(row.get(column)));
        return out;
    }
}
