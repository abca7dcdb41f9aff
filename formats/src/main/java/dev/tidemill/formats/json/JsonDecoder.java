package dev.tidemill.formats.json;

import dev.tidemill.data.Batch;
import dev.tidemill.data.Casts;
import dev.tidemill.data.Column;
import dev.tidemill.data.DataType;
import dev.tidemill.data.Field;
import dev.tidemill.data.JsonText;
import dev.tidemill.data.LittleEndian;
import dev.tidemill.data.Schema;
import dev.tidemill.formats.BadDataException;
import dev.tidemill.formats.BadDataSink;
import dev.tidemill.formats.Numbers;
import dev.tidemill.formats.OnBadData;
import dev.tidemill.formats.RecordDecoder;
import dev.tidemill.formats.Utf8;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Decodes JSON objects straight into columns. Only the columns that are wanted are written; the rest is passed over but checked. Field
 * names are guessed from
 * what followed the last one before, so that in regular input no name is ever looked up.
 *
 * <p>With an inferred schema a column's type widens by {@link DataType#widen} as values come, and, when all columns are wanted, new fields become
 * columns. With a declared schema a value that does not fit is handled by the policy. A value that no column could hold without loss
 * (a whole number beyond int64) makes its record bad.
 */
public final class JsonDecoder implements RecordDecoder {
    /** Field names beyond so many are looked up each time, so that random names cannot fill memory. */
    private static final int MAX_KEYS = 4096;

    private static final int MIN_ROWS = 256;
    private static final long[] TENS = {1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000};

    private final JsonOptions options;
    private final BadDataSink bad;
    private final JsonScanner scanner;
    private final Map<String, Key> keys = new HashMap<>();
    private final Key start = new Key("", new byte[0]);

    /** Stands for names that are not remembered. */
    private final Key anonymous = new Key("", new byte[0]);

    private final List<Key> columns = new ArrayList<>();

    /** How to undo what the record at hand did to columns; the last first. */
    private final List<Runnable> undos = new ArrayList<>();

    private Schema schema;
    private Writer.Strings rescued;
    private int rows;
    private boolean skippingLine;
    private long recordOffset;
    private String misfitColumn;
    private String misfitReason;
    private int lastBatchRows = MIN_ROWS;

    public JsonDecoder(JsonOptions options, BadDataSink bad) {
        this.options = options;
        this.bad = bad;
        scanner = new JsonScanner(options.maxDepth());
        for (Field field : options.schema().fields()) {
            if (wanted(field.name())) {
                addColumn(key(field.name()), field.type());
            }
        }
        if (options.wanted() != null) {
            for (String name : options.wanted()) {
                if (key(name).column < 0 && !name.equals(JsonOptions.RESCUED)) {
                    addColumn(key(name), DataType.NULL);
                }
            }
        }
        if (options.onBadData() == OnBadData.RESCUE && wanted(JsonOptions.RESCUED)) {
            rescued = new Writer.Strings(DataType.UTF8, MIN_ROWS);
        }
        buildSchema();
    }

    @Override
    public Schema schema() {
        if (schema == null) {
            buildSchema();
        }
        return schema;
    }

    @Override
    public int record(byte[] data, int from, int to, long offset) throws BadDataException {
        scanner.newlineEnds(false);
        recordOffset = offset;
        if (to - from > options.maxRecordBytes()) {
            reject(tooLong(to - from), data, from, to);
            return 1;
        }
        int before = rows;
        try {
            int at = scanner.skipSpace(data, from, to);
            int end = object(data, at, to);
            if (scanner.skipSpace(data, end, to) != to) {
                throw new JsonError("something follows the object");
            }
            finishRow(data, from, to);
        } catch (JsonError e) {
            reject(e.getMessage(), data, from, to);
        }
        return rows - before;
    }

    @Override
    public int lines(byte[] data, int from, int to, boolean last, long offset, int maxRows)
            throws BadDataException {
        scanner.newlineEnds(true);
        int at = from;
        if (skippingLine) {
            at = indexOfNewline(data, from, to);
            if (at < 0) {
                return to;
            }
            at++;
            skippingLine = false;
        }
        while (at < to && rows < maxRows) {
            int next = line(data, at, to, last, offset + at - from);
            if (next == at) {
                return at;
            }
            at = next;
        }
        return at;
    }

