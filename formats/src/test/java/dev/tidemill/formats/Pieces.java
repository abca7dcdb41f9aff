package dev.tidemill.formats;

import dev.tidemill.data.Batch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;

/** Feeds a decoder in pieces, as a reader does: what was not taken comes again in front of the next piece. */
public final class Pieces {
    private Pieces() {}

    /** The rows, each without its nulls, so that batches with fewer columns compare. */
    public static List<Map<String, Object>> decode(
            RecordDecoder decoder, byte[] input, IntSupplier pieces, int batchRows)
            throws BadDataException {
        List<Map<String, Object>> rows = new ArrayList<>();
        int from = 0;
        int to = 0;
        boolean last = false;
        while (from < input.length) {
            int at = decoder.lines(padded(input, to), from, to, last, from, batchRows);
            boolean full = decoder.rows() >= batchRows;
            if (full) {
                take(decoder, rows);
            }
            if (at == from && !full) {
                if (last) {
                    throw new AssertionError(
                            "the decoder left " + (to - from) + " bytes at the end");
                }
                to = Math.min(input.length, to + Math.max(1, pieces.getAsInt()));
                last = to == input.length;
            }
            from = at;
        }
        take(decoder, rows);
        return rows;
    }

    /** What is behind {@code to} is garbage that a decoder must not use. */
    private static byte[] padded(byte[] input, int to) {
        byte[] copy = Arrays.copyOf(input, to + 16);
        Arrays.fill(copy, to, to + 16, (byte) '"');
        return copy;
    }

    private static void take(RecordDecoder decoder, List<Map<String, Object>> rows) {
        Batch batch = decoder.take();
        for (int i = 0; i < batch.rows(); i++) {
            rows.add(withoutNulls(batch.row(i)));
        }
    }

    public static Map<String, Object> withoutNulls(Map<String, Object> row) {
        Map<String, Object> out = new LinkedHashMap<>(row);
        out.values().removeIf(value -> value == null);
        return out;
    }
}
