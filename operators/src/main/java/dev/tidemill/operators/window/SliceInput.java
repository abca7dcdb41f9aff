package dev.tidemill.operators.window;

import dev.tidemill.data.Column;

/**
 * A batch as slices take it.
 *
 * @param times  event times, or for partial aggregates the starts of their slices; by physical row
 * @param keys   key columns without dictionaries, in the types of the tables
 * @param hashes of the keys
 * @param partials whether the values are partial states
 * @param values one column for each aggregate, null for a count of rows; or the columns of partial states, aggregate by aggregate
 */
record SliceInput(
        int physicalRows,
        long[] times,
        Column[] keys,
        long[] hashes,
        boolean partials,
        Column[] values) {}
