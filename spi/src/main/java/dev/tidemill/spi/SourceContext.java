package dev.tidemill.spi;

/**
 * What a reader may use.
 *
 * @param batchRows the most rows in one batch
 */
public record SourceContext(Clock clock, int batchRows, Notices notices) {}
