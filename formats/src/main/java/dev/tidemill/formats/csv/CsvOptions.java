package dev.tidemill.formats.csv;

import dev.tidemill.data.Schema;
import dev.tidemill.formats.OnBadData;
import java.util.List;
import java.util.Objects;

/**
 * How CSV records become rows.
 *
 * @param schema         the columns to start with: declared, or inferred from a sample; may be empty when it is inferred
 * @param declared       whether {@code schema} is the user's word: then types do not widen and no columns join
 * @param wanted         the columns that are read, or null for all
 * @param layout         the names of the fields by position, or null when the first record names them
 * @param delimiter      between fields: one ASCII character
 * @param maxRecordBytes a longer record is bad
 */
public record CsvOptions(
        Schema schema,
        boolean declared,
        List<String> wanted,
        List<String> layout,
        char delimiter,
        OnBadData onBadData,
        int maxRecordBytes) {
    public CsvOptions {
        Objects.requireNonNull(schema);
        Objects.requireNonNull(onBadData);
        wanted = wanted == null ? null : List.copyOf(wanted);
        layout = layout == null ? null : List.copyOf(layout);
    }

    boolean wants(String name) {
        return wanted == null || wanted.contains(name);
    }
}