    /** Decodes the line at {@code at}; returns where the next begins, or {@code at} when this one has not all come yet. */
    private int line(byte[] data, int at, int to, boolean last, long offset)
            throws BadDataException {
        recordOffset = offset;
        try {
            int begin = scanner.skipSpace(data, at, to);
            if (begin == to) {
                return last ? to : at;
            }
            int end = object(data, begin, to);
            while (end < to && (data[end] == ' ' || data[end] == '\r' || data[end] == '\t')) {
                end++;
            }
            if (end < to && data[end] != '\n') {
                throw new JsonError("something follows the object");
            }
            if (end == to && !last) {
                rollback();
                return incomplete(data, at, to);
            }
            if (end - at > options.maxRecordBytes()) {
                throw new JsonError(tooLong(end - at));
            }
            finishRow(data, at, end);
            return Math.min(end + 1, to);
        } catch (JsonError e) {
            return badLine(e, data, at, to, last);
        }
    }

    private int badLine(JsonError error, byte[] data, int at, int to, boolean last)
            throws BadDataException {
        int newline = indexOfNewline(data, at, to);
        if (newline < 0 && !last) {
            rollback();
            return incomplete(data, at, to);
        }
        int end = newline < 0 ? to : newline;
        if (isBlank(data, at, end)) {
            rollback();
        } else {
            int length = end - at;
            reject(
                    length > options.maxRecordBytes() ? tooLong(length) : error.getMessage(),
                    data,
                    at,
                    end);
        }
        return newline < 0 ? to : newline + 1;
    }

    /** The line has not all come: wait for more, unless it is too long already, then the rest of it is passed over. */
    private int incomplete(byte[] data, int at, int to) throws BadDataException {
        if (to - at <= options.maxRecordBytes()) {
            return at;
        }
        skippingLine = true;
        reject("longer than " + options.maxRecordBytes() + " bytes", data, at, to);
        return to;
    }

    private String tooLong(long bytes) {
        return "the record has " + bytes + " bytes, more than " + options.maxRecordBytes();
    }

    private static boolean isBlank(byte[] data, int from, int to) {
        for (int i = from; i < to; i++) {
            if (data[i] != ' ' && data[i] != '\t' && data[i] != '\r') {
                return false;
            }
        }
        return true;
    }

    private static int indexOfNewline(byte[] data, int from, int to) {
        for (int i = from; i < to; i++) {
            if (data[i] == '\n') {
                return i;
            }
        }
        return -1;
    }

    @Override
    public int rows() {
        return rows;
    }

    @Override
    public Batch take() {
        Schema batchSchema = schema();
        Column[] out = new Column[batchSchema.size()];
        for (int i = 0; i < columns.size(); i++) {
            out[i] = columns.get(i).writer.take(rows);
        }
        if (rescued != null) {
            out[columns.size()] = rescued.take(rows);
        }
        Batch batch = Batch.of(batchSchema, out, rows);
        lastBatchRows = Math.max(MIN_ROWS, rows);
        rows = 0;
        return batch;
    }

    // ---- one record ----

    private int object(byte[] data, int at, int to) throws JsonError {
        misfitColumn = null;
        JsonScanner scan = scanner;
        if (scan.peek(data, at, to) != '{') {
            throw new JsonError(kindOf(data[at]) + " where an object was expected");
        }
        at = at + 1 < to && data[at + 1] == '"' ? at + 1 : scan.skipSpace(data, at + 1, to);
        if (scan.peek(data, at, to) == '}') {
            return at + 1;
        }
        Key previous = start;
        for (; ; ) {
            Key key = previous.successor;
            if (key != null && key.matches(data, at, to)) {
                at += key.pattern.length;
            } else {
                key = readKey(data, at, to);
                at = afterKey;
                if (key != anonymous) {
                    previous.successor = key;
                }
            }
            previous = key;
            if (at < to && data[at] <= ' ') {
                at = scan.skipSpace(data, at, to);
            }
            at = value(key, data, at, to);
            if (at < to && data[at] <= ' ') {
                at = scan.skipSpace(data, at, to);
            }
            byte c = scan.peek(data, at, to);
            if (c == ',') {
                at++;
                if (at < to && data[at] <= ' ') {
                    at = scan.skipSpace(data, at, to);
                }
            } else if (c == '}') {
                return at + 1;
            } else {
                throw JsonScanner.unexpected(data, at, "',' or '}'");
            }
        }
    }

