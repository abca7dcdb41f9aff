package dev.tidemill.epochs.s3;

import java.io.IOException;
import java.io.InputStream;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.Abortable;

/** Reads on where the connection broke. Sound, since an object never changes. One thread. */
final class ResumingInput extends InputStream {
    private static final int RESUMPTIONS = 5;

    @FunctionalInterface
    interface Opener {
        InputStream open(long offset) throws IOException;
    }

    private final Opener opener;
    private InputStream in;
    private long position;
    private int resumptions;
    private boolean atEnd;

    ResumingInput(InputStream in, long position, Opener opener) {
        this.in = in;
        this.position = position;
        this.opener = opener;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int count) throws IOException {
        while (true) {
            try {
                int got = in.read(bytes, offset, count);
                atEnd |= got < 0;
                position += Math.max(got, 0);
                return got;
            } catch (IOException | SdkException broken) {
                resume(broken);
            }
        }
    }

    private void resume(Exception broken) throws IOException {
        if (++resumptions > RESUMPTIONS) {
            throw new IOException(
                    "the connection broke " + RESUMPTIONS + " times while reading", broken);
        }
        abort();
        in = opener.open(position);
    }

    private void abort() {
        if (in instanceof Abortable connection) {
            connection.abort(); // Closing would read the rest.
        }
    }

    @Override
    public void close() throws IOException {
        if (atEnd) {
            in.close();
        } else {
            abort();
        }
    }
}
