package dev.tidemill.pipeline.check;

import dev.tidemill.pipeline.read.Node;
import dev.tidemill.pipeline.spec.PipelineSpec;
import dev.tidemill.pipeline.spec.Position;
import java.util.List;

/**
 * A stage as far as it could be read.
 *
 * @param number from 1, in the order of the file
 * @param output null when it is missing
 * @param sides  further datasets that its steps write
 */
record StageDraft(
        int number,
        List<Node.Text> inputs,
        Node.Text output,
        List<PipelineSpec.Step> steps,
        List<Side> sides,
        Position at) {
    /** Rows that leave a step aside: an option such as {@code lateOutput} and the dataset it names. */
    record Side(String option, Node.Text dataset) {}

    PipelineSpec.Stage stage() {
        return new PipelineSpec.Stage(
                number, inputs.stream().map(Node.Text::value).toList(), output.value(), steps, at);
    }
}