    private static String kindOf(byte c) {
        return switch (c) {
            case '[' -> "a list";
            case '"' -> "a string";
            case 't', 'f' -> "a boolean";
            case 'n' -> "null";
            default -> c == '-' || c >= '0' && c <= '9' ? "a number" : "something that is not JSON";
        };
    }

    private int afterKey;

    private Key readKey(byte[] data, int at, int to) throws JsonError {
        int from = scanner.expect(data, at, to, '"');
        int end = scanner.skipString(data, from, to);
        String name;
        if (hasEscape(data, from, end - 1)) {
            GrowingBytes out = new GrowingBytes();
            scanner.copyString(data, from, to, out);
            name = out.text();
        } else {
            name = new String(data, from, end - 1 - from, StandardCharsets.UTF_8);
        }
        int colon = scanner.skipSpace(data, end, to);
        afterKey = scanner.expect(data, colon, to, ':');
        Key key = keys.get(name);
        if (key == null) {
            key = keys.size() < MAX_KEYS ? key(name) : anonymous;
            if (options.wanted() != null || options.declared()) {
                return key;
            }
            if (key == anonymous) {
                noteMisfit(name, "has no room among " + MAX_KEYS + " columns");
            } else {
                addColumn(key, DataType.NULL);
                undos.add(this::removeLastColumn);
                schema = null;
            }
        }
        return key;
    }

    private static boolean hasEscape(byte[] data, int from, int to) {
        for (int i = from; i < to; i++) {
            if (data[i] == '\\') {
                return true;
            }
        }
        return false;
    }

    private Key key(String name) {
        return keys.computeIfAbsent(
                name, n -> new Key(n, (JsonText.of(n) + ":").getBytes(StandardCharsets.UTF_8)));
    }

    private boolean wanted(String name) {
        return options.wanted() == null || options.wanted().contains(name);
    }

    private void addColumn(Key key, DataType type) {
        key.column = columns.size();
        key.writer = Writer.of(type, lastBatchRows);
        columns.add(key);
    }

    private void removeLastColumn() {
        Key forgotten = columns.removeLast();
        keys.remove(forgotten.name);
        keys.values().forEach(key -> key.forget(forgotten));
        start.forget(forgotten);
        anonymous.forget(forgotten);
    }

    private void buildSchema() {
        List<Field> fields = new ArrayList<>();
        for (Key key : columns) {
            fields.add(new Field(key.name, key.writer.type()));
        }
        if (rescued != null) {
            fields.add(new Field(JsonOptions.RESCUED, DataType.UTF8));
        }
        schema = new Schema(fields);
    }

    private int value(Key key, byte[] data, int at, int to) throws JsonError {
        Writer writer = key.writer;
        byte c = scanner.peek(data, at, to);
        if (writer == null) {
            return c == '"'
                    ? scanner.skipString(data, at + 1, to)
                    : scanner.skipValue(data, at, to, 1);
        }
        if (c == '"'
                && writer instanceof Writer.Strings strings
                && strings.type() == DataType.UTF8) {
            return string(strings, data, at + 1, to);
        }
        if (writer instanceof Writer.Longs longs && longs.type() == DataType.INT64) {
            int end = wholeNumber(longs, data, at, to);
            if (end >= 0) {
                return end;
            }
        }
        return otherValue(key, data, at, to);
    }

    private int string(Writer.Strings writer, byte[] data, int at, int to) throws JsonError {
        int end = scanner.copyString(data, at, to, writer.open(rows));
        writer.close();
        return end;
    }

    /** Takes a whole number of up to 15 digits; -1 when there is something else, or the bytes end too soon to tell. */
    private int wholeNumber(Writer.Longs writer, byte[] data, int at, int to) {
        boolean negative = data[at] == '-';
        int begin = negative ? at + 1 : at;
        if (begin + 16 > data.length) {
            return -1;
        }
        long word = LittleEndian.getLong(data, begin);
        int digits = Numbers.digits(word);
        if (digits == 0) {
            return -1;
        }
        long value = Numbers.ofDigits(word, digits);
        int end = begin + digits;
        if (digits == 8) {
            word = LittleEndian.getLong(data, end);
            int more = Numbers.digits(word);
            if (more == 8) {
                return -1;
            }
            if (more > 0) {
                value = value * TENS[more] + Numbers.ofDigits(word, more);
                end += more;
            }
        }
        if (end >= to || data[begin] == '0' && end - begin > 1) {
            return -1;
        }
        byte next = data[end];
        if (next == '.' || (next | 0x20) == 'e') {
            return -1;
        }
        writer.put(rows, negative ? -value : value);
        return end;
    }

