package dev.tidemill.pipeline.recovery;

import dev.tidemill.pipeline.spec.PipelineSpec;

/** Where a pipeline's epochs are kept. Stateless. */
public final class StateLocation {
    /** The word for keeping no epochs at all. */
    public static final String NONE = "none";

    private StateLocation() {}

    /**
     * The location that the settings name, a directory from the folder of the pipeline's file; else the other one.
     *
     * @param otherwise as {@link dev.tidemill.epochs.StoreLocation#open} takes it, or empty
     * @return empty when none are kept
     */
    public static String of(PipelineSpec spec, String otherwise) {
        String given = spec.settings().string("stateStore").orElse("");
        if (given.isEmpty()) {
            return otherwise;
        }
        if (given.equals(NONE)) {
            return "";
        }
        boolean isPlace = given.equals("memory") || given.contains("://");
        return isPlace ? given : spec.directory().resolve(given).normalize().toString();
    }
}
