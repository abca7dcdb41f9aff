package dev.tidemill.testkit;

import dev.tidemill.data.Batch;
import dev.tidemill.data.Column;
import dev.tidemill.data.ColumnBuilder;
import dev.tidemill.data.Schema;
import java.util.List;

/** Batches for tests. */
public final class Batches {
    private Batches() {}

    /** One batch of rows; each has the values of the columns in order, as {@link Column#value} gives them. */
    public static Batch of(Schema schema, List<Object[]> rows) {
        Column[] columns = new Column[schema.size()];
        for (int c = 0; c < columns.length; c++) {
            ColumnBuilder builder = ColumnBuilder.of(schema.type(c));
            for (Object[] row : rows) {
                builder.append(row[c]);
            }
            columns[c] = builder.build();
        }
        return Batch.of(schema, columns, rows.size());
    }

    /** The living rows of both, which have equal schemas. */
    public static Batch concat(Batch a, Batch b) {
        if (!a.schema().equals(b.schema())) {
            throw new IllegalArgumentException(a.schema() + " and " + b.schema());
        }
        Column[] columns = new Column[a.columnCount()];
        for (int c = 0; c < columns.length; c++) {
            ColumnBuilder builder = ColumnBuilder.of(a.schema().type(c));
            for (Batch batch : List.of(a, b)) {
                for (int i = 0; i < batch.rows(); i++) {
                    builder.appendFrom(batch.column(c), batch.physicalRow(i));
                }
            }
            columns[c] = builder.build();
        }
        return Batch.of(a.schema(), columns, a.rows() + b.rows());
    }
}