    /** Every value that the two fast paths leave: other kinds, other types, nulls, numbers of many digits, values that do not fit. */
    private int otherValue(Key key, byte[] data, int at, int to) throws JsonError {
        int end = scanner.skipValue(data, at, to, 1);
        if (data[at] == 'n') {
            key.writer.takeBack(rows);
            return end;
        }
        if (!options.declared()) {
            widenTo(key, inferredType(data, at, end));
        }
        put(key, data, at, end);
        return end;
    }

    /** The narrowest type of a value that has been checked. */
    private DataType inferredType(byte[] data, int at, int end) throws JsonError {
        return switch (data[at]) {
            case '"' -> DataType.UTF8;
            case 't', 'f' -> DataType.BOOL;
            case '{' -> DataType.JSON;
            case '[' -> typeOf(scanner.read(data, at, end));
            default -> JsonScanner.isWhole(data, at, end) ? DataType.INT64 : DataType.FLOAT64;
        };
    }

    /** The type of a value, lists by their elements. Numbers that int64 or float64 cannot hold have none. */
    private static DataType typeOf(Object value) throws JsonError {
        return switch (value) {
            case null -> DataType.NULL;
            case String _ -> DataType.UTF8;
            case Boolean _ -> DataType.BOOL;
            case Long _ -> DataType.INT64;
            case Double d when !d.isInfinite() -> DataType.FLOAT64;
            case Map<?, ?> _ -> DataType.JSON;
            case List<?> list -> {
                DataType element = DataType.NULL;
                for (Object item : list) {
                    element = DataType.widen(element, typeOf(item));
                }
                yield new DataType.ListOf(element);
            }
            case Double _ -> throw new JsonError("a number in a list is beyond float64");
            default ->
                    throw new JsonError(
                            "the number "
                                    + abbreviate(value.toString())
                                    + " in a list is beyond int64");
        };
    }

    private void widenTo(Key key, DataType type) {
        DataType wide = DataType.widen(key.writer.type(), type);
        if (wide.equals(key.writer.type())) {
            return;
        }
        key.writer.takeBack(rows);
        Column soFar = key.writer.take(rows);
        undos.add(() -> key.writer = filled(soFar));
        key.writer = filled(Casts.cast(soFar, wide));
        schema = null;
    }

    /** A writer that has the rows of a column. */
    private Writer filled(Column column) {
        Writer writer = Writer.of(column.type(), Math.max(MIN_ROWS, rows + 1));
        if (!(writer instanceof Writer.Nulls)) {
            for (int row = 0; row < column.length(); row++) {
                if (!column.isNull(row)) {
                    putValue(writer, row, column.value(row));
                }
            }
        }
        return writer;
    }

    private static void putValue(Writer writer, int row, Object value) {
        switch (writer) {
            case Writer.Longs w -> w.put(row, (Long) value);
            case Writer.Doubles w -> w.put(row, (Double) value);
            case Writer.Bools w -> w.put(row, (Boolean) value);
            case Writer.Values w -> w.put(row, value);
            case Writer.Strings w -> {
                byte[] text = ((String) value).getBytes(StandardCharsets.UTF_8);
                w.open(row).append(text, 0, text.length);
                w.close();
            }
            case Writer.Nulls _ -> throw new IllegalStateException("a value for a column of nulls");
        }
    }

    private void put(Key key, byte[] data, int at, int end) throws JsonError {
        switch (key.writer) {
            case Writer.Longs w -> putLong(key, w, data, at, end);
            case Writer.Doubles w -> putDouble(key, w, data, at, end);
            case Writer.Bools w -> putBool(key, w, data, at);
            case Writer.Strings w -> putText(w, data, at, end);
            case Writer.Values w -> putOther(key, w, data, at, end);
            case Writer.Nulls _ -> key.writer.takeBack(rows);
        }
    }

    private void putText(Writer.Strings writer, byte[] data, int at, int end) throws JsonError {
        if (data[at] == '"' && writer.type() == DataType.UTF8) {
            string(writer, data, at + 1, end);
            return;
        }
        writer.open(rows).append(data, at, end);
        writer.close();
    }

