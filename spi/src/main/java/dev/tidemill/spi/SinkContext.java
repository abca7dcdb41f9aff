package dev.tidemill.spi;

/** What a writer may use. */
public record SinkContext(String pipeline, Clock clock, Notices notices) {}
