package dev.tidemill.file;

import dev.tidemill.data.Batch;
import dev.tidemill.data.Field;
import dev.tidemill.data.Schema;
import dev.tidemill.formats.BadDataCollector;
import dev.tidemill.formats.BadDataException;
import dev.tidemill.formats.Formats;
import dev.tidemill.formats.OnBadData;
import dev.tidemill.formats.RecordDecoder;
import dev.tidemill.formats.json.JsonOptions;
import dev.tidemill.spi.SourceContext;
import dev.tidemill.spi.SourceOutput;
import dev.tidemill.spi.SourceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** Reads a task's splits: one after the other, or, when files are followed, all of them in turn. */
final class FileReader implements SourceReader {
    private static final long MOST_WAIT_MS = 100;

    private final FileSource source;
    private final int task;
    private final int tasks;
    private final SourceContext context;
    private final BadDataCollector bad;
    private final Object wake = new Object();

    /** Announced, with their numbers, and not begun. */
    private final ArrayDeque<Numbered> waiting = new ArrayDeque<>();

    /** Known and not announced, when time is ordered. */
    private final ArrayDeque<FileSplit> later = new ArrayDeque<>();

    private final List<Active> active = new ArrayList<>();

    /** Files that were followed and are gone; they may come back. */
    private final List<FileSplit> gone = new ArrayList<>();

    /**
     * The split number of each file that is being read, and how many ranges are announced under it. All ranges that a task has of one file are one split in
     * time: rows further down are no more late for being read beside earlier ones than if one task read the file from its beginning.
     */
    private final Map<String, Integer> numberOfFile = new HashMap<>();

    private final Map<Integer, Integer> rangesOfNumber = new HashMap<>();

    private boolean woken;
    private int nextNumber;
    private int newsFrom;
    private int turn;
    private Schema known;
    private Schema plainSchema;
    private Schema extendedSchema;

    private record Numbered(int number, FileSplit split) {}

    private record Active(int number, SplitReader reader) {}

    FileReader(
            FileSource source, List<FileSplit> splits, int task, int tasks, SourceContext context) {
        this.source = source;
        this.task = task;
        this.tasks = tasks;
        this.context = context;
        later.addAll(splits);
        known = source.start();
        bad =
                new BadDataCollector(
                        source.dataset(), source.format().onBadData() == OnBadData.DEAD_LETTER);
    }

    @Override
    public Status poll(SourceOutput out) throws Exception {
        announce(out);
        if (active.isEmpty() && !begin(out)) {
            return source.options().endless() ? idle() : Status.FINISHED;
        }
        if (source.options().follow()) {
            while (begin(out)) {
                // All files are read in turn.
            }
        }
        for (int i = 0; i < active.size(); i++) {
            turn = turn >= active.size() ? 0 : turn;
            if (step(out, active.get(turn))) {
                return Status.PROGRESS;
            }
            turn++;
        }
        return idle();
    }

    private Status idle() {
        if (source.mayBlock() && source.stdin() == null) {
            waitAWhile();
        }
        return Status.IDLE;
    }

