package dev.tidemill.operators;

import dev.tidemill.data.Batch;

/** Takes the state of an operator at a barrier. What it is given must not change afterwards: it is written while the operator goes on. */
public interface StateOutput {
    /** A number that belongs to the instance as a whole. */
    void value(String name, long value);

    /** Some rows of a table. */
    void rows(String table, Batch rows);
}
