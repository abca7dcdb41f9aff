package dev.tidemill.file;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;

/** Ways to read a file. */
final class FileInput {
    private FileInput() {}

    /** From a position to the end that the file has when it is reached. */
    static ByteInput plain(Path file, long position) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        channel.position(position);
        return new Plain(channel);
    }

    static ByteInput unpacked(Path file, Compression compression) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        try {
            return new Unpacked(compression.unpack(Channels.newInputStream(channel)));
        } catch (EOFException e) {
            channel.close();
            if (Files.size(file) == 0) {
                return plain(file, 0);
            }
            throw e;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /** From the beginning on, as long as the path names this file and it is not truncated. */
    static ByteInput followed(Path file) throws IOException {
        return new Followed(file, FileChannel.open(file, StandardOpenOption.READ));
    }

    private record Plain(FileChannel channel) implements ByteInput {
        @Override
        public int read(byte[] target, int at, int length) throws IOException {
            return channel.read(ByteBuffer.wrap(target, at, length));
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    private record Unpacked(InputStream in) implements ByteInput {
        @Override
        public int read(byte[] target, int at, int length) throws IOException {
            return in.read(target, at, length);
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }

    private static final class Followed implements ByteInput {
        private final Path file;
        private final FileChannel channel;
        private final Object key;

        Followed(Path file, FileChannel channel) throws IOException {
            this.file = file;
            this.channel = channel;
            key = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
        }

        @Override
        public int read(byte[] target, int at, int length) throws IOException {
            boolean gone = isGone();
            int read = channel.read(ByteBuffer.wrap(target, at, length));
            if (read > 0) {
                return read;
            }
            // Looked at before the read: what was written until the file was replaced has been
            // read.
            return gone ? -1 : 0;
        }

        private boolean isGone() throws IOException {
            if (channel.size() < channel.position()) {
                return true;
            }
            try {
                return !Files.readAttributes(file, BasicFileAttributes.class).fileKey().equals(key);
            } catch (NoSuchFileException e) {
                return true;
            }
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
