package dev.tidemill.expr;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemill.data.Batch;
import dev.tidemill.data.BytesColumn;
import dev.tidemill.data.DataType;
import dev.tidemill.data.Field;
import dev.tidemill.data.Schema;
import dev.tidemill.expr.FunctionExamplesTest.Evaluation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Longer texts of few letters, where searches nearly match, against the reference. */
class TextKernelsTest {
    private static final Schema SCHEMA = Schema.of(new Field("s", DataType.UTF8));

    @Test
    void searchesAndSlicesFollowTheReference() throws Exception {
        Random random = new Random(8);
        for (int round = 0; round < 300; round++) {
            String[] texts = new String[50];
            for (int i = 0; i < texts.length; i++) {
                texts[i] = random.nextInt(8) == 0 ? null : text(random, 40);
            }
            BytesColumn column = BytesColumn.of(texts);
            if (random.nextBoolean()) {
                // Not at the beginning of its bytes.
                int[] offsets =
                        java.util.Arrays.stream(column.offsets())
                                .map(offset -> offset + 3)
                                .toArray();
                byte[] data = new byte[column.data().length + 3];
                System.arraycopy(column.data(), 0, data, 3, column.data().length);
                column =
                        new BytesColumn(
                                DataType.UTF8, offsets, data, column.validity(), texts.length);
            }
            Batch batch = Batch.of(SCHEMA, column);
            String part = text(random, random.nextInt(1, 12));
            int n = random.nextInt(-3, 12);
            for (String call :
                    List.of(
                            "contains(s, '" + part + "')",
                            "startsWith(s, '" + part + "')",
                            "endsWith(s, '" + part + "')",
                            "splitPart(s, '" + part + "', " + Math.max(1, n) + ")",
                            "substr(s, " + n + ", " + random.nextInt(9) + ")",
                            "substr(s, " + n + ")",
                            "left(s, " + n + ")",
                            "length(s)",
                            "upper(s)",
                            "lower(s)",
                            "s == '" + part + "'",
                            "s < '" + part + "'",
                            "s + '" + part + "' + s")) {
                if (call.startsWith("splitPart(s, ''")) {
                    continue;
                }
                Node root = new Parser(call).parse();
                List<Object> wanted = new ArrayList<>();
                for (String text : texts) {
                    Map<String, Object> row = new java.util.HashMap<>();
                    row.put("s", text);
                    wanted.add(Reference.eval(root, row));
                }
                assertThat(Evaluation.of(call, batch)).as(call).isEqualTo(wanted);
            }
        }
    }

    private static String text(Random random, int length) {
        boolean ascii = random.nextBoolean();
        StringBuilder out = new StringBuilder();
        for (int i = random.nextInt(length + 1); i > 0; i--) {
            out.append(
                    random.nextInt(6) == 0
                            ? ascii ? "Z" : "\u00e9\ud83d\ude00"
                            : random.nextBoolean() ? "a" : "b");
        }
        return out.toString();
    }
}
