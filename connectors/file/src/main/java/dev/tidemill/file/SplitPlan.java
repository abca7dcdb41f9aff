package dev.tidemill.file;

import dev.tidemill.formats.FormatOptions.Format;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Divides files into splits. A packed file is one split, and so is a CSV file, since a newline in it may be within quotes. Other files are
 * cut into ranges for all
 * tasks when they are large; when time is declared to be ordered into smaller ones, so that the tasks stay close to each other in time.
 */
final class SplitPlan {
    static final long LEAST_RANGE = 8 << 20;

    private SplitPlan() {}

    static List<FileSplit> of(
            Location location, List<Path> files, Format format, int tasks, boolean timeOrdered)
            throws IOException {
        long total = 0;
        for (Path file : files) {
            total += Files.size(file);
        }
        long range = timeOrdered ? LEAST_RANGE : Math.max(LEAST_RANGE, Math.ceilDiv(total, tasks));
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
