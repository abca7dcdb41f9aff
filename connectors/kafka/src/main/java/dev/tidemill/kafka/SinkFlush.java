package dev.tidemill.kafka;

/**
 * When a writer waits for the broker to confirm.
 *
 * @param rows after so many rows: 1 after each batch, {@link Long#MAX_VALUE} only when asked to flush
 */
record SinkFlush(long rows) {
    /** @param word {@code batch}, {@code epoch} or a number of rows */
    static SinkFlush of(String word) {
        return switch (word) {
            case "batch" -> new SinkFlush(1);
            case "epoch" -> new SinkFlush(Long.MAX_VALUE);
            default -> new SinkFlush(Math.max(1, Long.parseLong(word)));
        };
    }
}
