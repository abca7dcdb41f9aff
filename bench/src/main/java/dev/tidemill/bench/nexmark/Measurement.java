package dev.tidemill.bench.nexmark;

import dev.tidemill.bench.MeasuredProcess;

/**
 * One run of one query.
 *
 * @param events     events read
 * @param firstRowMs from the start of the process to the first row at the sink, or -1 when the engine does not tell
 */
record Measurement(
        Query query, String engine, long events, MeasuredProcess process, long firstRowMs) {
    /** Events of the run for each CPU-second of the whole process. */
    double eventsPerCpuSecond() {
        return process.eventsPerCpuSecond(events);
    }
}
