package dev.tidemill.testkit;

import dev.tidemill.data.Batch;
import dev.tidemill.data.BatchCodec;
import dev.tidemill.operators.Operator;
import dev.tidemill.operators.StateImage;
import dev.tidemill.operators.StateInput;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;
import java.util.function.Supplier;

/**
 * Restarts an operator again and again. A few restarts in a row leave the operator alive and only lengthen its chain of images; then comes a new one,
 * restored from the chain by way of shards that each own some of the keys.
 */
final class Restarts {
    private static final int LONGEST_CHAIN = 3;

    private final Supplier<Operator> operator;
    private final List<StateImage> chain = new ArrayList<>();
    private final int every;
    private int events;
    private int restarts;

    /** @param every after how many events one that counts comes */
    Restarts(Supplier<Operator> operator, int every) {
        this.operator = operator;
        this.every = every;
    }

    /** Whether to restart after this event. */
    boolean isDue() {
        return events++ % every == 0;
    }

    /** The operator to go on with: this one, or one restored from its images. The one given is drained. */
    Operator restarted(Operator running) {
        chain.addFirst(image(running, chain.isEmpty()));
        if (chain.size() < LONGEST_CHAIN) {
            return running;
        }
        int shards = 1 + restarts++ % 3;
        List<List<StateImage>> chains = new ArrayList<>();
        for (int shard = 0; shard < shards; shard++) {
            int own = shard;
            Operator one =
                    restored(List.of(chain), hash -> Math.floorMod(hash >>> 7, shards) == own);
            chains.add(List.of(image(one, true)));
        }
        chain.clear();
        return restored(chains, _ -> true);
    }

    private Operator restored(List<List<StateImage>> chains, LongPredicate owns) {
        Operator fresh = operator.get();
        fresh.restore(new StateInput(chains, owns));
        return fresh;
    }

    private static StateImage image(Operator from, boolean full) {
        StateImage image = new StateImage();
        from.snapshot(full, image);
        StateImage back = new StateImage();
        image.values().forEach(back::value);
        for (Map.Entry<String, List<Batch>> table : image.tables().entrySet()) {
            table.getValue().forEach(rows -> back.rows(table.getKey(), throughBytes(rows)));
        }
        return back;
    }

    private static Batch throughBytes(Batch batch) {
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            BatchCodec.write(batch, new DataOutputStream(bytes));
            return BatchCodec.read(
                    new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
