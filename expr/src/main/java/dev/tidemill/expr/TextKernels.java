package dev.tidemill.expr;

import dev.tidemill.data.Bits;
import dev.tidemill.data.BoolColumn;
import dev.tidemill.data.BytesColumn;
import dev.tidemill.data.Column;
import dev.tidemill.data.Columns;
import dev.tidemill.data.DataType;
import dev.tidemill.data.DictionaryColumn;
import dev.tidemill.data.LittleEndian;
import dev.tidemill.data.LongColumn;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/** Functions of text on the bytes of whole columns. None of them fails. Text is UTF-8, so that a byte that begins no character is 10xxxxxx. */
final class TextKernels {
    private static final long LOW_BITS = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;

    private TextKernels() {}

    /** The kernel of a function for these arguments, or null when there is none and rows are to be computed one by one. */
    static Kernel of(String function, List<Kernel> arguments) {
        boolean allText =
                arguments.stream().allMatch(argument -> argument.type() instanceof DataType.Utf8);
        if (function.equals("concat") && allText) {
            return new Concat(arguments);
        }
        if (arguments.isEmpty()
                || arguments.getFirst() instanceof Constant
                || !(arguments.getFirst().type() instanceof DataType.Utf8)) {
            return null;
        }
        Kernel text = arguments.getFirst();
        return switch (function) {
            case "upper" -> new Letters(text, 'a', s -> s.toUpperCase(Locale.ROOT));
            case "lower" -> new Letters(text, 'A', s -> s.toLowerCase(Locale.ROOT));
            case "length" -> new Length(text);
            case "contains", "startsWith", "endsWith" ->
                    bytes(arguments.get(1)) == null
                            ? null
                            : new Find(function, text, bytes(arguments.get(1)));
            case "substr", "substring" -> slice(text, arguments);
            case "left" ->
                    whole(arguments.get(1)) != null && whole(arguments.get(1)) >= 0
                            ? new Slice(text, 0, whole(arguments.get(1)))
                            : null;
            case "splitPart" -> part(text, arguments);
            default -> null;
        };
    }

    /** The UTF-8 of a text constant, else null. */
    private static byte[] bytes(Kernel kernel) {
        return kernel instanceof Constant constant && constant.value() instanceof String s
                ? s.getBytes(StandardCharsets.UTF_8)
                : null;
    }

    /** A constant of moderate size that is a whole number, else null. */
    private static Integer whole(Kernel kernel) {
        boolean fits =
                kernel instanceof Constant constant
                        && constant.value() instanceof Long value
                        && value > -(1 << 28)
                        && value < 1 << 28;
        return fits ? (Integer) ((Long) ((Constant) kernel).value()).intValue() : null;
    }

    private static Kernel slice(Kernel text, List<Kernel> arguments) {
        Integer start = whole(arguments.get(1));
        Integer length = arguments.size() == 3 ? whole(arguments.get(2)) : Integer.valueOf(1 << 29);
        if (start == null || length == null || length < 0) {
            return null;
        }
        int end = Math.max(0, start - 1 + length);
        return new Slice(text, Math.min(end, Math.max(0, start - 1)), end);
    }

    private static Kernel part(Kernel text, List<Kernel> arguments) {
        byte[] separator = bytes(arguments.get(1));
        Integer number = whole(arguments.get(2));
        return separator == null || separator.length == 0 || number == null || number < 1
                ? null
                : new Part(text, separator, number);
    }

    /** The position of a part at or behind {@code from}, or -1. Looks for its first byte in 8 bytes at a time. */
    private static int indexOf(byte[] data, int from, int to, byte[] part) {
        byte first = part[0];
        long firsts = LOW_BITS * (first & 0xFF);
        int last = to - part.length;
        int at = from;
        while (at <= last) {
            if (at + 8 <= data.length) {
                long different = LittleEndian.getLong(data, at) ^ firsts;
                long equal = different - LOW_BITS & ~different & HIGH_BITS;
                if (equal == 0) {
                    at += 8;
                    continue;
                }
                // The lowest bit set is at a byte that is equal; those above may not be.
                at += Long.numberOfTrailingZeros(equal) >> 3;
                if (at > last) {
                    return -1;
                }
            }
            if (data[at] == first
                    && Arrays.equals(data, at, at + part.length, part, 0, part.length)) {
                return at;
            }
            at++;
        }
        return -1;
    }