    private void putBool(Key key, Writer.Bools writer, byte[] data, int at) {
        if (data[at] != 't' && data[at] != 'f') {
            misfit(key, "is no boolean");
            return;
        }
        writer.put(rows, data[at] == 't');
    }

    private void putLong(Key key, Writer.Longs writer, byte[] data, int at, int end)
            throws JsonError {
        boolean quoted = data[at] == '"';
        if (!quoted
                && Numbers.isShort(at, end)
                && Numbers.kind(data, at, end) == Numbers.Kind.WHOLE) {
            writer.put(rows, Numbers.parseLong(data, at, end));
            return;
        }
        String text = quoted ? text(data, at, end) : ascii(data, at, end);
        if (writer.type() != DataType.INT64 && quoted && putTime(key, writer, text)) {
            return;
        }
        if (!quoted && data[at] != '-' && (data[at] < '0' || data[at] > '9')) {
            misfit(key, "is no number");
            return;
        }
        BigDecimal number = Numbers.decimal(text);
        if (number == null) {
            misfit(key, "is no " + writer.type());
            return;
        }
        if (number.precision() - number.scale() > 19 || !inRange(number)) {
            throw beyondInt64(key, text);
        }
        if (number.stripTrailingZeros().scale() > 0) {
            misfit(key, "has a fraction, the column is " + writer.type());
            return;
        }
        writer.put(rows, number.longValueExact());
    }

    private static JsonError beyondInt64(Key key, String text) {
        return new JsonError(
                "the number " + abbreviate(text) + " in " + key.name + " is beyond int64");
    }

    private static boolean isBeyondInt64(byte[] data, int at, int end) {
        return end - at > 20 || end - at >= 19 && !inRange(new BigDecimal(ascii(data, at, end)));
    }

