package dev.tidemill.operators;

import java.util.List;
import java.util.function.LongPredicate;

/**
 * What an operator restores from: for each task that ran before its images, the newest first, down to the last that has all. Their number need not be that of
 * today's tasks.
 *
 * @param chains of images, one for each former task
 * @param owns   whether this instance owns the keys of a hash
 */
public record StateInput(List<List<StateImage>> chains, LongPredicate owns) {
    public StateInput {
        chains = chains.stream().map(List::copyOf).toList();
    }
}
