package dev.tidemill.expr;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemill.data.Batch;
import dev.tidemill.data.Column;
import dev.tidemill.data.Selection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The kernels give, for every row, the value of the row by row reference, or fail where it does. */
class ReferencePropertyTest {
    private static final int TREES = 400;
    private static final int[] SIZES = {0, 1, 7, 63, 64, 65, 130, 1023, 1024, 1025};

    static LongStream seeds() {
        return LongStream.of(1, 2, 3, System.nanoTime());
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void kernelsFollowTheReference(long seed) throws ExpressionException {
        Random random = new Random(seed);
        RandomExpression expressions = new RandomExpression(random);
        RowErrors errors = new RowErrors();
        for (int tree = 0; tree < TREES; tree++) {
            String text = expressions.any(1 + random.nextInt(4));
            BoundExpression bound = Expression.parse(text).bind(RandomRows.SCHEMA);
            Node root = new Parser(text).parse();
            // Two batches with one bound expression: what it keeps between them must not show.
            for (int round = 0; round < 2; round++) {
                RandomRows rows = RandomRows.of(random, SIZES[random.nextInt(SIZES.length)]);
                String where = "seed " + seed + ", tree " + tree + ": " + text;
                try {
                    check(bound, root, rows, errors, where);
                } catch (RuntimeException e) {
                    throw new AssertionError(where, e);
                }
            }
        }
    }

    private static void check(
            BoundExpression bound, Node root, RandomRows rows, RowErrors errors, String where) {
        Batch batch = rows.batch;
        errors.reset(batch.physicalRows());
        Column column = bound.eval(batch, errors);
        assertThat(column.length()).as(where).isEqualTo(batch.physicalRows());
        assertThat(column.type()).as(where).isEqualTo(bound.type());
        List<Integer> chosen = new ArrayList<>();
        int failed = 0;
        int notFilterable = 0;
        for (int i = 0; i < batch.rows(); i++) {
            int row = batch.physicalRow(i);
            Map<String, Object> values = rows.rows.get(row);
            try {
                Object wanted = Reference.eval(root, values);
                if (errors.has(row)) {
                    throw new AssertionError(
                            where
                                    + "\non "
                                    + values
                                    + "\nfailed: "
                                    + errors.reason(row)
                                    + "\nwanted: "
                                    + wanted);
                }
                Object found = Values.of(column, row);
                if (!same(found, wanted)) {
                    throw new AssertionError(
                            where
                                    + "\non "
                                    + values
                                    + "\nfound:  "
                                    + found
                                    + "\nwanted: "
                                    + wanted);
                }
                if (Boolean.TRUE.equals(wanted)) {
                    chosen.add(row);
                } else if (wanted != null && !(wanted instanceof Boolean)) {
                    notFilterable++;
                }
            } catch (Reference.Failed e) {
                failed++;
                if (!errors.has(row)) {
                    throw new AssertionError(
                            where
                                    + "\non "
                                    + values
                                    + "\nfound:  "
                                    + Values.of(column, row)
                                    + "\nwanted: failure, "
                                    + e.getMessage());
                }
            }
        }
        assertThat(errors.count()).as(where).isEqualTo(failed);

        errors.reset(batch.physicalRows());
        Selection selection = bound.filter(batch, errors);
        assertThat(Arrays.stream(selection.rows()).limit(selection.count()).boxed())
                .as(where)
                .isEqualTo(chosen);
        assertThat(errors.count()).as(where).isEqualTo(failed + notFilterable);
    }

    /** As {@code ==}, but NaN is itself. */
    private static boolean same(Object a, Object b) {
        if (a instanceof Double x && b instanceof Double y && x.isNaN() && y.isNaN()) {
            return true;
        }
        if (a instanceof List<?> x && b instanceof List<?> y) {
            boolean same = x.size() == y.size();
            for (int i = 0; same && i < x.size(); i++) {
                same = same(x.get(i), y.get(i));
            }
            return same;
        }
        return Reference.equal(a, b);
    }
}
