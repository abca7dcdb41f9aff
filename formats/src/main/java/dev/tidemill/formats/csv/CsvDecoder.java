package dev.tidemill.formats.csv;

import dev.tidemill.data.Batch;
import dev.tidemill.data.Column;
import dev.tidemill.data.DataType;
import dev.tidemill.data.Field;
import dev.tidemill.data.Schema;
import dev.tidemill.formats.BadDataException;
import dev.tidemill.formats.BadDataSink;
import dev.tidemill.formats.Lines;
import dev.tidemill.formats.RecordDecoder;
import dev.tidemill.formats.RejectedData;
import dev.tidemill.formats.Utf8;
import dev.tidemill.formats.json.JsonOptions;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Decodes CSV (RFC 4180). An empty field without quotes is null, in quotes it is the empty string. A record with another number of fields
 * than the layout is bad.
 *
 * <p>With an inferred schema columns widen as values come: int64, float64, string; bool, string. With a declared schema a value that does
 * not fit is handled by the
 * policy. A number that no column could hold without loss makes its record bad.
 *
 * <p>An empty line is passed over, except with a single column, where it is the record of a null. After a bad record decoding goes on with
 * the line behind
 * the place of the error; a quote that is never closed costs its own line only.
 */
public final class CsvDecoder implements RecordDecoder {
    private final CsvOptions options;
    private final CsvRecord record;
    private final RejectedData rejected;
    private final List<Cell> cells = new ArrayList<>();

    /** The number of fields a record has; -1 before the header. */
    private int width = -1;

    private Schema schema;
    private int rows;
    private boolean skippingLine;

    public CsvDecoder(CsvOptions options, BadDataSink bad) {
        this.options = options;
        record = new CsvRecord(options.delimiter());
        rejected = new RejectedData(options.onBadData(), bad, options.wants(JsonOptions.RESCUED));
        for (Field field : options.schema().fields()) {
            if (options.wants(field.name())) {
                cells.add(new Cell(field.name(), field.type()));
            }
        }
        for (String name : options.wanted() == null ? List.<String>of() : options.wanted()) {
            if (cell(name) == null && !name.equals(JsonOptions.RESCUED)) {
                cells.add(new Cell(name, DataType.NULL));
            }
        }
        if (options.layout() != null) {
            setLayout(options.layout());
        }
    }

    private Cell cell(String name) {
        for (Cell cell : cells) {
            if (cell.name.equals(name)) {
                return cell;
            }
        }
        return null;
    }

    private void setLayout(List<String> names) {
        width = names.size();
        for (int i = 0; i < width; i++) {
            Cell cell = cell(names.get(i));
            if (cell == null && options.wanted() == null && !options.declared()) {
                cell = new Cell(names.get(i), DataType.NULL);
                for (int row = 0; row < rows; row++) {
                    cell.append();
                }
                cells.add(cell);
            }
            if (cell != null) {
                cell.field = i;
            }
        }
        schema = null;
    }

    @Override
    public int record(byte[] data, int from, int to, long offset) throws BadDataException {
        int before = rows;
        if (to - from > options.maxRecordBytes()) {
            reject(offset, tooLong(), data, from, to);
            return rows - before;
        }
        int end = record.scan(data, from, to, true);
        if (end == to) {
            accept(data, from, to, offset);
        } else {
            reject(
                    offset,
                    end >= 0 ? "something follows the record" : broken(end, data),
                    data,
                    from,
                    to);
        }
        return rows - before;
    }

    @Override
    public int lines(byte[] data, int from, int to, boolean last, long offset, int maxRows)
            throws BadDataException {
        int at = from;
        while (at < to && rows < maxRows) {
            int next =
                    skippingLine
                            ? skipLine(data, at, to)
                            : line(data, at, to, last, offset + at - from);
            if (next == at) {
                return at;
            }
            at = next;
        }
        return at;
    }

    private int skipLine(byte[] data, int at, int to) {
        int newline = Lines.newline(data, at, to);
        skippingLine = newline < 0;
        return newline < 0 ? to : newline + 1;
    }

    /** Decodes the record at {@code at}; returns where the next begins, or {@code at} when this one has not all come yet. */
    private int line(byte[] data, int at, int to, boolean last, long offset)
            throws BadDataException {
        int behindBlank = width == 1 ? at : Lines.behindBlankLine(data, at, to, last);
        if (behindBlank > at) {
            return behindBlank;
        }
        int next = record.scan(data, at, to, last);
        if (next == CsvRecord.INCOMPLETE && !last && to - at <= options.maxRecordBytes()) {
            return at;
        }
        if (next < 0) {
            return brokenLine(next, data, at, to, offset);
        }
        if (record.end() - at > options.maxRecordBytes()) {
            reject(offset, tooLong(), data, at, record.end());
        } else if (width < 0) {
            readHeader(data, offset);
        } else {
            accept(data, at, record.end(), offset);
        }
        return next;
    }