    /** The position behind so many characters, at most {@code to}. */
    private static int skip(byte[] data, int from, int to, int characters) {
        int at = from;
        int left = characters;
        // Eight ASCII characters at a time.
        for (;
                left >= 8 && at + 8 <= to && (LittleEndian.getLong(data, at) & HIGH_BITS) == 0;
                left -= 8) {
            at += 8;
        }
        for (; left > 0 && at < to; left--) {
            at++;
            while (at < to && (data[at] & 0xC0) == 0x80) {
                at++;
            }
        }
        return at;
    }

    /** A column of text in the making. Rows come in ascending order; those left out are empty. */
    private static final class Output {
        private final int[] offsets;
        private byte[] data;
        private int rows;
        private int end;

        Output(int length, int bytes) {
            offsets = new int[length + 1];
            data = new byte[bytes];
        }

        void append(int row, byte[] source, int from, int to) {
            startRow(row);
            extend(source, from, to);
        }

        void startRow(int row) {
            while (rows <= row) {
                offsets[rows++] = end;
            }
        }

        void extend(byte[] source, int from, int to) {
            int size = to - from;
            if (size > data.length - end) {
                data =
                        Arrays.copyOf(
                                data,
                                (int)
                                        Math.min(
                                                Integer.MAX_VALUE - 16,
                                                Math.max(
                                                        Math.addExact(end, size),
                                                        2L * data.length)));
            }
            System.arraycopy(source, from, data, end, size);
            end += size;
        }

        BytesColumn build(long[] validity) {
            int length = offsets.length - 1;
            startRow(length);
            return new BytesColumn(DataType.UTF8, offsets, data, validity, length);
        }
    }

    private static int bytesOf(BytesColumn column) {
        return column.length() == 0 ? 0 : column.end(column.length() - 1) - column.start(0);
    }

    /** A function of one text that gives a text. Of a dictionary only the entries are computed. */
    private abstract static class OfText extends Kernel {
        private final Kernel operand;

        OfText(Kernel operand) {
            super(DataType.UTF8);
            this.operand = operand;
        }

        @Override
        final boolean cannotFail() {
            return operand.cannotFail();
        }

        @Override
        final Column eval(Frame frame) {
            Column column = operand.eval(frame);
            if (column instanceof DictionaryColumn d) {
                Frame entries =
                        new Frame(
                                null,
                                d.dictionary().length(),
                                null,
                                d.dictionary().length(),
                                frame.errors());
                return new DictionaryColumn(
                        d.indices(),
                        map((BytesColumn) d.dictionary(), entries),
                        d.validity(),
                        d.length());
            }
            return map((BytesColumn) column, frame);
        }

        /** Uses length and rows of the frame only. */
        abstract BytesColumn map(BytesColumn column, Frame frame);
    }

    /** upper and lower: a bit of each ASCII letter; text with other characters goes through String. */
    private static final class Letters extends OfText {
        private final byte first;
        private final UnaryOperator<String> rule;

        /** @param first of the 26 letters that change */
        Letters(Kernel operand, char first, UnaryOperator<String> rule) {
            super(operand);
            this.first = (byte) first;
            this.rule = rule;
        }

        @Override
        BytesColumn map(BytesColumn column, Frame frame) {
            int from = column.length() == 0 ? 0 : column.start(0);
            int to = from + bytesOf(column);
            byte[] out = new byte[to];
            boolean ascii = change(column.data(), out, from, to);
            return ascii
                    ? new BytesColumn(
                            DataType.UTF8,
                            column.offsets(),
                            out,
                            column.validity(),
                            column.length())
                    : mapEach(column, frame);
        }

