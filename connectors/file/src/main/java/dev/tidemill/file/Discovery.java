package dev.tidemill.file;

import dev.tidemill.spi.Clock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Looks for new files on behalf of all tasks, at most once each interval, and deals them out in turn. Thread-safe. */
final class Discovery {
    private final Location location;
    private final Predicate<Path> accepts;
    private final long intervalNanos;
    private final Clock clock;
    private final Set<Path> seen;
    private final List<FileSplit> found = new ArrayList<>();
    private long nextLook;

    /** @param known the files that are read anyway */
    Discovery(
            Location location,
            Predicate<Path> accepts,
            List<Path> known,
            long intervalMs,
            Clock clock) {
        this.location = location;
        this.accepts = accepts;
        this.clock = clock;
        intervalNanos = intervalMs * 1_000_000;
        seen = new HashSet<>(known);
        nextLook = clock.nanos();
    }

    /** The splits of task {@code task} from the {@code from}th file found on, in the order they were found, with the number to go on from. */
    synchronized News news(int task, int tasks, int from) throws IOException {
        if (clock.nanos() - nextLook >= 0) {
            look();
            nextLook = clock.nanos() + intervalNanos;
        }
        List<FileSplit> mine = new ArrayList<>();
        for (int i = from; i < found.size(); i++) {
            if (i % tasks == task) {
                mine.add(found.get(i));
            }
        }
        return new News(mine, found.size());
    }

    record News(List<FileSplit> splits, int next) {}

    private void look() throws IOException {
        for (Path file : location.list()) {
            if (accepts.test(file) && seen.add(file)) {
                found.add(FileSplit.whole(file, location.nameOf(file)));
            }
        }
    }
}
