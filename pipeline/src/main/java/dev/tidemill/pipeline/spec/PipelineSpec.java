package dev.tidemill.pipeline.spec;

import dev.tidemill.spi.OptionValues;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A pipeline as its file says it, checked as far as that goes without opening anything: names resolved, types of values right, stages form
 * a graph without cycles. Immutable.
 *
 * @param name           the identity of the run
 * @param file           how errors name the file
 * @param directory      the folder that relative paths start from
 * @param defaultBrokers {@code [brokers] default}
 * @param settings       every setting by its camelCase name, defaults filled in
 * @param datasets       by name: those of the file, and final outputs only when they have an entry
 * @param stages         in an order in which every dataset is produced before it is read
 * @param warnings       what is accepted but worth a word
 */
public record PipelineSpec(
        String name,
        String file,
        Path directory,
        String defaultBrokers,
        OptionValues settings,
        Map<String, Dataset> datasets,
        List<Stage> stages,
        List<Problem> warnings) {
    public PipelineSpec {
        datasets = java.util.Collections.unmodifiableMap(new java.util.LinkedHashMap<>(datasets));
        stages = List.copyOf(stages);
        warnings = List.copyOf(warnings);
    }

    /**
     * An external input or output.
     *
     * @param source    how it is read, or null when no stage reads it from outside
     * @param sink      how it is written, or null when nothing writes it to the outside
     */
    public record Dataset(String name, Endpoint source, Endpoint sink, Position at) {}

    /**
     * @param connector a connector's name
     * @param options   its validated options, defaults filled in
     * @param places    where each option stands, by its name
     */
    public record Endpoint(
            String connector, OptionValues options, Map<String, Position> places, Position at) {
        /** Where an option stands, or the table when it is not written. */
        public Position place(String option) {
            return places.getOrDefault(option, at);
        }
    }

    /**
     * @param number from 1, as in the file
     * @param inputs dataset names
     */
    public record Stage(
            int number, List<String> inputs, String output, List<Step> steps, Position at) {
        public Stage {
            inputs = List.copyOf(inputs);
            steps = List.copyOf(steps);
        }
    }

    /**
     * @param id      explicit, or {@code <stage>.<n>-<op>} with both numbers from 1
     * @param options validated, defaults filled in
     * @param places  where each option stands; options in nested tables as {@code emit.everyRows} and {@code aggs[0].column}
     */
    public record Step(
            String op, String id, OptionValues options, Map<String, Position> places, Position at) {
        /** Where an option stands, or the step when it is not written. */
        public Position place(String option) {
            return places.getOrDefault(option, at);
        }
    }
}
