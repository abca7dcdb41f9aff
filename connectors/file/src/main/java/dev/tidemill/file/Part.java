package dev.tidemill.file;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file that is being written, locked so that no other run writes it too. Errors name the file that it will be. */
final class Part {
    private final Path staging;
    private final Path name;
    private final Compression compression;
    private final FileChannel file;

    /** The present frame of the compression; null before its first byte. */
    private OutputStream frame;

    Part(Path staging, Path name, Compression compression) throws IOException {
        this(staging, name, compression, 0);
    }

    /**
     * Goes on with a file that is there.
     *
     * @param length what of it is kept, the end of a frame
     */
    Part(Path staging, Path name, Compression compression, long length) throws IOException {
        this.staging = staging;
        this.name = name;
        this.compression = compression;
        try {
            file = FileChannel.open(staging, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw failure(e);
        }
        try {
            if (!isFree(file)) {
                throw new IOException("another run is writing it");
            }
            if (file.size() < length) {
                throw new IOException(
                        staging + " has " + file.size() + " bytes, and the stored epoch " + length);
            }
            if (file.size() > length) {
                file.truncate(length);
            }
            file.position(length);
        } catch (IOException e) {
            file.close();
            throw failure(e);
        }
    }

    /** Whether nobody else writes the file. Then it is ours until the channel is closed. */
    static boolean isFree(FileChannel file) throws IOException {
        try {
            return file.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    void write(byte[] data, int length) throws IOException {
        try {
            if (frame == null) {
                frame = compression.pack(new Unclosed(Channels.newOutputStream(file)));
            }
            frame.write(data, 0, length);
        } catch (IOException e) {
            throw failure(e);
        }
    }

    void flush() throws IOException {
        try {
            if (frame != null) {
                frame.flush();
            }
        } catch (IOException e) {
            throw failure(e);
        }
    }

    /** Bytes on the disk, or on the way there. */
    long bytes() throws IOException {
        return file.position();
    }

    /** Everything is on the disk, and the next byte begins another frame. @return the length of the file */
    long endFrame() throws IOException {
        try {
            if (frame != null) {
                frame.close();
                frame = null;
                file.force(true);
            }
            return file.position();
        } catch (IOException e) {
            throw failure(e);
        }
    }

    /** Everything is on the disk, and the file closed. A file without a byte has a frame all the same. @return its length */
    long finish() throws IOException {
        if (frame == null && file.position() == 0) {
            write(new byte[0], 0);
        }
        long length = endFrame();
        close();
        return length;
    }

    /** Closes the file and leaves it as it is. */
    void close() throws IOException {
        try {
            file.close();
        } catch (IOException e) {
            throw failure(e);
        }
    }

    /** Closes the file and removes it. */
    void abandon() throws IOException {
        try {
            if (frame != null) {
                frame.close();
            }
        } catch (IOException e) {
            // The bytes are given up anyway, and after a full disk this fails again.
        } finally {
            file.close();
            Files.deleteIfExists(staging);
        }
    }

    /** The file outlives the compressor around it, whose last bytes must be on the disk too. */
    private static final class Unclosed extends FilterOutputStream {
        Unclosed(OutputStream file) {
            super(file);
        }

        @Override
        public void write(byte[] data, int from, int length) throws IOException {
            out.write(data, from, length);
        }

        @Override
        public void close() throws IOException {
            flush();
        }
    }

    private IOException failure(IOException e) {
        return new IOException(
                "cannot write "
                        + name
                        + ": "
                        + (e.getMessage() == null ? e.toString() : e.getMessage()),
                e);
    }
}
