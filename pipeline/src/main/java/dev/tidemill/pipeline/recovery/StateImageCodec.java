package dev.tidemill.pipeline.recovery;

import dev.tidemill.data.Batch;
import dev.tidemill.data.BatchCodec;
import dev.tidemill.operators.StateImage;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * The image of a step's state as bytes: the number of the format, the values (name, long), the tables (name, their batches as {@link BatchCodec} writes them).
 * Described in docs/internals/epoch-format.md. Stateless and thread-safe.
 */
final class StateImageCodec {
    static final int FORMAT = 1;

    private StateImageCodec() {}

    static void write(StateImage image, DataOutputStream out) throws IOException {
        out.writeInt(FORMAT);
        out.writeInt(image.values().size());
        for (Map.Entry<String, Long> value : image.values().entrySet()) {
            out.writeUTF(value.getKey());
            out.writeLong(value.getValue());
        }
        out.writeInt(image.tables().size());
        for (Map.Entry<String, List<Batch>> table : image.tables().entrySet()) {
            out.writeUTF(table.getKey());
            out.writeInt(table.getValue().size());
            for (Batch batch : table.getValue()) {
                BatchCodec.write(batch, out);
            }
        }
    }

    /**
     * Reads what {@link #write} wrote, and nothing behind it.
     *
     * @throws IOException also when a newer version wrote it, or the bytes are none of an image
     */
    static StateImage read(DataInputStream in) throws IOException {
        int format = in.readInt();
        if (format != FORMAT) {
            throw new IOException(
                    "an image of state has format " + format + ", this version reads " + FORMAT);
        }
        StateImage image = new StateImage();
        int values = in.readInt();
        for (int i = 0; i < values; i++) {
            image.value(in.readUTF(), in.readLong());
        }
        int tables = in.readInt();
        for (int i = 0; i < tables; i++) {
            String name = in.readUTF();
            int batches = in.readInt();
            for (int j = 0; j < batches; j++) {
                image.rows(name, BatchCodec.read(in));
            }
        }
        if (in.read() >= 0) {
            throw new IOException("there are bytes behind the image of state");
        }
        return image;
    }
}
