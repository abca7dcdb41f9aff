package dev.tidemill.file;

import java.io.Closeable;
import java.io.IOException;

/** Bytes that may come later. Used by one thread. */
interface ByteInput extends Closeable {
    /** Reads up to {@code length} bytes; 0 when none are there now, -1 at the end. */
    int read(byte[] target, int at, int length) throws IOException;
}