        /** Eight bytes at a time: adding to each what takes it over 0x7F tells in its high bit whether it is at least some letter. */
        private boolean change(byte[] data, byte[] out, int from, int to) {
            long atLeastFirst = LOW_BITS * (0x80 - first);
            long behindLast = LOW_BITS * (0x80 - first - 26);
            long any = 0;
            int at = from;
            for (; at + 8 <= to; at += 8) {
                long word = LittleEndian.getLong(data, at);
                any |= word;
                long letters = (word + atLeastFirst) & ~(word + behindLast) & HIGH_BITS;
                LittleEndian.putLong(out, at, word ^ letters >>> 2);
            }
            for (; at < to; at++) {
                byte b = data[at];
                any |= b;
                out[at] = (byte) (b >= first && b < first + 26 ? b ^ 0x20 : b);
            }
            return (any & HIGH_BITS) == 0;
        }

        private BytesColumn mapEach(BytesColumn column, Frame frame) {
            Output out = new Output(frame.length(), bytesOf(column));
            for (int i = 0; i < frame.count(); i++) {
                int row = frame.row(i);
                if (column.isNull(row)) {
                    continue;
                }
                byte[] text = rule.apply(column.string(row)).getBytes(StandardCharsets.UTF_8);
                out.append(row, text, 0, text.length);
            }
            return out.build(column.validity());
        }
    }

    /** Characters by position, from 0. */
    private static final class Slice extends OfText {
        private final int from;
        private final int to;

        Slice(Kernel operand, int from, int to) {
            super(operand);
            this.from = from;
            this.to = to;
        }

        @Override
        BytesColumn map(BytesColumn column, Frame frame) {
            byte[] data = column.data();
            Output out = new Output(frame.length(), bytesOf(column));
            for (int i = 0; i < frame.count(); i++) {
                int row = frame.row(i);
                if (column.isNull(row)) {
                    continue;
                }
                int start = skip(data, column.start(row), column.end(row), from);
                out.append(row, data, start, skip(data, start, column.end(row), to - from));
            }
            return out.build(column.validity());
        }
    }

    /** splitPart from the front. */
    private static final class Part extends OfText {
        private final byte[] separator;
        private final int number;

        Part(Kernel operand, byte[] separator, int number) {
            super(operand);
            this.separator = separator;
            this.number = number;
        }

        @Override
        BytesColumn map(BytesColumn column, Frame frame) {
            byte[] data = column.data();
            Output out = new Output(frame.length(), bytesOf(column));
            for (int i = 0; i < frame.count(); i++) {
                int row = frame.row(i);
                if (column.isNull(row)) {
                    continue;
                }
                int start = column.start(row);
                int end = column.end(row);
                for (int n = 1; n < number && start >= 0; n++) {
                    int at = indexOf(data, start, end, separator);
                    start = at < 0 ? -1 : at + separator.length;
                }
                if (start >= 0) {
                    int at = indexOf(data, start, end, separator);
                    out.append(row, data, start, at < 0 ? end : at);
                }
            }
            return out.build(column.validity());
        }
    }

    /** The texts of each row one after the other. */
    static final class Concat extends Kernel {
        private final Kernel[] parts;

        Concat(List<Kernel> parts) {
            super(DataType.UTF8);
            this.parts = parts.toArray(Kernel[]::new);
        }

        @Override
        boolean isConstant() {
            return Arrays.stream(parts).allMatch(Kernel::isConstant);
        }

        @Override
        boolean cannotFail() {
            return Arrays.stream(parts).allMatch(Kernel::cannotFail);
        }

        @Override
        Column eval(Frame frame) {
            byte[][] constants = new byte[parts.length][];
            BytesColumn[] columns = new BytesColumn[parts.length];
            long[] validity = null;
            long bytes = 0;
            for (int p = 0; p < parts.length; p++) {
                constants[p] = bytes(parts[p]);
                if (constants[p] == null) {
                    columns[p] = (BytesColumn) Columns.plain(parts[p].eval(frame));
                    validity = Bits.and(validity, columns[p].validity());
                }
                bytes +=
                        constants[p] == null
                                ? bytesOf(columns[p])
                                : (long) frame.count() * constants[p].length;
            }
            Output out = new Output(frame.length(), (int) Math.min(bytes, 1 << 24));
            for (int i = 0; i < frame.count(); i++) {
                int row = frame.row(i);
                if (validity == null || Bits.get(validity, row)) {
                    out.startRow(row);
                    append(out, columns, constants, row);
                }
            }
            return out.build(validity);
        }

