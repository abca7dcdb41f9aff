package dev.tidemill.spi;

import java.nio.file.Path;

/**
 * What a connector may know of the pipeline it works for.
 *
 * @param name           the pipeline's name
 * @param directory      the folder that relative paths start from: that of the pipeline file, or the working directory
 * @param defaultBrokers the address of {@code [brokers] default}
 * @param settings       the resolved settings by camelCase name
 */
public record PipelineContext(
        String name,
        Path directory,
        String defaultBrokers,
        OptionValues settings,
        Clock clock,
        Notices notices) {}
