package dev.tidemill.file;

import dev.tidemill.formats.FormatOptions.Format;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Divides files into ranges that tasks take in turn. A packed file is one range, and so is a CSV file, since a newline in it may be within quotes. Ranges are
 * small, so that the tasks stay close to each other in time and windows over the file do not wait for whichever lags.
 */
final class SplitPlan {
    static final long RANGE = 8 << 20;

    private SplitPlan() {}

    /** @param tasks with one task there is nothing to share, and files stay whole */
    static List<FileSplit> of(Location location, List<Path> files, Format format, int tasks)
            throws IOException {
        long range = tasks == 1 ? Long.MAX_VALUE : RANGE;
        List<FileSplit> splits = new ArrayList<>();
        for (Path file : files) {
            boolean whole =
                    format == Format.CSV
                            || Compression.of(file.getFileName().toString()) != Compression.NONE;
            addRanges(splits, file, location.nameOf(file), whole ? Long.MAX_VALUE : range);
        }
        return splits;
    }

    static void addRanges(List<FileSplit> splits, Path file, String name, long range)
            throws IOException {
        long size = Files.size(file);
        // A last range of less than half the size is not worth a split.
        long from = 0;
        while (size - from - range > range / 2) {
            splits.add(new FileSplit(file, name, from, from + range));
            from += range;
        }
        splits.add(new FileSplit(file, name, from, -1));
    }
}