        private static void append(Output out, BytesColumn[] columns, byte[][] constants, int row) {
            for (int p = 0; p < columns.length; p++) {
                if (constants[p] != null) {
                    out.extend(constants[p], 0, constants[p].length);
                } else {
                    out.extend(columns[p].data(), columns[p].start(row), columns[p].end(row));
                }
            }
        }
    }

    /** length in characters. */
    private static final class Length extends Kernel {
        private final Kernel operand;

        Length(Kernel operand) {
            super(DataType.INT64);
            this.operand = operand;
        }

        @Override
        boolean cannotFail() {
            return operand.cannotFail();
        }

        @Override
        Column eval(Frame frame) {
            BytesColumn column = (BytesColumn) Columns.plain(operand.eval(frame));
            byte[] data = column.data();
            long[] out = new long[frame.length()];
            for (int i = 0; i < frame.count(); i++) {
                int row = frame.row(i);
                out[row] = characters(data, column.start(row), column.end(row));
            }
            return new LongColumn(DataType.INT64, out, column.validity(), frame.length());
        }

        private static int followers(long word) {
            return Long.bitCount(word >>> 7 & ~(word >>> 6) & LOW_BITS);
        }

        /** The bytes without those that begin no character. */
        private static int characters(byte[] data, int from, int to) {
            int count = to - from;
            int at = from;
            for (; at + 8 <= to; at += 8) {
                count -= followers(LittleEndian.getLong(data, at));
            }
            if (at < to && at + 8 <= data.length) {
                // The bytes behind the text are cut off; no text may lie behind the last one, so
                // that its bytes are taken singly.
                return count
                        - followers(LittleEndian.getLong(data, at) & (1L << 8 * (to - at)) - 1);
            }
            for (; at < to; at++) {
                count -= (data[at] & 0xC0) == 0x80 ? 1 : 0;
            }
            return count;
        }
    }

    /** contains, startsWith and endsWith with a literal. */
    private static final class Find extends Kernel {
        private enum Place {
            START,
            END,
            ANY
        }

        private final Place place;
        private final Kernel operand;
        private final byte[] part;

        Find(String function, Kernel operand, byte[] part) {
            super(DataType.BOOL);
            place =
                    function.equals("startsWith")
                            ? Place.START
                            : function.equals("endsWith") ? Place.END : Place.ANY;
            this.operand = operand;
            this.part = part;
        }

        @Override
        boolean cannotFail() {
            return operand.cannotFail();
        }

        @Override
        Column eval(Frame frame) {
            BytesColumn column = (BytesColumn) Columns.plain(operand.eval(frame));
            long[] bits = new long[Bits.words(frame.length())];
            for (int i = 0; i < frame.count(); i++) {
                int row = frame.row(i);
                if (!column.isNull(row)
                        && holds(column.data(), column.start(row), column.end(row))) {
                    Bits.set(bits, row);
                }
            }
            return new BoolColumn(bits, column.validity(), frame.length());
        }

        private boolean holds(byte[] data, int start, int end) {
            int length = part.length;
            if (end - start < length) {
                return false;
            }
            return switch (place) {
                case START -> Arrays.equals(data, start, start + length, part, 0, length);
                case END -> Arrays.equals(data, end - length, end, part, 0, length);
                case ANY -> length == 0 || indexOf(data, start, end, part) >= 0;
            };
        }
    }

    /** The rows of two text columns by a decision: one merged column. */
    static BytesColumn merge(
            DataType type, BoolColumn decided, BytesColumn yes, BytesColumn no, long[] validity) {
        int length = decided.length();
        Output out = new Output(length, Math.max(bytesOf(yes), bytesOf(no)));
        for (int row = 0; row < length; row++) {
            BytesColumn side = decided.get(row) ? yes : no;
            if (!side.isNull(row)) {
                out.append(row, side.data(), side.start(row), side.end(row));
            }
        }
        BytesColumn merged = out.build(validity);
        return new BytesColumn(type, merged.offsets(), merged.data(), validity, length);
    }
}
