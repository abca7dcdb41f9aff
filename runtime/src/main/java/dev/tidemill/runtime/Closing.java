package dev.tidemill.runtime;

import java.io.IOException;

/** Closes several things, all of them whatever happens, and keeps the first failure with the others suppressed in it. */
final class Closing {
    interface Closeable {
        void close() throws IOException;
    }

    private Exception first;

    void close(Closeable what) {
        try {
            what.close();
        } catch (IOException | RuntimeException e) {
            if (first == null) {
                first = e;
            } else {
                first.addSuppressed(e);
            }
        }
    }

    void rethrow() throws IOException {
        if (first instanceof IOException e) {
            throw e;
        }
        if (first instanceof RuntimeException e) {
            throw e;
        }
    }
}
