package dev.tidemill.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BatchCodecTest {
    static LongStream seeds() {
        return LongStream.range(0, 120);
    }

    private static Batch random(Random random) {
        int rows = random.nextInt(4) == 0 ? 0 : random.nextInt(2500);
        List<Field> fields = new ArrayList<>();
        List<Column> columns = new ArrayList<>();
        for (int i = random.nextInt(4); i >= 0; i--) {
            DataType type = RandomValues.type(random, 2);
            fields.add(new Field("c" + i + "é", type));
            columns.add(RandomValues.column(type, RandomValues.values(random, type, rows)));
        }
        Batch batch = Batch.of(new Schema(fields), columns.toArray(Column[]::new), rows);
        if (rows == 0 || random.nextBoolean()) {
            return batch;
        }
        int[] alive = random.ints(0, rows).limit(rows / 2).sorted().distinct().toArray();
        return batch.select(new Selection(alive, alive.length));
    }

    private static byte[] written(Batch batch) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        BatchCodec.write(batch, new DataOutputStream(bytes));
        return bytes.toByteArray();
    }

    private static Batch read(byte[] bytes) throws IOException {
        return BatchCodec.read(new DataInputStream(new ByteArrayInputStream(bytes)));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whatIsReadIsWhatWasWritten(long seed) throws IOException {
        Batch batch = random(new Random(seed)).compact();
        Batch back = read(written(batch));
        assertThat(back.schema()).isEqualTo(batch.schema());
        assertThat(back.rows()).isEqualTo(batch.rows());
        for (int i = 0; i < batch.columnCount(); i++) {
            assertThat(RandomValues.rows(back.column(i)))
                    .as("seed %d, %s", seed, batch.schema().type(i))
                    .isEqualTo(RandomValues.rows(batch.column(i)));
        }
    }

    /** A cut anywhere is an error that says so, and takes no more memory than there are bytes. */
    @Test
    void bytesThatEndTooEarlyAreNoBatch() throws IOException {
        byte[] bytes = written(random(new Random(3)));
        for (int length = 0; length < bytes.length; length += 1 + bytes.length / 300) {
            byte[] cut = java.util.Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> read(cut)).isInstanceOf(IOException.class);
        }
    }
}
