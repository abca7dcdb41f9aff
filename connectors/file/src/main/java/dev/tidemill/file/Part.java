package dev.tidemill.file;

import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file that is being written. Errors name the file that it will be. */
final class Part {
    private final Path staging;
    private final Path name;
    private final FileOutputStream file;
    private final OutputStream out;

    Part(Path staging, Path name, Compression compression) throws IOException {
        this.staging = staging;
        this.name = name;
        try {
            file = new FileOutputStream(staging.toFile());
        } catch (IOException e) {
            throw failure(e);
        }
        try {
            out = compression.pack(new Unclosed(file));
        } catch (IOException e) {
            file.close();
            throw failure(e);
        }
    }

    void write(byte[] data, int length) throws IOException {
        try {
            out.write(data, 0, length);
        } catch (IOException e) {
            throw failure(e);
        }
    }

    void flush() throws IOException {
        try {
            out.flush();
        } catch (IOException e) {
            throw failure(e);
        }
    }

    /** Bytes on the disk, or on the way there. */
    long bytes() throws IOException {
        return file.getChannel().position();
    }

    /** Everything is on the disk, and the file closed. */
    void finish() throws IOException {
        try {
            out.close();
            file.getChannel().force(true);
            file.close();
        } catch (IOException e) {
            throw failure(e);
        }
    }

    /** Closes the file and removes it. */
    void abandon() throws IOException {
        try {
            out.close();
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
        return new IOException("cannot write " + name + ": " + (e.getMessage() == null ? e.toString() : e.getMessage()), e);
    }
}
