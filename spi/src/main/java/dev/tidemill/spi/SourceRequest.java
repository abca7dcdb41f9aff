package dev.tidemill.spi;

import java.util.List;

/**
 * What the plan wants of a source.
 *
 * @param dataset     the dataset's name, for messages
 * @param columns     the columns that are read, or null for all of them; engine columns ({@code __fv_key} …) only when named in {@code engineColumns}
 * @param engineColumns engine columns to produce behind the visible ones
 * @param batchRows   the most rows in one batch
 */
public record SourceRequest(
        String dataset, List<String> columns, List<String> engineColumns, int batchRows) {
    public SourceRequest {
        columns = columns == null ? null : List.copyOf(columns);
        engineColumns = List.copyOf(engineColumns);
    }

    public boolean wantsAll() {
        return columns == null;
    }
}