    private static boolean inRange(BigDecimal number) {
        return number.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) <= 0
                && number.compareTo(BigDecimal.valueOf(Long.MIN_VALUE)) >= 0;
    }

    private boolean putTime(Key key, Writer.Longs writer, String text) {
        if (Numbers.decimal(text) != null) {
            return false;
        }
        try {
            long ms =
                    writer.type() == DataType.DATE
                            ? LocalDate.parse(text).toEpochDay() * 86_400_000L
                            : OffsetDateTime.parse(text).toInstant().toEpochMilli();
            writer.put(rows, ms);
        } catch (DateTimeException | ArithmeticException e) {
            misfit(key, "is no " + writer.type());
        }
        return true;
    }

    private void putDouble(Key key, Writer.Doubles writer, byte[] data, int at, int end)
            throws JsonError {
        boolean quoted = data[at] == '"';
        if (!quoted && data[at] != '-' && (data[at] < '0' || data[at] > '9')) {
            misfit(key, "is no number");
            return;
        }
        if (quoted) {
            BigDecimal number = Numbers.decimal(text(data, at, end));
            if (number == null) {
                misfit(key, "is no number");
                return;
            }
            writer.put(rows, number.doubleValue());
            return;
        }
        double value = Numbers.parseDouble(data, at, end);
        // An inferred column is a float64 only because others had fractions: what would be rounded
        // without need is refused as in int64.
        if (!options.declared()
                && JsonScanner.isWhole(data, at, end)
                && isBeyondInt64(data, at, end)) {
            throw beyondInt64(key, ascii(data, at, end));
        }
        if (Double.isInfinite(value)) {
            throw new JsonError(
                    "the number "
                            + abbreviate(ascii(data, at, end))
                            + " in "
                            + key.name
                            + " is beyond float64");
        }
        writer.put(rows, value);
    }

    private void putOther(Key key, Writer.Values writer, byte[] data, int at, int end)
            throws JsonError {
        boolean exact = writer.type() instanceof DataType.Decimal && data[at] != '"';
        Object value =
                convert(exact ? ascii(data, at, end) : scanner.read(data, at, end), writer.type());
        if (value == null) {
            misfit(key, "is no " + writer.type());
            return;
        }
        writer.put(rows, value);
    }

    /** The value as one of the type, or null when it does not fit. Nulls inside lists and structs stay null. */
    private static Object convert(Object value, DataType type) {
        return switch (type) {
            case DataType.Decimal decimal -> toDecimal(value, decimal);
            case DataType.Bytes _ when value instanceof String text -> fromBase64(text);
            case DataType.ListOf(DataType element) -> toList(value, element);
            case DataType.Struct struct when value instanceof Map<?, ?> map ->
                    toStruct(map, struct);
            case DataType.Utf8 _ -> value instanceof String s ? s : JsonText.of(value);
            case DataType.Json _ -> JsonText.of(value);
            case DataType.Float64 _ when value instanceof Number number -> number.doubleValue();
            case DataType.Int64 _, DataType.Timestamp _ when value instanceof Long number -> number;
            case DataType.Bool _ when value instanceof Boolean bool -> bool;
            default -> null;
        };
    }

    private static Object toDecimal(Object value, DataType.Decimal type) {
        BigDecimal number =
                value instanceof Number || value instanceof String
                        ? Numbers.decimal(value.toString())
                        : null;
        if (number == null) {
            return null;
        }
        return Numbers.fit(number, type.precision(), type.scale());
    }

    private static byte[] fromBase64(String text) {
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static Object toList(Object value, DataType element) {
        List<?> list = value instanceof List<?> l ? l : List.of(value);
        List<Object> out = new ArrayList<>();
        for (Object item : list) {
            Object converted = item == null ? null : convert(item, element);
            if (item != null && converted == null) {
                return null;
            }
            out.add(converted);
        }
        return out;
    }

    private static Object toStruct(Map<?, ?> map, DataType.Struct struct) {
        Map<String, Object> out = new HashMap<>();
        for (Field field : struct.fields()) {
            Object item = map.get(field.name());
            Object converted = item == null ? null : convert(item, field.type());
            if (item != null && converted == null) {
                return null;
            }
            out.put(field.name(), converted);
        }
        return out;
    }

    private String text(byte[] data, int at, int end) throws JsonError {
        GrowingBytes out = new GrowingBytes();
        scanner.copyString(data, at + 1, end, out);
        return out.text();
    }

    private static String ascii(byte[] data, int at, int end) {
        return new String(data, at, end - at, StandardCharsets.ISO_8859_1);
    }

    private static String abbreviate(String text) {
        return text.length() <= 40 ? text : text.substring(0, 37) + "...";
    }

    // ---- ends of records ----

    private void misfit(Key key, String reason) {
        key.writer.takeBack(rows);
        noteMisfit(key.name, reason);
    }

    private void noteMisfit(String column, String reason) {
        if (misfitColumn == null) {
            misfitColumn = column;
            misfitReason = reason;
        }
    }

    private void finishRow(byte[] data, int from, int to) throws BadDataException {
        if (misfitColumn == null) {
            keepRow();
            return;
        }
        String column = misfitColumn;
        String reason = "the value of " + column + " " + misfitReason;
        switch (options.onBadData()) {
            case FAIL -> throw failure(reason);
            case DEAD_LETTER -> {
                rollback();
                bad.badRecord(recordOffset, reason, data, from, to);
            }
            case DROP, RESCUE -> {
                rescue(data, from, to);
                keepRow();
                bad.misfit(recordOffset, column, misfitReason, data, from, to);
            }
        }
    }

    private void keepRow() {
        rows++;
        if (!undos.isEmpty()) {
            undos.clear();
        }
    }

    private void reject(String reason, byte[] data, int from, int to) throws BadDataException {
        rollback();
        switch (options.onBadData()) {
            case FAIL -> throw failure(reason);
            case RESCUE -> {
                rescue(data, from, to);
                rows++;
                bad.misfit(recordOffset, null, reason, data, from, to);
            }
            case DROP, DEAD_LETTER -> bad.badRecord(recordOffset, reason, data, from, to);
        }
    }

    private BadDataException failure(String reason) {
        return new BadDataException("bad record at offset " + recordOffset + ": " + reason);
    }

    private void rescue(byte[] data, int from, int to) {
        if (rescued == null) {
            return;
        }
        byte[] text = Utf8.repaired(data, from, to);
        rescued.open(rows).append(text, 0, text.length);
        rescued.close();
    }

    /** Takes the record back: its values, and what it did to columns, so that a bad record never changes a type. */
    private void rollback() {
        while (!undos.isEmpty()) {
            undos.removeLast().run();
            schema = null;
        }
        for (Key key : columns) {
            key.writer.takeBack(rows);
        }
    }
}
