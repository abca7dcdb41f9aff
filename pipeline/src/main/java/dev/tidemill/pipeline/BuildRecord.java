package dev.tidemill.pipeline;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * A run as its host sees it, at one moment. {@link #toJson} gives the layout that other programs read.
 *
 * @param finishedAt null while it runs
 * @param error      the first cause of a failure, else null
 * @param warning    null when there is none
 * @param checkpoint null when no epoch stands, or none is kept
 * @param restarts   how many times the job was started again; counts are since the last start
 * @param outputs    names of the datasets it writes
 * @param cpuMs      CPU time by thread family, digits at the end of thread names cut
 * @param taskCpuMs  CPU time by role: {@code sources}, {@code operators}, {@code sinks}
 * @param steps      counts by step id, in the order of the plan
 */
public record BuildRecord(
        String id,
        String pipeline,
        RunStatus status,
        Instant startedAt,
        Instant heartbeatAt,
        Instant finishedAt,
        String error,
        String warning,
        List<String> outputs,
        Totals totals,
        Checkpoint checkpoint,
        int restarts,
        Map<String, Long> cpuMs,
        Map<String, Long> taskCpuMs,
        Map<String, StepCounts> steps) {

    /**
     * @param consumed rows decoded at the sources
     * @param emitted  rows written to sinks
     * @param filtered rows that filters turned away
     * @param dropped  bad messages, failed rows, rows without time
     * @param late     rows that came after their windows had closed
     * @param errors   rows on which an expression or aggregate failed; counted in {@code dropped} as well
     * @param misfits  rows with a value that did not fit its column and became null by the policy of the dataset
     * @param lag      records still to read where a source knows, else -1
     * @param watermarkDelayMs how far event time is behind the clock, or -1 when no stream has time
     * @param firstRowMs time from the start to the first row written, or -1 before it
     */
    public record Totals(
            long consumed,
            long emitted,
            long filtered,
            long dropped,
            long late,
            long errors,
            long misfits,
            long lag,
            long watermarkDelayMs,
            long firstRowMs) {}

    /**
     * The newest epoch that stands.
     *
     * @param objects of its state
     * @param bytes   of these objects
     * @param tookMs  time to write it
     * @param atMs    when it was written, milliseconds since 1970
     */
    public record Checkpoint(long epoch, long objects, long bytes, long tookMs, long atMs) {}

    /** Rows of one step: in, out, and those that left it on the way. */
    public record StepCounts(
            long in, long out, long filtered, long dropped, long late, long errors) {}

    /** The record of a run that is being started: nothing counted yet. */
    public static BuildRecord starting(String pipeline) {
        Instant now = Instant.now();
        Totals nothing = new Totals(0, 0, 0, 0, 0, 0, 0, -1, -1, -1);
        return new BuildRecord(
                pipeline,
                pipeline,
                RunStatus.STARTING,
                now,
                now,
                null,
                null,
                null,
                List.of(),
                nothing,
                null,
                0,
                Map.of(),
                Map.of(),
                Map.of());
    }

    /** One line of JSON in the layout that other programs read; what is unknown is null. */
    public String toJson() {
        return RecordJson.write(this);
    }
}
