package dev.tidemill.stdout;

import dev.tidemill.spi.ClosedPipeException;
import java.io.IOException;
import java.io.OutputStream;

/** A stream of the process that several writers share. Thread-safe: the bytes of one call stay together. */
final class Console {
    private final OutputStream stream;
    private final String name;

    Console(OutputStream stream, String name) {
        this.stream = stream;
        this.name = name;
    }

    /** @throws ClosedPipeException when nobody reads any more */
    synchronized void write(byte[] data, int length) throws IOException {
        try {
            stream.write(data, 0, length);
        } catch (IOException e) {
            if (isClosedPipe(e)) {
                throw new ClosedPipeException("the reader of " + name + " is gone", e);
            }
            throw new IOException("cannot write to " + name + ": " + e.getMessage(), e);
        }
    }

    /** Only the text tells: the JDK has no exception of its own for it. */
    private static boolean isClosedPipe(IOException e) {
        String message = String.valueOf(e.getMessage());
        return message.contains("Broken pipe")
                || message.contains("pipe is being closed")
                || message.contains("EPIPE");
    }
}
