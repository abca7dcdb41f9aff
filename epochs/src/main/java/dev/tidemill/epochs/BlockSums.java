package dev.tidemill.epochs;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.NoSuchFileException;
import java.util.HexFormat;
import java.util.zip.CRC32C;

/** Sums of blocks of objects: taken while writing, checked while reading. */
final class BlockSums {
    static final int BLOCK = 1 << 22;
    private static final HexFormat HEX = HexFormat.of();

    private BlockSums() {}

    static long blocks(long length) {
        return (length + BLOCK - 1) / BLOCK;
    }

    /** Passes bytes on and sums them. */
    static final class Output extends FilterOutputStream {
        private final StringBuilder sums = new StringBuilder();
        private final CRC32C sum = new CRC32C();
        private long length;

        Output(OutputStream out) {
            super(out);
        }

        @Override
        public void write(int each) throws IOException {
            write(new byte[] {(byte) each}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int count) throws IOException {
            out.write(bytes, offset, count);
            int from = offset;
            int left = count;
            while (left > 0) {
                int room = BLOCK - (int) (length % BLOCK);
                int piece = Math.min(room, left);
                sum.update(bytes, from, piece);
                length += piece;
                from += piece;
                left -= piece;
                if (length % BLOCK == 0) {
                    endBlock();
                }
            }
        }

        @Override
        public void close() throws IOException {
            flush(); // The store closes its own stream.
        }

        private void endBlock() {
            sums.append(HEX.toHexDigits((int) sum.getValue()));
            sum.reset();
        }

        /** What was written, under the name; the last call. */
        ObjectRef ref(String name) {
            if (length % BLOCK != 0) {
                endBlock();
            }
            return new ObjectRef(name, length, sums.toString());
        }
    }

    /** Opens an object to read; each block is verified before a byte of it is handed out, and the end that it is the end. */
    static InputStream open(ObjectStore store, ObjectRef ref) throws IOException {
        try {
            return new Input(store.read(ref.name(), 0), ref);
        } catch (NoSuchFileException missing) {
            throw missing(store, ref.name());
        }
    }

    static DamagedException missing(ObjectStore store, String name) {
        return new DamagedException("object " + name + " is missing in " + store.location());
    }

    static DamagedException wrongLength(String name, long expected, String found) {
        return new DamagedException(
                "object " + name + " has " + found + " bytes, expected " + expected);
    }

    private static final class Input extends FilterInputStream {
        private final ObjectRef ref;
        private final byte[] block;
        private int filled;
        private int position;
        private long verified;

        Input(InputStream in, ObjectRef ref) {
            super(in);
            this.ref = ref;
            this.block = new byte[(int) Math.min(BLOCK, ref.length())];
        }

        @Override
        public int read() throws IOException {
            return ensure() ? block[position++] & 0xff : -1;
        }

        @Override
        public int read(byte[] bytes, int offset, int count) throws IOException {
            if (count == 0) {
                return 0;
            }
            if (!ensure()) {
                return -1;
            }
            int piece = Math.min(count, filled - position);
            System.arraycopy(block, position, bytes, offset, piece);
            position += piece;
            return piece;
        }

        @Override
        public long skip(long count) throws IOException {
            if (count <= 0 || !ensure()) {
                return 0;
            }
            int piece = (int) Math.min(count, filled - position);
            position += piece;
            return piece;
        }

        @Override
        public int available() {
            return filled - position;
        }

        @Override
        public boolean markSupported() {
            return false;
        }

        private boolean ensure() throws IOException {
            return position < filled || next();
        }

        private boolean next() throws IOException {
            int expected = (int) Math.min(BLOCK, ref.length() - verified);
            int got = in.readNBytes(block, 0, expected);
            if (got < expected) {
                throw wrongLength(ref.name(), ref.length(), String.valueOf(verified + got));
            }
            if (expected == 0) {
                if (in.read() >= 0) {
                    throw wrongLength(ref.name(), ref.length(), "more");
                }
                return false;
            }
            verify(expected);
            verified += expected;
            if (verified == ref.length() && in.read() >= 0) {
                throw wrongLength(ref.name(), ref.length(), "more");
            }
            filled = expected;
            position = 0;
            return true;
        }

        private void verify(int count) throws DamagedException {
            CRC32C sum = new CRC32C();
            sum.update(block, 0, count);
            int index = (int) (verified / BLOCK) * 8;
            String expected = ref.sums().substring(index, index + 8);
            String found = HEX.toHexDigits((int) sum.getValue());
            if (!found.equals(expected)) {
                throw new DamagedException(
                        "object "
                                + ref.name()
                                + " is damaged between bytes "
                                + verified
                                + " and "
                                + (verified + count)
                                + ": checksum "
                                + found
                                + ", expected "
                                + expected);
            }
        }
    }
}
