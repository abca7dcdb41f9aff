package dev.tidemill.formats;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Remembers what could not be used. */
public final class Recorder implements BadDataSink {
    public record Bad(long offset, String column, String reason, String text) {}

    public final List<Bad> records = new ArrayList<>();
    public final List<Bad> misfits = new ArrayList<>();

    @Override
    public void badRecord(long offset, String reason, byte[] data, int from, int to) {
        records.add(
                new Bad(
                        offset,
                        null,
                        reason,
                        new String(data, from, to - from, StandardCharsets.ISO_8859_1)));
    }

    @Override
    public void misfit(long offset, String column, String reason, byte[] data, int from, int to) {
        misfits.add(
                new Bad(
                        offset,
                        column,
                        reason,
                        new String(data, from, to - from, StandardCharsets.ISO_8859_1)));
    }
}
