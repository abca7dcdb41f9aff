package dev.tidemill.file;

import dev.tidemill.data.Batch;
import dev.tidemill.data.Casts;
import dev.tidemill.data.DataType;
import dev.tidemill.data.Field;
import dev.tidemill.data.Schema;
import dev.tidemill.formats.CsvEncoder;
import dev.tidemill.formats.EncodedRows;
import dev.tidemill.formats.FormatOptions;
import dev.tidemill.formats.FormatOptions.Format;
import dev.tidemill.formats.Formats;
import dev.tidemill.formats.RowEncoder;
import dev.tidemill.spi.ConfigException;
import dev.tidemill.spi.SinkWriter;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Writes one task's rows, part after part. A part is begun with the first row it gets. */
final class FileWriter implements SinkWriter {
    private static final int WRITE_BYTES = 1 << 18;

    private final FormatOptions format;
    private final Output output;
    private final long rollBytes;
    private final int task;
    private final boolean durable;
    private final RowEncoder encoder;
    private final EncodedRows rows = new EncodedRows();

    private final Closeable onClose;
    private boolean closed;

    /** Parts that wait for the end of the epoch. */
    private final List<Integer> ended = new ArrayList<>();

    private Part part;
    private int number;

    /** The columns that the part's header names, in CSV. */
    private Schema header;

    private Schema lastSchema;
    private Schema lastConformed;

    /**
     * @param durable whether another writer may go on from any epoch
     * @param restored what all writers said at the epoch to go on from; none for a run that begins anew
     * @param onClose is run once, when the writer is closed
     */
    FileWriter(
            FormatOptions format,
            Output output,
            long rollBytes,
            int task,
            boolean durable,
            List<Handle> restored,
            Closeable onClose)
            throws IOException, ConfigException {
        this.onClose = onClose;
        this.format = format;
        this.output = output;
        this.rollBytes = rollBytes;
        this.task = task;
        this.durable = durable;
        encoder = Formats.encoder(format, true);
        number = output.last(task);
        for (Handle handle : restored) {
            if (handle instanceof Handle.Whole whole) {
                resume(whole);
            }
        }
    }

    private void resume(Handle.Whole whole) throws IOException {
        number++;
        part =
                new Part(
                        output.staging(task, number),
                        output.published(task, number),
                        output.compression(),
                        whole.length());
        if (!whole.header().isEmpty()) {
            header = headerOf(whole.header());
        }
    }

    private static Schema headerOf(List<String> names) {
        return new Schema(names.stream().map(name -> new Field(name, DataType.NULL)).toList());
    }

    @Override
    public void write(Batch batch) throws IOException {
        if (batch.rows() == 0) {
            return;
        }
        Batch fitted = format.format() == Format.CSV ? conform(batch) : batch;
        if (part == null) {
            open();
        }
        if (header == null) {
            begin(fitted.schema());
        }
        encoder.encode(fitted, rows);
        if (rows.size() >= WRITE_BYTES) {
            writeOut();
        }
        if (rollBytes > 0 && part.bytes() + rows.size() >= rollBytes) {
            endPart();
        }
    }

    /** A CSV part has the columns of its header: a batch with fewer gets nulls, one with more begins a new part. */
    private Batch conform(Batch batch) throws IOException {
        if (batch.schema() == lastSchema && header != null) {
            return lastConformed == lastSchema ? batch : Casts.conform(batch, lastConformed);
        }
        lastSchema = batch.schema();
        lastConformed = lastSchema;
        if (header == null || outsideNames(lastSchema).equals(outsideNames(header))) {
            return batch;
        }
        for (Field field : lastSchema.fields()) {
            if (header.indexOf(field.name()) < 0 && !Schema.isEngineColumn(field.name())) {
                return withMore(field, batch);
            }
        }
        lastConformed = inHeaderOrder();
        return Casts.conform(batch, lastConformed);
    }

    private Batch withMore(Field field, Batch batch) throws IOException {
        if (!output.hasParts()) {
            throw new IOException(
                    "a CSV file cannot take the column "
                            + field.name()
                            + " behind its header, "
                            + header.names()
                            + "; declare a schema, or write json or a directory");
        }
        endPart();
        return batch;
    }

    private Schema inHeaderOrder() {
        List<Field> fields = new ArrayList<>();
        for (Field field : header.fields()) {
            int index = lastSchema.indexOf(field.name());
            fields.add(new Field(field.name(), index < 0 ? DataType.NULL : lastSchema.type(index)));
        }
        return new Schema(fields);
    }

    /** Engine columns are not written. */
    private static List<String> outsideNames(Schema schema) {
        return schema.names().stream().filter(name -> !Schema.isEngineColumn(name)).toList();
    }

    private void open() throws IOException {
        number++;
        part =
                new Part(
                        output.staging(task, number),
                        output.published(task, number),
                        output.compression());
        header = null;
    }

    private void begin(Schema schema) throws IOException {
        header = schema;
        if (encoder instanceof CsvEncoder csv) {
            byte[] line = csv.header(schema);
            part.write(line, line.length);
        }
    }

    private void writeOut() throws IOException {
        if (part != null && rows.size() > 0) {
            part.write(rows.data(), rows.size());
        }
        rows.clear();
    }

    /** The part is whole and on the disk, and waits for its epoch. */
    private void endPart() throws IOException {
        finish();
        ended.add(number);
    }

    private long finish() throws IOException {
        writeOut();
        long length = part.finish();
        part = null;
        header = null;
        return length;
    }

    @Override
    public void flush() throws IOException {
        writeOut();
        if (part != null) {
            part.flush();
        }
    }

    /** A directory gets a part for each epoch; a single file grows until the last. It is there afterwards even when no row came. */
    @Override
    public String prepare(boolean last) throws IOException {
        Handle handle = output.hasParts() ? prepareParts() : prepareWhole(last);
        return handle == null ? null : handle.toText();
    }

    private Handle prepareParts() throws IOException {
        if (part != null) {
            endPart();
        }
        if (ended.isEmpty() && !durable) {
            return null;
        }
        Handle handle = new Handle.Parts(task, number, ended);
        ended.clear();
        return handle;
    }

    private Handle prepareWhole(boolean last) throws IOException {
        if (!last && !durable) {
            flush();
            return null;
        }
        if (part == null) {
            open();
        }
        List<String> names = header == null ? List.of() : outsideNames(header);
        if (last) {
            return new Handle.Whole(finish(), true, names);
        }
        writeOut();
        return new Handle.Whole(part.endFrame(), false, names);
    }

    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        try {
            if (part != null && durable && !output.hasParts()) {
                // The epoch that stands has the beginning of it.
                part.close();
            } else if (part != null) {
                part.abandon();
            }
        } finally {
            onClose.close();
        }
    }
}
