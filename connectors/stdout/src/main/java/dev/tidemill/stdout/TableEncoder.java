package dev.tidemill.stdout;

import dev.tidemill.data.Batch;
import dev.tidemill.data.DataType;
import dev.tidemill.data.JsonText;
import dev.tidemill.data.Schema;
import dev.tidemill.formats.EncodedRows;
import dev.tidemill.formats.RowEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * Aligned columns for people. The header comes first, and again when a column has become wider or other columns come. Long values are cut;
 * control characters show as blanks, so that data cannot steer a terminal. Not thread-safe.
 */
final class TableEncoder implements RowEncoder {
    private static final int MAX_WIDTH = 60;
    private static final String GAP = "  ";

    private Schema schema;
    private List<Integer> columns = List.of();
    private int[] widths = {};

    @Override
    public void encode(Batch batch, EncodedRows out) {
        boolean header = !batch.schema().equals(schema);
        if (header) {
            begin(batch.schema());
        }
        List<String[]> lines = new ArrayList<>();
        for (int i = 0; i < batch.rows(); i++) {
            lines.add(cells(batch, batch.physicalRow(i)));
        }
        header |= widen(lines);
        if (lines.isEmpty()) {
            schema = null;
            return;
        }
        StringBuilder text = new StringBuilder();
        if (header) {
            header(text);
        }
        lines.forEach(line -> line(text, line));
        append(out, text);
    }

    private void begin(Schema newSchema) {
        schema = newSchema;
        columns = new ArrayList<>();
        for (int c = 0; c < schema.size(); c++) {
            if (!Schema.isEngineColumn(schema.field(c).name())) {
                columns.add(c);
            }
        }
        widths = new int[columns.size()];
        for (int i = 0; i < widths.length; i++) {
            widths[i] = Math.min(MAX_WIDTH, length(clean(name(i))));
        }
    }

    private String name(int i) {
        return schema.field(columns.get(i)).name();
    }

    private boolean widen(List<String[]> lines) {
        boolean wider = false;
        for (String[] line : lines) {
            for (int i = 0; i < widths.length; i++) {
                int length = length(line[i]);
                wider |= length > widths[i];
                widths[i] = Math.max(widths[i], length);
            }
        }
        return wider;
    }

    private String[] cells(Batch batch, int row) {
        String[] cells = new String[columns.size()];
        for (int i = 0; i < cells.length; i++) {
            int c = columns.get(i);
            cells[i] = cut(clean(text(batch.column(c).value(row), schema.type(c))));
        }
        return cells;
    }

    private static String text(Object value, DataType type) {
        return switch (value) {
            case null -> "";
            case Long ms when type instanceof DataType.Timestamp ->
                    Instant.ofEpochMilli(ms).toString();
            case Long ms when type instanceof DataType.Date ->
                    LocalDate.ofEpochDay(Math.floorDiv(ms, 86_400_000L)).toString();
            case byte[] _, List<?> _, Map<?, ?> _ -> JsonText.of(value);
            default -> value.toString();
        };
    }

    private static String clean(String text) {
        return text.codePoints().anyMatch(Character::isISOControl)
                ? text.codePoints()
                        .map(c -> Character.isISOControl(c) ? ' ' : c)
                        .collect(
                                StringBuilder::new,
                                StringBuilder::appendCodePoint,
                                StringBuilder::append)
                        .toString()
                : text;
    }

    private static String cut(String text) {
        if (length(text) <= MAX_WIDTH) {
            return text;
        }
        return text.substring(0, text.offsetByCodePoints(0, MAX_WIDTH - 1)) + "…";
    }

    private static int length(String text) {
        return text.codePointCount(0, text.length());
    }

    private void header(StringBuilder text) {
        String[] names = new String[widths.length];
        String[] rules = new String[widths.length];
        for (int i = 0; i < names.length; i++) {
            names[i] = cut(clean(name(i)));
            rules[i] = String.join("", Collections.nCopies(widths[i], "-"));
        }
        line(text, names);
        line(text, rules);
    }

    private void line(StringBuilder text, String[] cells) {
        int start = text.length();
        for (int i = 0; i < cells.length; i++) {
            String padding = " ".repeat(widths[i] - length(cells[i]));
            boolean right = schema.type(columns.get(i)).isNumeric();
            text.append(i == 0 ? "" : GAP).append(right ? padding + cells[i] : cells[i] + padding);
        }
        int end = text.length();
        while (end > start && text.charAt(end - 1) == ' ') {
            end--;
        }
        text.setLength(end);
        text.append('\n');
    }

    private static void append(EncodedRows out, StringBuilder text) {
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        System.arraycopy(bytes, 0, out.reserve(bytes.length), out.size(), bytes.length);
        out.advanceTo(out.size() + bytes.length);
        out.endRecord();
    }
}
