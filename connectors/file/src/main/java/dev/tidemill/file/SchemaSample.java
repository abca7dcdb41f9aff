package dev.tidemill.file;

import dev.tidemill.data.Schema;
import dev.tidemill.formats.BadDataException;
import dev.tidemill.formats.FormatOptions;
import dev.tidemill.formats.Formats;
import dev.tidemill.formats.OnBadData;
import dev.tidemill.formats.RecordDecoder;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Infers the columns of a dataset from its first records. */
final class SchemaSample {
    private static final int BATCH_ROWS = 1024;

    private final FormatOptions format;
    private final Ignored bad = new Ignored();
    private Schema schema = new Schema(List.of());
    private int rows;

    SchemaSample(FormatOptions format) {
        this.format =
                new FormatOptions(
                        format.format(),
                        format.delimiter(),
                        format.maxMessageBytes(),
                        Optional.empty(),
                        format.inferSample(),
                        OnBadData.DROP,
                        Optional.empty(),
                        format.maxRecordBytes(),
                        format.maxDepth());
    }

    Schema schema() {
        return schema;
    }

    /** The number of rows seen. */
    int rows() {
        return rows;
    }

    String firstBadReason() {
        return bad.firstReason();
    }

    boolean isEnough() {
        return rows >= format.inferSample();
    }

    /** Reads from the beginning of an input until the sample is large enough, or nothing comes for now although rows have come. */
    void read(FileSplit split, ByteInput input) throws IOException, BadDataException {
        RecordDecoder decoder = Formats.fileDecoder(format, schema, null, bad);
        SplitReader reader = new SplitReader(split, input, decoder, false);
        for (SplitReader.State state = SplitReader.State.MORE;
                state != SplitReader.State.END && !isEnough(); ) {
            state = reader.step(Math.min(BATCH_ROWS, format.inferSample() - rows));
            int taken = decoder.rows();
            decoder.take();
            rows += taken;
            if (state == SplitReader.State.EMPTY && rows > 0 && taken == 0) {
                break;
            }
        }
        schema = schema.widen(decoder.schema());
    }
}
