package dev.tidemill.bench.nexmark;

import dev.tidemill.bench.BenchException;
import java.io.IOException;
import java.nio.file.Path;

/** A stream processor that can run the queries, each run in a process of its own. */
interface Engine {
    /** Its name in tables. */
    String name();

    /** Runs a query and throws its rows away. */
    Measurement measure(Query query, Input input)
            throws IOException, InterruptedException, BenchException;

    /**
     * Runs a query and writes its rows as JSON lines, in any order.
     *
     * @return a file, or a folder of files
     */
    Path answer(Query query, Input input) throws IOException, InterruptedException, BenchException;
}
