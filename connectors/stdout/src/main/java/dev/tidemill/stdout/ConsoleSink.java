package dev.tidemill.stdout;

import dev.tidemill.data.Batch;
import dev.tidemill.formats.EncodedRows;
import dev.tidemill.formats.RowEncoder;
import dev.tidemill.spi.Sink;
import dev.tidemill.spi.SinkContext;
import dev.tidemill.spi.SinkWriter;
import java.io.IOException;
import java.util.function.Supplier;

/** Prints each batch with one write, so that rows appear at once and the rows of several tasks do not mix within a line. */
record ConsoleSink(Console console, Supplier<RowEncoder> encoders, boolean oneTask)
        implements Sink {
    @Override
    public boolean mayBlock() {
        return true;
    }

    @Override
    public int maxTasks() {
        return oneTask ? 1 : Integer.MAX_VALUE;
    }

    @Override
    public SinkWriter open(int task, int tasks, SinkContext context) {
        return new Writer(console, encoders.get());
    }

    private static final class Writer implements SinkWriter {
        private final Console console;
        private final RowEncoder encoder;
        private final EncodedRows rows = new EncodedRows();

        Writer(Console console, RowEncoder encoder) {
            this.console = console;
            this.encoder = encoder;
        }

        @Override
        public void write(Batch batch) throws IOException {
            encoder.encode(batch, rows);
            console.write(rows.data(), rows.size());
            rows.clear();
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
