package dev.tidemill.file;

import com.github.luben.zstd.ZstdInputStream;
import com.github.luben.zstd.ZstdOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** How the bytes of a file are packed; its name says so. */
enum Compression {
    NONE(""),
    GZIP(".gz"),
    ZSTD(".zst");

    private static final int BUFFER = 1 << 16;

    private final String suffix;

    Compression(String suffix) {
        this.suffix = suffix;
    }

    String suffix() {
        return suffix;
    }

    static Compression of(String fileName) {
        for (Compression each : values()) {
            if (each != NONE && fileName.endsWith(each.suffix)) {
                return each;
            }
        }
        return NONE;
    }

    /** The name without the suffix of its compression. */
    static String strip(String fileName) {
        return fileName.substring(0, fileName.length() - of(fileName).suffix.length());
    }

    InputStream unpack(InputStream in) throws IOException {
        return switch (this) {
            case NONE -> in;
            case GZIP -> new GZIPInputStream(in, BUFFER);
            case ZSTD -> new ZstdInputStream(in);
        };
    }

    OutputStream pack(OutputStream out) throws IOException {
        return switch (this) {
            case NONE -> out;
            case GZIP -> new GZIPOutputStream(out, BUFFER, true);
            case ZSTD -> new ZstdOutputStream(out);
        };
    }
}
