package dev.tidemill.pipeline.recovery;

import dev.tidemill.operators.Steps;
import dev.tidemill.pipeline.spec.PipelineSpec;
import dev.tidemill.pipeline.spec.PipelineSpec.Dataset;
import dev.tidemill.pipeline.spec.PipelineSpec.Stage;
import dev.tidemill.pipeline.spec.PipelineSpec.Step;
import dev.tidemill.spi.OptionValues;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * What of a pipeline its stored state depends on: the steps with state and the inputs that have positions, each with the options that give them their meaning.
 * Immutable.
 *
 * @param steps by id: {@code op} and the options, as text
 * @param inputs by dataset: {@code connector} and what is read, as text
 */
record PlanFingerprint(
        Map<String, SortedMap<String, String>> steps,
        Map<String, SortedMap<String, String>> inputs) {
    /** A change of these leaves the state what it is. */
    private static final Set<String> HARMLESS =
            Set.of(
                    "allowedLatenessMs",
                    "errorOutput",
                    "idleTimeoutMs",
                    "lateOutput",
                    "maxFutureSkewMs",
                    "onError",
                    "onFutureSkew");

    /** Options that say which outside thing an input is; where it is reached may change. */
    private static final Set<String> IDENTITY = Set.of("topic", "path", "stream", "table");

    private static final JsonMapper JSON = new JsonMapper();

    PlanFingerprint {
        steps = Map.copyOf(steps);
        inputs = Map.copyOf(inputs);
    }

    static PlanFingerprint of(PipelineSpec spec) {
        Map<String, SortedMap<String, String>> steps = new TreeMap<>();
        for (Stage stage : spec.stages()) {
            for (Step step : stage.steps()) {
                if (!Steps.isInline(step.op())) {
                    steps.put(step.id(), step(step));
                }
            }
        }
        Map<String, SortedMap<String, String>> inputs = new TreeMap<>();
        for (Dataset dataset : spec.datasets().values()) {
            if (dataset.source() != null) {
                SortedMap<String, String> input = texts(dataset.source().options());
                input.keySet().retainAll(IDENTITY);
                input.put("connector", dataset.source().connector());
                inputs.put(dataset.name(), input);
            }
        }
        return new PlanFingerprint(steps, inputs);
    }

    private static SortedMap<String, String> step(Step step) {
        SortedMap<String, String> options = texts(step.options());
        options.keySet().removeAll(HARMLESS);
        options.put("op", step.op());
        return options;
    }

    private static SortedMap<String, String> texts(OptionValues options) {
        return new TreeMap<>(options.texts());
    }

    String toText() {
        return JSON.writeValueAsString(
                new TreeMap<>(
                        Map.of("steps", new TreeMap<>(steps), "inputs", new TreeMap<>(inputs))));
    }

    /** @throws JacksonException when the text is none of a fingerprint */
    static PlanFingerprint parse(String text) {
        Map<String, Map<String, SortedMap<String, String>>> parts =
                JSON.readValue(text, new TypeReference<>() {});
        return new PlanFingerprint(
                parts.getOrDefault("steps", Map.of()), parts.getOrDefault("inputs", Map.of()));
    }

    /**
     * Why a step cannot go on with the state it had under another plan; empty when it can.
     *
     * @param stepId a step with state in {@code former}
     */
    List<String> changes(PlanFingerprint former, String stepId) {
        SortedMap<String, String> now = steps.get(stepId);
        if (now == null) {
            return List.of("there is no such step with state now");
        }
        SortedMap<String, String> then = former.steps().get(stepId);
        return then == null ? List.of() : differences(then, now);
    }

    /** Why an input cannot go on at the positions it had; empty when it can, or is no more. */
    List<String> inputChanges(PlanFingerprint former, String dataset) {
        SortedMap<String, String> now = inputs.get(dataset);
        SortedMap<String, String> then = former.inputs().get(dataset);
        return now == null || then == null ? List.of() : differences(then, now);
    }

    private static List<String> differences(
            SortedMap<String, String> then, SortedMap<String, String> now) {
        Set<String> names = new TreeSet<>(then.keySet());
        names.addAll(now.keySet());
        List<String> out = new ArrayList<>();
        for (String name : names) {
            String was = then.getOrDefault(name, "not set");
            String is = now.getOrDefault(name, "not set");
            if (!was.equals(is)) {
                out.add(name + " was " + was + " and is " + is);
            }
        }
        return out;
    }
}
