package dev.tidemill.cli.serve;

import dev.tidemill.pipeline.BuildRecord;
import dev.tidemill.pipeline.BuildRecord.StepCounts;
import dev.tidemill.pipeline.BuildRecord.Totals;
import dev.tidemill.pipeline.RunStatus;
import java.util.List;
import java.util.Map;

/**
 * A record in the text format of Prometheus, version 0.0.4: our own names with a {@code pipeline} label, and the {@code fv_streams_…} names that dashboards
 * of the reference engine ask for.
 */
final class MetricsText {
    static final String MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private final StringBuilder text = new StringBuilder(4096);
    private final BuildRecord record;
    private final String pipeline;

    private MetricsText(BuildRecord record) {
        this.record = record;
        this.pipeline = label("pipeline", record.pipeline());
    }

    static String of(BuildRecord record) {
        MetricsText metrics = new MetricsText(record);
        metrics.own();
        metrics.aliases();
        return metrics.text.toString();
    }

    private void own() {
        Totals totals = record.totals();
        counter("tidemill_consumed_rows_total", "Rows decoded at the sources.", totals.consumed());
        counter("tidemill_emitted_rows_total", "Rows written to sinks.", totals.emitted());
        counter(
                "tidemill_filtered_rows_total",
                "Rows that filters turned away.",
                totals.filtered());
        counter(
                "tidemill_dropped_rows_total",
                "Bad messages, failed rows, rows without time.",
                totals.dropped());
        counter(
                "tidemill_late_rows_total",
                "Rows that came after their windows had closed.",
                totals.late());
        counter(
                "tidemill_error_rows_total",
                "Rows on which an expression or an aggregate failed.",
                totals.errors());
        if (totals.lag() >= 0) {
            family("tidemill_lag_records", "gauge", "Records still to read.");
            sample("tidemill_lag_records", pipeline, totals.lag());
        }
        if (totals.watermarkDelayMs() >= 0) {
            family(
                    "tidemill_watermark_delay_seconds",
                    "gauge",
                    "How far event time is behind the clock.");
            sample(
                    "tidemill_watermark_delay_seconds",
                    pipeline,
                    totals.watermarkDelayMs() / 1000.0);
        }
        seconds(
                "tidemill_cpu_seconds_total",
                "family",
                "CPU time by family of threads.",
                record.cpuMs());
        seconds(
                "tidemill_task_cpu_seconds_total",
                "role",
                "CPU time by role of tasks.",
                record.taskCpuMs());
        family("tidemill_step_rows_total", "counter", "Rows of one step by where they went.");
        record.steps().forEach(this::step);
        family("tidemill_status", "gauge", "1 for the present status of the run.");
        for (RunStatus status : RunStatus.values()) {
            sample(
                    "tidemill_status",
                    pipeline + "," + label("status", status.name()),
                    record.status() == status ? 1 : 0);
        }
    }

    private void step(String id, StepCounts counts) {
        String labels = pipeline + "," + label("step", id);
        sample("tidemill_step_rows_total", labels + ",kind=\"in\"", counts.in());
        sample("tidemill_step_rows_total", labels + ",kind=\"out\"", counts.out());
        sample("tidemill_step_rows_total", labels + ",kind=\"filtered\"", counts.filtered());
        sample("tidemill_step_rows_total", labels + ",kind=\"dropped\"", counts.dropped());
        sample("tidemill_step_rows_total", labels + ",kind=\"late\"", counts.late());
        sample("tidemill_step_rows_total", labels + ",kind=\"errors\"", counts.errors());
    }

    private void aliases() {
        Totals totals = record.totals();
        alias("fv_streams_consumed_total", totals.consumed());
        alias("fv_streams_emitted_total", totals.emitted());
        alias("fv_streams_dropped_total", totals.dropped());
        milliseconds("fv_streams_cpu_ms_total", "family", record.cpuMs());
        milliseconds("fv_streams_task_cpu_ms_total", "role", record.taskCpuMs());
        family("fv_streams_build_status", "gauge", "As tidemill_status.");
        for (RunStatus status :
                List.of(
                        RunStatus.STARTING,
                        RunStatus.RUNNING,
                        RunStatus.STOPPED,
                        RunStatus.FAILED)) {
            sample(
                    "fv_streams_build_status",
                    label("status", status.name()),
                    referenceStatus() == status ? 1 : 0);
        }
    }

    /** The reference engine knows no success: a run that came to its end is stopped. */
    private RunStatus referenceStatus() {
        return record.status() == RunStatus.SUCCEEDED ? RunStatus.STOPPED : record.status();
    }

    private void counter(String name, String help, long value) {
        family(name, "counter", help);
        sample(name, pipeline, value);
    }

    private void alias(String name, long value) {
        family(name, "counter", "As the metric of Tidemill's own name.");
        text.append(name).append(' ').append(value).append('\n');
    }

    private void seconds(String name, String key, String help, Map<String, Long> millis) {
        family(name, "counter", help);
        millis.forEach((each, ms) -> sample(name, pipeline + "," + label(key, each), ms / 1000.0));
    }

    private void milliseconds(String name, String key, Map<String, Long> millis) {
        family(name, "counter", "As the metric of Tidemill's own name, in milliseconds.");
        millis.forEach((each, ms) -> sample(name, label(key, each), ms));
    }

    private void family(String name, String type, String help) {
        text.append("# HELP ").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    private void sample(String name, String labels, long value) {
        text.append(name).append('{').append(labels).append("} ").append(value).append('\n');
    }

    private void sample(String name, String labels, double value) {
        text.append(name).append('{').append(labels).append("} ").append(value).append('\n');
    }

    static String label(String name, String value) {
        return name
                + "=\""
                + value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n")
                + "\"";
    }
}
