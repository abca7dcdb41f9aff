package dev.tidemill.file;

import dev.tidemill.formats.BadDataException;
import dev.tidemill.formats.Lines;
import dev.tidemill.formats.RecordDecoder;
import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;

/**
 * Reads one split through a buffer into a decoder. A range of a file takes the lines that begin in it: it starts behind the first newline
 * at or after the byte before its
 * first, and ends with the first newline at or after the byte before its end, so that ranges side by side take each line once. Used by one thread.
 */
final class SplitReader implements Closeable {
    /** The state after a step. */
    enum State {
        /** Rows for a batch are there. */
        FULL,
        /** Work was done and more is there. */
        MORE,
        /** Nothing more is there now. */
        EMPTY,
        /** All has been decoded. */
        END
    }

    static final int BUFFER = 1 << 18;
    private static final int READS_A_STEP = 4;

    private final ByteInput input;
    private final RecordDecoder decoder;
    private final FileSplit split;
    private final boolean trackOffsets;

    private byte[] buffer;
    private int from;
    private int to;

    /** The position in the split's file of {@code buffer[from]}. */
    private long offset;

    private boolean ended;
    private boolean skipping;
    private long[] rowOffsets = new long[0];

    /**
     * @param input        positioned at the split's beginning, or one byte before it when that is not the file's
     * @param trackOffsets whether {@link #rowOffsets} is wanted, which is slower
     */
    SplitReader(FileSplit split, ByteInput input, RecordDecoder decoder, boolean trackOffsets) {
        this.split = split;
        this.input = input;
        this.decoder = decoder;
        this.trackOffsets = trackOffsets;
        buffer = new byte[BUFFER];
        skipping = split.from() > 0;
        offset = skipping ? split.from() - 1 : 0;
    }

    RecordDecoder decoder() {
        return decoder;
    }

    FileSplit split() {
        return split;
    }

    /** For each row that the decoder holds the position behind its record, which no other row of the file has. */
    long[] rowOffsets() {
        return rowOffsets;
    }

    /** Decodes until {@code batchRows} rows are there, or the input has nothing for now, or a bounded number of reads is done. */
    State step(int batchRows) throws IOException, BadDataException {
        for (int reads = 0; ; reads++) {
            decode(batchRows);
            if (decoder.rows() >= batchRows) {
                return State.FULL;
            }
            if (ended) {
                return State.END;
            }
            if (reads == READS_A_STEP) {
                return State.MORE;
            }
            if (!fill()) {
                return State.EMPTY;
            }
        }
    }

    private void decode(int batchRows) throws BadDataException {
        if (from == to) {
            return;
        }
        if (trackOffsets) {
            decodeOneByOne(batchRows);
            return;
        }
        advanceTo(decoder.lines(buffer, from, to, ended, offset, batchRows));
    }

    private void decodeOneByOne(int batchRows) throws BadDataException {
        int before = -1;
        while (from < to && from != before && decoder.rows() < batchRows) {
            before = from;
            int rows = decoder.rows();
            advanceTo(decoder.lines(buffer, from, to, ended, offset, rows + 1));
            if (decoder.rows() > rows) {
                if (rows >= rowOffsets.length) {
                    rowOffsets = Arrays.copyOf(rowOffsets, Math.max(batchRows, rows + 1));
                }
                rowOffsets[rows] = offset;
            }
        }
    }

    private void advanceTo(int at) {
        offset += at - from;
        from = at;
    }

    /** Gets more bytes behind those that wait for the rest of their line; false when there are none now. */
    private boolean fill() throws IOException {
        makeRoom();
        int read = input.read(buffer, to, buffer.length - to);
        if (read == 0) {
            return false;
        }
        if (read < 0) {
            ended = true;
            return true;
        }
        boolean first = offset == 0 && to == 0;
        to += read;
        if (first) {
            skipByteOrderMark();
        }
        if (skipping) {
            skipFirstLine();
        }
        if (split.to() >= 0) {
            clip();
        }
        return true;
    }

    private void makeRoom() {
        if (from > 0) {
            System.arraycopy(buffer, from, buffer, 0, to - from);
            to -= from;
            from = 0;
        }
        if (to == buffer.length) {
            buffer = Arrays.copyOf(buffer, (int) Math.min(2L * to, Integer.MAX_VALUE - 16));
        }
    }

    private void skipByteOrderMark() {
        if (to >= 3
                && buffer[0] == (byte) 0xEF
                && buffer[1] == (byte) 0xBB
                && buffer[2] == (byte) 0xBF) {
            advanceTo(3);
        }
    }

    private void skipFirstLine() {
        int newline = Lines.newline(buffer, from, to);
        skipping = newline < 0;
        advanceTo(newline < 0 ? to : newline + 1);
        if (split.to() >= 0 && offset >= split.to()) {
            to = from;
            ended = true;
        }
    }

    /** Ends the input with the line that holds the byte before the range's end. */
    private void clip() {
        if (ended || skipping || offset + (to - from) < split.to()) {
            return;
        }
        int lastByte = (int) Math.max(from, from + split.to() - 1 - offset);
        int newline = Lines.newline(buffer, lastByte, to);
        if (newline >= 0) {
            to = newline + 1;
            ended = true;
        }
    }

    @Override
    public void close() throws IOException {
        input.close();
    }
}
