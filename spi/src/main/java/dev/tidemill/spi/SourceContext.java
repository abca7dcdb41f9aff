package dev.tidemill.spi;

import java.util.Map;
import java.util.Optional;

/**
 * What a reader may use.
 *
 * @param batchRows the most rows in one batch
 * @param restored  the positions, by split identity, of all splits that all tasks of the dataset had in the epoch to go on from
 *                  ({@link SourceReader#positions}); empty for a source that begins anew
 */
public record SourceContext(
        Clock clock, int batchRows, Notices notices, Optional<Map<String, String>> restored) {
    /** For a reader that begins anew. */
    public SourceContext(Clock clock, int batchRows, Notices notices) {
        this(clock, batchRows, notices, Optional.empty());
    }
}
