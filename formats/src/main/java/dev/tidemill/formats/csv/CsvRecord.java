package dev.tidemill.formats.csv;

import dev.tidemill.data.LittleEndian;
import dev.tidemill.formats.Lines;
import java.util.Arrays;

/**
 * The fields of one CSV record as positions in its bytes (RFC 4180). A field in quotes may hold delimiters, line breaks and doubled quotes;
 * a quote inside
 * a field without quotes stands for itself. Not thread-safe.
 */
final class CsvRecord {
    /** The record has no end in these bytes. */
    static final int INCOMPLETE = -1;

    /** Something stands between a closing quote and the delimiter; {@link #errorAt} says where. */
    static final int BROKEN = -2;

    private static final byte QUOTE = '"';
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH = 0x8080808080808080L;
    private static final long NEWLINES = '\n' * ONES;

    private final byte delimiter;
    private final long delimiterWord;
    private int[] starts = new int[16];
    private int[] ends = new int[16];

    /** 0: without quotes; 1: in quotes; 2: in quotes, some doubled. */
    private byte[] quotes = new byte[16];

    private int count;
    private int end;
    private int errorAt;

    CsvRecord(char delimiter) {
        this.delimiter = (byte) delimiter;
        delimiterWord = delimiter * ONES;
    }

    int count() {
        return count;
    }

    int start(int field) {
        return starts[field];
    }

    int end(int field) {
        return ends[field];
    }

    boolean isQuoted(int field) {
        return quotes[field] != 0;
    }

    boolean hasDoubledQuotes(int field) {
        return quotes[field] == 2;
    }

    /** Where the record ends, before its line break. */
    int end() {
        return end;
    }

    int errorAt() {
        return errorAt;
    }

    /**
     * Finds the fields of the record at {@code at}.
     *
     * @param last whether the bytes end the input, so that they end the record too
     * @return the position behind the record and its line break, {@link #INCOMPLETE} or {@link #BROKEN}
     */
    int scan(byte[] data, int at, int to, boolean last) {
        count = 0;
        for (; ; ) {
            int next =
                    at < to && data[at] == QUOTE
                            ? quoted(data, at + 1, to, last)
                            : plain(data, at, to, last);
            if (next < 0) {
                return next;
            }
            if (next == to || data[next] != delimiter) {
                end = ends(next);
                return lineEnd(data, next, to);
            }
            at = next + 1;
        }
    }

    private int ends(int next) {
        return quotes[count - 1] == 0 ? ends[count - 1] : next;
    }

    private static int lineEnd(byte[] data, int at, int to) {
        if (at < to && data[at] == '\r') {
            at++;
        }
        return at < to && data[at] == '\n' ? at + 1 : at;
    }

    private int plain(byte[] data, int at, int to, boolean last) {
        int from = at;
        at = stop(data, at, to);
        if (at == to && !last) {
            return INCOMPLETE;
        }
        boolean carriageReturn =
                at > from && data[at - 1] == '\r' && (at == to || data[at] == '\n');
        add(from, carriageReturn ? at - 1 : at, (byte) 0);
        return at;
    }

    /** The first delimiter or newline, eight bytes at a time (Alan Mycroft, 1987). */
    private int stop(byte[] data, int at, int to) {
        for (; at <= to - 8; at += 8) {
            long word = LittleEndian.getLong(data, at);
            long delimiters = word ^ delimiterWord;
            long newlines = word ^ NEWLINES;
            long found = (delimiters - ONES & ~delimiters | newlines - ONES & ~newlines) & HIGH;
            if (found != 0) {
                return at + (Long.numberOfTrailingZeros(found) >>> 3);
            }
        }
        while (at < to && data[at] != delimiter && data[at] != '\n') {
            at++;
        }
        return at;
    }

    private int quoted(byte[] data, int at, int to, boolean last) {
        int from = at;
        byte kind = 1;
        for (; ; ) {
            int quote = Lines.indexOf(data, at, to, QUOTE);
            at = quote < 0 ? to : quote;
            if (at == to || at + 1 == to && !last) {
                return INCOMPLETE;
            }
            if (at + 1 < to && data[at + 1] == QUOTE) {
                kind = 2;
                at += 2;
                continue;
            }
            add(from, at, kind);
            return behindQuote(data, at + 1, to, last);
        }
    }

    private int behindQuote(byte[] data, int at, int to, boolean last) {
        if (at == to || data[at] == delimiter || data[at] == '\n') {
            return at;
        }
        if (data[at] == '\r') {
            if (at + 1 == to) {
                return last ? at : INCOMPLETE;
            }
            if (data[at + 1] == '\n') {
                return at;
            }
        }
        errorAt = at;
        return BROKEN;
    }

    private void add(int from, int to, byte kind) {
        if (count == starts.length) {
            starts = Arrays.copyOf(starts, 2 * count);
            ends = Arrays.copyOf(ends, 2 * count);
            quotes = Arrays.copyOf(quotes, 2 * count);
        }
        starts[count] = from;
        ends[count] = to;
        quotes[count] = kind;
        count++;
    }

    /** Copies a field to {@code target} at 0, doubled quotes as one; gives the length. {@code target} has room for the field's bytes. */
    int unquote(byte[] data, int field, byte[] target) {
        int length = 0;
        for (int i = starts[field]; i < ends[field]; i++) {
            target[length++] = data[i];
            if (data[i] == QUOTE) {
                i++;
            }
        }
        return length;
    }
}
