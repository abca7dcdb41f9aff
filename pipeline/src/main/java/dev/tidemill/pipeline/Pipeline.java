package dev.tidemill.pipeline;

import dev.tidemill.pipeline.check.SpecLoader;
import dev.tidemill.pipeline.plan.Plan;
import dev.tidemill.pipeline.plan.Planner;
import dev.tidemill.pipeline.spec.Inputs;
import dev.tidemill.pipeline.spec.InvalidPipelineException;
import dev.tidemill.pipeline.spec.PipelineSpec;
import dev.tidemill.pipeline.spec.Problem;
import dev.tidemill.spi.Clock;
import dev.tidemill.spi.Notices;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A pipeline that was loaded from a file and checked. Immutable; may be started any number of times.
 *
 * <pre>{@code
 * Pipeline.load(Path.of("hot-auctions.toml")).run();
 * }</pre>
 */
public final class Pipeline {
    private final PipelineSpec spec;

    private Pipeline(PipelineSpec spec) {
        this.spec = spec;
    }

    /** As {@link #load(Path, Inputs)} with the environment of this process. */
    public static Pipeline load(Path file) throws IOException, InvalidPipelineException {
        return load(file, Inputs.ofProcess());
    }

    /**
     * Reads and checks a TOML, YAML or JSON file (by its suffix), all that can be checked without opening its inputs and outputs.
     *
     * @throws IOException              when the file cannot be read
     * @throws InvalidPipelineException with everything that is wrong
     */
    public static Pipeline load(Path file, Inputs inputs)
            throws IOException, InvalidPipelineException {
        return new Pipeline(SpecLoader.load(file, inputs));
    }

    /**
     * As {@link #load(Path, Inputs)} for a text that is not in a file.
     *
     * @param name      how errors name it; its suffix decides the syntax
     * @param directory the folder that relative paths start from
     */
    public static Pipeline parse(String text, String name, Path directory, Inputs inputs)
            throws InvalidPipelineException {
        return new Pipeline(SpecLoader.parse(text, name, directory, inputs));
    }

    public PipelineSpec spec() {
        return spec;
    }

    public List<Problem> warnings() {
        return spec.warnings();
    }

    /**
     * How it would run, for people: tasks, fusion, routes, parallelism, columns read. Looks at the inputs (lists files, reads a sample) but reads no
     * further.
     *
     * @throws InvalidPipelineException when what is found outside does not fit
     * @throws IOException              when an input cannot be looked at now
     */
    public String explain(Notices notices) throws InvalidPipelineException, IOException {
        return plan(notices).text();
    }

    /** The plan that {@link #start} runs; looks at the inputs as {@link #explain} does. */
    public Plan plan(Notices notices) throws InvalidPipelineException, IOException {
        return Planner.plan(spec, Clock.SYSTEM, notices);
    }

    /**
     * Starts it and returns when all is open. When an input or output cannot be opened the run that is returned has failed already.
     *
     * @throws InvalidPipelineException when what is found outside does not fit: an unknown column, a type an aggregate cannot use, a missing file
     */
    public RunningPipeline start(ControlPlane controlPlane, Notices notices)
            throws InvalidPipelineException {
        return start(controlPlane, notices, StartOptions.DEFAULT);
    }

    /** As {@link #start(ControlPlane, Notices)}, and says how this start deals with stored state. */
    public RunningPipeline start(ControlPlane controlPlane, Notices notices, StartOptions options)
            throws InvalidPipelineException {
        return JobRun.start(spec, options, controlPlane, notices);
    }

    /** Starts it without a host, waits for its end and returns the final record; a failed run gives a record with its error. */
    public BuildRecord run() throws InvalidPipelineException, InterruptedException {
        return start(ControlPlane.NONE, Notices.STDERR).await();
    }
}
