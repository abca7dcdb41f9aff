package dev.tidemill.pipeline;

import dev.tidemill.data.JsonText;
import dev.tidemill.pipeline.BuildRecord.Checkpoint;
import dev.tidemill.pipeline.BuildRecord.StepCounts;
import dev.tidemill.pipeline.BuildRecord.Totals;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** Writes records as JSON. By hand: a record is written at the end of every run, and a mapper would take longer to load than a small run takes. */
final class RecordJson {
    private final StringBuilder json = new StringBuilder(1024);

    private RecordJson() {}

    static String write(BuildRecord record) {
        RecordJson writer = new RecordJson();
        writer.record(record);
        return writer.json.toString();
    }

    private void record(BuildRecord record) {
        json.append('{');
        text("id", record.id());
        text("pipeline", record.pipeline());
        text("kind", "stream");
        text("status", record.status().name());
        text("startedAt", record.startedAt().toString());
        text("heartbeatAt", record.heartbeatAt().toString());
        if (record.finishedAt() != null) {
            text("finishedAt", record.finishedAt().toString());
        }
        if (record.error() != null) {
            text("error", record.error());
        }
        if (record.warning() != null) {
            text("warning", record.warning());
        }
        outputs(record.outputs());
        key("metrics");
        metrics(record);
        json.append('}');
    }

    private void outputs(List<String> outputs) {
        key("outputs");
        json.append('[');
        for (String output : outputs) {
            separate('[');
            json.append('{');
            text("dataset", output);
            json.append('}');
        }
        json.append(']');
    }

    private void metrics(BuildRecord record) {
        Totals totals = record.totals();
        json.append('{');
        number("consumed", totals.consumed());
        number("emitted", totals.emitted());
        number("filtered", totals.filtered());
        number("dropped", totals.dropped());
        number("late", totals.late());
        number("errors", totals.errors());
        number("misfits", totals.misfits());
        known("lag", totals.lag());
        known("watermarkDelayMs", totals.watermarkDelayMs());
        known("firstRowMs", totals.firstRowMs());
        key("checkpoint");
        checkpoint(record.checkpoint());
        number("restarts", record.restarts());
        object("cpuMs", record.cpuMs(), this::number);
        if (record.status().isFinal()) {
            object("taskCpuMs", record.taskCpuMs(), this::number);
        }
        object("steps", record.steps(), this::step);
        json.append('}');
    }

    private void checkpoint(Checkpoint checkpoint) {
        if (checkpoint == null) {
            json.append("null");
            return;
        }
        json.append('{');
        number("epoch", checkpoint.epoch());
        number("objects", checkpoint.objects());
        number("fileBytes", checkpoint.bytes());
        number("tookMs", checkpoint.tookMs());
        number("atMs", checkpoint.atMs());
        json.append('}');
    }

    private void step(String id, StepCounts counts) {
        key(id);
        json.append('{');
        number("in", counts.in());
        number("out", counts.out());
        number("filtered", counts.filtered());
        number("dropped", counts.dropped());
        number("late", counts.late());
        number("errors", counts.errors());
        json.append('}');
    }

    private <V> void object(String name, Map<String, V> members, BiConsumer<String, V> member) {
        key(name);
        json.append('{');
        members.forEach(member);
        json.append('}');
    }

    private void text(String name, String value) {
        key(name);
        json.append(JsonText.of(value));
    }

    private void number(String name, long value) {
        key(name);
        json.append(value);
    }

    /** A negative number says that nobody knows. */
    private void known(String name, long value) {
        key(name);
        json.append(value < 0 ? "null" : Long.toString(value));
    }

    private void key(String name) {
        separate('{');
        json.append(JsonText.of(name));
        json.append(':');
    }

    /** A comma, except right behind the opening bracket. */
    private void separate(char opening) {
        if (json.charAt(json.length() - 1) != opening) {
            json.append(',');
        }
    }
}
