package dev.tidemill.formats.json;

import dev.tidemill.data.Schema;
import dev.tidemill.formats.OnBadData;
import java.util.List;
import java.util.Objects;

/**
 * How JSON records become rows.
 *
 * @param schema         the columns to start with: declared, or inferred from a sample; may be empty when it is inferred
 * @param declared       whether {@code schema} is the user's word: then types do not widen and no columns join
 * @param wanted         the columns that are read, or null for all; others are skipped
 * @param maxRecordBytes a longer record is bad
 * @param maxDepth       a deeper record is bad
 */
public record JsonOptions(
        Schema schema,
        boolean declared,
        List<String> wanted,
        OnBadData onBadData,
        int maxRecordBytes,
        int maxDepth) {
    public static final int DEFAULT_MAX_RECORD_BYTES = 16 << 20;
    public static final int DEFAULT_MAX_DEPTH = 256;

    /** The column that keeps the text of records that could not be used, with {@link OnBadData#RESCUE}. */
    public static final String RESCUED = "_rescued_data";

    public JsonOptions {
        Objects.requireNonNull(schema);
        Objects.requireNonNull(onBadData);
        wanted = wanted == null ? null : List.copyOf(wanted);
    }

    /** Everything inferred, nothing skipped, bad data dropped. */
    public static JsonOptions inferred() {
        return new JsonOptions(
                new Schema(List.of()),
                false,
                null,
                OnBadData.DROP,
                DEFAULT_MAX_RECORD_BYTES,
                DEFAULT_MAX_DEPTH);
    }

    public JsonOptions withWanted(List<String> columns) {
        return new JsonOptions(schema, declared, columns, onBadData, maxRecordBytes, maxDepth);
    }

    public JsonOptions withSchema(Schema newSchema, boolean isDeclared) {
        return new JsonOptions(newSchema, isDeclared, wanted, onBadData, maxRecordBytes, maxDepth);
    }

    public JsonOptions withPolicy(OnBadData policy) {
        return new JsonOptions(schema, declared, wanted, policy, maxRecordBytes, maxDepth);
    }
}
