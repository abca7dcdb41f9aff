package dev.tidemill.spi;

import dev.tidemill.describe.Description;
import java.util.Optional;

/**
 * A kind of input or output, found with {@link java.util.ServiceLoader}. Describing is cheap and opens nothing. Stateless and thread-safe.
 */
public interface Connector {
    /** The word in {@code connector = "…"} or {@code sink = "…"}. */
    String name();

    /** How it reads, or empty when it cannot. */
    Optional<Description> sourceDescription();

    /** How it writes, or empty when it cannot. */
    Optional<Description> sinkDescription();

    /**
     * The source for validated options. May look at the outside (list files, read a sample to infer types), with clear errors.
     *
     * @throws ConfigException when the options are wrong together or do not fit what is found outside
     */
    Source source(SourceRequest request, OptionValues options, PipelineContext context)
            throws Exception;

    /** The sink for validated options; opens nothing yet. */
    Sink sink(String dataset, OptionValues options, PipelineContext context) throws Exception;

    /** Checks options in their combination without touching the outside; each problem names its option. */
    default void check(String dataset, boolean asSource, OptionValues options)
            throws ConfigException {}
}