    /** Passes over the line in which the record broke, or over the first line of a record without an end. */
    private int brokenLine(int outcome, byte[] data, int at, int to, long offset)
            throws BadDataException {
        int newline = Lines.newline(data, outcome == CsvRecord.BROKEN ? record.errorAt() : at, to);
        int end = newline < 0 ? to : newline;
        boolean isTooLong = end - at > options.maxRecordBytes();
        skippingLine = newline < 0;
        if (width < 0) {
            throw new BadDataException("the header is broken: " + broken(outcome, data));
        }
        reject(offset, isTooLong ? tooLong() : broken(outcome, data), data, at, end);
        return newline < 0 ? to : newline + 1;
    }

    private String broken(int outcome, byte[] data) {
        if (outcome == CsvRecord.INCOMPLETE) {
            return "a quote is never closed";
        }
        return "found "
                + show(data[record.errorAt()])
                + " behind a closing quote where a delimiter or the end of the line was expected";
    }

    private static String show(byte value) {
        return value > ' ' && value < 0x7F
                ? "'" + (char) value + "'"
                : String.format("byte 0x%02X", value);
    }

    private String tooLong() {
        return "longer than " + options.maxRecordBytes() + " bytes";
    }

    private void readHeader(byte[] data, long offset) throws BadDataException {
        List<String> names = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < record.count(); i++) {
            String name = fieldText(data, i);
            names.add(name.isEmpty() ? "column" + (i + 1) : name);
            if (!seen.add(names.get(i))) {
                throw new BadDataException(
                        "the header at offset "
                                + offset
                                + " names the column "
                                + names.get(i)
                                + " twice");
            }
        }
        setLayout(names);
    }

    private String fieldText(byte[] data, int field) throws BadDataException {
        int from = record.start(field);
        int to = record.end(field);
        if (Utf8.firstBad(data, from, to) >= 0) {
            throw new BadDataException("the header is not UTF-8");
        }
        byte[] text = new byte[to - from];
        if (record.hasDoubledQuotes(field)) {
            return new String(text, 0, record.unquote(data, field, text), StandardCharsets.UTF_8);
        }
        return new String(data, from, to - from, StandardCharsets.UTF_8);
    }

    private void accept(byte[] data, int from, int to, long offset) throws BadDataException {
        if (record.count() != width) {
            reject(
                    offset,
                    "the record has "
                            + record.count()
                            + " fields where "
                            + width
                            + " were expected",
                    data,
                    from,
                    to);
            return;
        }
        String misfitColumn = null;
        String misfitReason = null;
        try {
            for (Cell cell : cells) {
                if (cell.field < 0) {
                    continue;
                }
                DataType before = cell.type();
                String misfit = cell.parse(record, data, !options.declared());
                if (misfit != null && misfitColumn == null) {
                    misfitColumn = cell.name;
                    misfitReason = misfit;
                }
                if (before != cell.type()) {
                    schema = null;
                }
            }
        } catch (Cell.Unusable e) {
            reject(offset, e.getMessage(), data, from, to);
            return;
        }
        if (misfitColumn == null) {
            rejected.good();
        } else if (!rejected.misfit(offset, misfitColumn, misfitReason, data, from, to)) {
            return;
        }
        appendRow();
    }

    private void reject(long offset, String reason, byte[] data, int from, int to)
            throws BadDataException {
        if (!rejected.record(offset, reason, data, from, to)) {
            return;
        }
        for (Cell cell : cells) {
            cell.setNull();
        }
        appendRow();
    }

    private void appendRow() {
        for (Cell cell : cells) {
            cell.append();
        }
        rows++;
    }

    @Override
    public Schema schema() {
        if (schema != null) {
            return schema;
        }
        List<Field> fields = new ArrayList<>();
        for (Cell cell : cells) {
            fields.add(new Field(cell.name, cell.type()));
        }
        if (rejected.hasColumn()) {
            fields.add(new Field(JsonOptions.RESCUED, DataType.UTF8));
        }
        schema = new Schema(fields);
        return schema;
    }

    @Override
    public int rows() {
        return rows;
    }

    @Override
    public Batch take() {
        Schema batchSchema = schema();
        Column[] columns = new Column[batchSchema.size()];
        for (int i = 0; i < cells.size(); i++) {
            columns[i] = cells.get(i).take();
        }
        if (rejected.hasColumn()) {
            columns[cells.size()] = rejected.column();
        }
        Batch batch = Batch.of(batchSchema, columns, rows);
        rows = 0;
        return batch;
    }
}