    private void waitAWhile() {
        synchronized (wake) {
            if (!woken) {
                try {
                    wake.wait(Math.min(MOST_WAIT_MS, source.options().watchMs()));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            woken = false;
        }
    }

    @Override
    public void wakeup() {
        synchronized (wake) {
            woken = true;
            wake.notifyAll();
        }
        if (source.stdin() != null) {
            source.stdin().wakeup();
        }
    }

    // ---- splits ----

    /** Tells of splits: of all that are known, or with ordered time of the next one, so that those behind it do not hold time back. */
    private void announce(SourceOutput out) throws IOException {
        if (source.discovery() != null) {
            Discovery.News news = source.discovery().news(task, tasks, newsFrom);
            newsFrom = news.next();
            later.addAll(news.splits());
        }
        for (Iterator<FileSplit> each = gone.iterator(); each.hasNext(); ) {
            FileSplit split = each.next();
            if (Files.exists(split.file())) {
                later.add(split);
                each.remove();
            }
        }
        boolean one = source.options().timeOrdered() && !source.options().follow();
        while (!later.isEmpty() && (!one || waiting.isEmpty() && active.isEmpty())) {
            announceNext(out);
        }
    }

    private void announceNext(SourceOutput out) {
        FileSplit split = later.remove();
        Integer number = numberOfFile.get(split.path());
        if (number == null) {
            number = nextNumber++;
            numberOfFile.put(split.path(), number);
            out.splitAdded(number, split.path());
        }
        rangesOfNumber.merge(number, 1, Integer::sum);
        waiting.add(new Numbered(number, split));
    }

    /** One range less of a file; with its last one the file's split is finished. */
    private void leave(SourceOutput out, int number, FileSplit split) {
        if (rangesOfNumber.merge(number, -1, Integer::sum) == 0) {
            rangesOfNumber.remove(number);
            numberOfFile.remove(split.path());
            out.splitFinished(number);
        }
    }

    /** Opens the next split that is there; false when none waits. */
    private boolean begin(SourceOutput out) throws IOException {
        for (Numbered next = waiting.poll(); next != null; next = waiting.poll()) {
            SplitReader reader = open(next.split());
            if (reader != null) {
                active.add(new Active(next.number(), reader));
                return true;
            }
            leave(out, next.number(), next.split());
        }
        return false;
    }

    /** Null for a file that is gone again, as happens where files come and go while the source runs. */
    private SplitReader open(FileSplit split) throws IOException {
        RecordDecoder decoder = Formats.fileDecoder(source.format(), known, source.wanted(), bad);
        try {
            return new SplitReader(
                    split, source.input(split), decoder, source.engineColumns().needOffsets());
        } catch (NoSuchFileException e) {
            return gone(split, e);
        } catch (IOException e) {
            throw failure(split, e);
        }
    }

    private SplitReader gone(FileSplit split, NoSuchFileException e) throws IOException {
        if (!source.options().endless()) {
            throw failure(split, e);
        }
        if (source.options().follow()) {
            gone.add(split);
        } else {
            context.notices().warn("the file " + split.file() + " was removed before it was read");
        }
        return null;
    }

    /** Reads on in a split; true when something was done. */
    private boolean step(SourceOutput out, Active current) throws Exception {
        SplitReader reader = current.reader();
        bad.split(reader.split().identity());
        SplitReader.State state;
        try {
            state = reader.step(context.batchRows());
        } catch (BadDataException e) {
            throw bad.withPlace(e);
        } catch (IOException e) {
            throw failure(reader.split(), e);
        } finally {
            bad.flush(out);
        }
        int rows = reader.decoder().rows();
        if (rows > 0 && state != SplitReader.State.MORE) {
            emit(out, current);
        }
        switch (state) {
            case FULL, MORE -> {}
            case EMPTY -> {
                out.splitCaughtUp(current.number());
                return rows > 0;
            }
            case END -> finish(out, current);
        }
        return true;
    }

    private static IOException failure(FileSplit split, IOException e) {
        String why =
                e instanceof NoSuchFileException
                        ? "it is gone"
                        : e.getMessage() == null ? e.toString() : e.getMessage();
        return new IOException("cannot read " + split.identity() + ": " + why, e);
    }

    private void emit(SourceOutput out, Active current) {
        SplitReader reader = current.reader();
        Batch batch = reader.decoder().take();
        if (!source.engineColumns().names().isEmpty()) {
            if (batch.schema() != plainSchema) {
                plainSchema = batch.schema();
                extendedSchema = source.engineColumns().extend(plainSchema);
            }
            batch =
                    source.engineColumns()
                            .extend(
                                    batch,
                                    extendedSchema,
                                    reader.split(),
                                    current.number(),
                                    reader.rowOffsets());
        }
        out.batch(batch.withSplit(current.number()));
    }

    private void finish(SourceOutput out, Active current) throws IOException {
        active.remove(current);
        current.reader().close();
        if (!source.schemaIsFinal()) {
            known = known.widen(visible(current.reader().decoder().schema()));
        }
        FileSplit split = current.reader().split();
        if (source.options().follow()) {
            gone.add(FileSplit.whole(split.file(), split.name()));
        }
        // The next split is told of before this one leaves, so that the task is never without one
        // and time stays.
        if (waiting.isEmpty() && active.isEmpty() && !later.isEmpty()) {
            announceNext(out);
        }
        leave(out, current.number(), split);
    }

    /** What the next decoder starts with: not the column of rescued text, which it adds itself. */
    private static Schema visible(Schema schema) {
        List<Field> fields = new ArrayList<>(schema.fields());
        fields.removeIf(field -> field.name().equals(JsonOptions.RESCUED));
        return new Schema(fields);
    }

    @Override
    public void close() throws IOException {
        IOException failure = null;
        for (Active each : active) {
            try {
                each.reader().close();
            } catch (IOException e) {
                failure = e;
            }
        }
        active.clear();
        if (failure != null) {
            throw failure;
        }
    }
}
