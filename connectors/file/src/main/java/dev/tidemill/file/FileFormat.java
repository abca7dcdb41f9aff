package dev.tidemill.file;

import dev.tidemill.formats.FormatOptions.Format;
import dev.tidemill.spi.ConfigException;
import java.util.Map;
import java.util.Optional;

/** What the name of a file says of its format. */
final class FileFormat {
    private static final Map<String, Format> BY_EXTENSION =
            Map.of(
                    "json", Format.JSON,
                    "jsonl", Format.JSON,
                    "ndjson", Format.JSON,
                    "csv", Format.CSV,
                    "txt", Format.RAW,
                    "raw", Format.RAW);
    private static final Map<String, String> NOT_YET =
            Map.of(
                    "parquet", "parquet", "arrow", "arrow", "arrows", "arrow", "ipc", "arrow",
                    "feather", "arrow");

    static final String EXTENSIONS =
            ".json, .jsonl, .ndjson, .csv, .txt and .raw, also with .gz or .zst behind";

    private FileFormat() {}

    /**
     * The format by extension, that of a compression aside.
     *
     * @throws ConfigException for a format that is not in this version
     */
    static Optional<Format> of(String fileName) throws ConfigException {
        String extension = extension(fileName);
        if (NOT_YET.containsKey(extension)) {
            throw new ConfigException(
                    "path",
                    fileName
                            + ": the format "
                            + NOT_YET.get(extension)
                            + " is not in this version yet; there are json, csv, raw");
        }
        return Optional.ofNullable(BY_EXTENSION.get(extension));
    }

    /** The extension without its point, that of a compression aside; empty when there is none. */
    static String extension(String fileName) {
        String name = Compression.strip(fileName);
        int point = name.lastIndexOf('.');
        return point <= 0 ? "" : name.substring(point + 1);
    }

    /** The extension of files that are written in the format. */
    static String extensionOf(Format format) {
        return switch (format) {
            case JSON -> "jsonl";
            case CSV -> "csv";
            case RAW -> "txt";
        };
    }
}
