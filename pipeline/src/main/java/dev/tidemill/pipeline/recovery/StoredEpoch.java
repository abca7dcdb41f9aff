package dev.tidemill.pipeline.recovery;

import dev.tidemill.epochs.Manifest;

/**
 * What is told of an epoch that stands.
 *
 * @param number    0 when there is none
 * @param kind      why it was taken; null when there is none
 * @param createdAt milliseconds since 1970
 * @param objects   of the state
 * @param bytes     of the state's objects
 * @param tookMs    time to write it; 0 when another process did
 */
public record StoredEpoch(
        long number, Manifest.Kind kind, long createdAt, long objects, long bytes, long tookMs) {
    public static final StoredEpoch NONE = new StoredEpoch(0, null, 0, 0, 0, 0);

    static StoredEpoch of(Manifest manifest, long tookMs) {
        return new StoredEpoch(
                manifest.epoch(),
                manifest.kind(),
                manifest.createdAt(),
                manifest.objects().count(),
                manifest.stateBytes(),
                tookMs);
    }

    /** Whether it is the end of all input. */
    public boolean isEnd() {
        return kind == Manifest.Kind.END;
    }
}
