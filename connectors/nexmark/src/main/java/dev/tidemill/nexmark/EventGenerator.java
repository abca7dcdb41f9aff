package dev.tidemill.nexmark;

import dev.tidemill.data.Batch;
import dev.tidemill.data.Bits;
import dev.tidemill.data.BytesColumn;
import dev.tidemill.data.Column;
import dev.tidemill.data.ColumnBuilder;
import dev.tidemill.data.DataType;
import dev.tidemill.data.DictionaryColumn;
import dev.tidemill.data.LongColumn;
import dev.tidemill.data.Schema;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Makes events straight into columns, and only the columns of its schema. Every event is a function of its number and the seed alone, so
 * any range of events can be made at any time. Not thread-safe.
 *
 * <p>Bids are computed for all rows of a batch, one column after the other, without looking at the kind of row: 46 of 50 are bids, and the
 * value at a null row is nobody's business. Columns of one kind share one validity bitmap. Text that repeats is a dictionary column over a
 * dictionary that all batches share.
 */
public final class EventGenerator {
    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN)
                    .withInvokeExactBehavior();

    /** Sentinels have a last word of their own in each dictionary. */
    static final BytesColumn TYPES = BytesColumn.of("person", "auction", "bid");

    static final BytesColumn CITIES =
            BytesColumn.of(
                    "Portland",
                    "Boise",
                    "Sacramento",
                    "Seattle",
                    "Reno",
                    "Phoenix",
                    "Provo",
                    "Helena",
                    "Cheyenne",
                    "Denver",
                    "Nowhere");
    static final BytesColumn STATES =
            BytesColumn.of("OR", "ID", "CA", "WA", "NV", "AZ", "UT", "MT", "WY", "CO", "XX");
    static final BytesColumn CHANNELS =
            BytesColumn.of(
                    Stream.concat(
                                    Stream.of("Google", "Facebook", "Baidu", "Apple"),
                                    Stream.concat(
                                            IntStream.range(0, 1000).mapToObj(i -> "channel-" + i),
                                            Stream.of("sentinel")))
                            .toArray(String[]::new));
    private static final int PERSON = 0;
    private static final int AUCTION = 1;
    private static final int BID = 2;
    private static final int HOT_CHANNELS = 4;

    private static final byte[] ALPHABET =
            TextBuilder.ascii("0123456789abcdefghijklmnopqrstuvwxyz");
    private static final int WORDS_AT = 24;
    private static final int TEMPLATE_LENGTH = 55;
    private static final int CHANNEL_ID_LENGTH = 12;

    /** Room for the longest address, written eight bytes at a time. */
    private static final int MAX_URL = 72;

    private static final long[] TEMPLATE = template();

    private final long seed;
    private final long stepMs;
    private final Schema schema;

    // The batch at work.
    private long first;
    private long stride;
    private int rows;
    private int persons;
    private int auctions;
    private int[] personRows = new int[0];
    private int[] auctionRows = new int[0];
    private long[] personBits;
    private long[] auctionBits;
    private long[] itemBits;
    private long[] bidBits;

    // Of the bids of the batch: computed at most once, when a column needs them.
    private long[] bidAuction;
    private long[] bidState = new long[0];
    private long[] bidBidder;
    private int[] bidChannel;
    private boolean bidsMade;

    /** @param schema columns of {@link Events#SCHEMA} and engine columns, each as it is named there */
    public EventGenerator(long seed, long stepMs, Schema schema) {
        this.seed = seed;
        this.stepMs = stepMs;
        this.schema = schema;
    }

    /** A generator of all visible columns. */
    public static EventGenerator ofAllColumns(long seed, long stepMs) {
        return new EventGenerator(seed, stepMs, Events.SCHEMA);
    }

    public Schema schema() {
        return schema;
    }

    /** The events {@code first, first + stride, …}: {@code count} rows. Their partition and offset, when wanted, are {@code first % stride} and {@code n / stride}. */
    public Batch generate(long first, long stride, int count) {
        begin(first, stride, count);
        Column[] columns = new Column[schema.size()];
        for (int i = 0; i < columns.length; i++) {
            columns[i] = column(schema.field(i).name());
        }
        return Batch.of(schema, columns, count);
    }

    private void begin(long newFirst, long newStride, int count) {
        first = newFirst;
        stride = newStride;
        rows = count;
        bidsMade = false;
        bidAuction = null;
        bidBidder = null;
        bidChannel = null;
        findKinds();
    }

    private void findKinds() {
        if (personRows.length < rows) {
            personRows = new int[rows];
            auctionRows = new int[rows];
        }
        personBits = new long[Bits.words(rows)];
        itemBits = new long[Bits.words(rows)];
        bidBits = Bits.ones(rows);
        persons = 0;
        auctions = 0;
        int place = (int) (first % Events.CYCLE);
        int step = (int) (stride % Events.CYCLE);
        for (int row = 0; row < rows; row++) {
            if (place < Events.FIRST_BID) {
                notBid(row, place);
            }
            place += step;
            place -= place >= Events.CYCLE ? Events.CYCLE : 0;
        }
        auctionBits = personBits.clone();
        for (int i = 0; i < auctionBits.length; i++) {
            auctionBits[i] |= itemBits[i];
        }
    }

    private void notBid(int row, int place) {
        Bits.clear(bidBits, row);
        if (place == 0) {
            personRows[persons++] = row;
            Bits.set(personBits, row);
        } else {
            auctionRows[auctions++] = row;
            Bits.set(itemBits, row);
        }
    }

    private Column column(String name) {
        return switch (name) {
            case "type" -> types();
            case "id" -> ids();
            case "name" -> personText("person-", "");
            case "emailAddress" -> personText("person-", "@example.com");
            case "creditCard" -> creditCards();
            case "city" -> personWord(CITIES, 6);
            case "state" -> personWord(STATES, 7);
            case "dateTime" -> times();
            case "itemName" -> itemNames();
            case "initialBid" -> auctionNumber(this::initialBid);
            case "reserve" ->
                    auctionNumber(row -> initialBid(row) + Lcg.draw(drawn(row, 4)) % 1000);
            case "expires" ->
                    auctionNumber(row -> time(row) + 10_000 + Lcg.draw(drawn(row, 5)) % 100_000);
            case "seller" -> auctionNumber(this::seller);
            case "category" -> auctionNumber(row -> Lcg.draw(drawn(row, 6)) % 5);
            case "auction" -> new LongColumn(DataType.INT64, bidAuctions(), bidBits, rows);
            case "bidder" -> new LongColumn(DataType.INT64, bidders(), bidBits, rows);
            case "price" -> prices();
            case "channel" -> new DictionaryColumn(channels(), CHANNELS, bidBits, rows);
            case "url" -> urls();
            case Schema.KEY -> keys();
            case Schema.PARTITION -> partitions();
            case Schema.OFFSET -> offsets();
            default -> throw new IllegalArgumentException("no event has a column " + name);
        };
    }

    // ---- numbers of events ----

    private long number(int row) {
        return first + row * stride;
    }

    private long time(int row) {
        return Events.FIRST_TIME + number(row) * stepMs;
    }

    /** The state of the event's generator after so many draws, the first of which is thrown away. */
    private long drawn(int row, int draws) {
        return Lcg.jump(seed ^ number(row) * Lcg.GOLDEN, draws);
    }

    private static long personsBefore(long n) {
        return (n + Events.CYCLE - 1) / Events.CYCLE;
    }

    private static long auctionsBefore(long n) {
        return Events.AUCTIONS * (n / Events.CYCLE)
                + Math.clamp(n % Events.CYCLE - 1, 0, Events.AUCTIONS);
    }

    // ---- all kinds ----

    private Column types() {
        int[] kinds = new int[rows];
        Arrays.fill(kinds, BID);
        for (int i = 0; i < persons; i++) {
            kinds[personRows[i]] = PERSON;
        }
        for (int i = 0; i < auctions; i++) {
            kinds[auctionRows[i]] = AUCTION;
        }
        return new DictionaryColumn(kinds, TYPES, null, rows);
    }

    private Column times() {
        long[] times = new long[rows];
        long start = Events.FIRST_TIME + first * stepMs;
        long step = stride * stepMs;
        for (int row = 0; row < rows; row++) {
            times[row] = start + row * step;
        }
        return new LongColumn(DataType.INT64, times, null, rows);
    }

    private Column ids() {
        long[] ids = new long[rows];
        for (int i = 0; i < persons; i++) {
            ids[personRows[i]] = Events.FIRST_ID + personsBefore(number(personRows[i]));
        }
        for (int i = 0; i < auctions; i++) {
            ids[auctionRows[i]] = Events.FIRST_ID + auctionsBefore(number(auctionRows[i]));
        }
        return new LongColumn(DataType.INT64, ids, auctionBits, rows);
    }

    private Column keys() {
        long[] bid = bidAuctions();
        int[] offsets = new int[rows + 1];
        byte[] data = new byte[20 * rows];
        int at = 0;
        for (int row = 0; row < rows; row++) {
            offsets[row] = at;
            boolean person = Bits.get(personBits, row);
            data[at++] = (byte) (person ? 'p' : 'a');
            at = TextBuilder.digits(data, at, Bits.get(bidBits, row) ? bid[row] : id(row, person));
        }
        offsets[rows] = at;
        return new BytesColumn(DataType.UTF8, offsets, data, null, rows);
    }

    private long id(int row, boolean person) {
        long n = number(row);
        return Events.FIRST_ID + (person ? personsBefore(n) : auctionsBefore(n));
    }

    private Column partitions() {
        long[] values = new long[rows];
        Arrays.fill(values, first % stride);
        return new LongColumn(DataType.INT64, values, null, rows);
    }

    private Column offsets() {
        long[] values = new long[rows];
        long start = first / stride;
        for (int row = 0; row < rows; row++) {
            values[row] = start + row;
        }
        return new LongColumn(DataType.INT64, values, null, rows);
    }

    // ---- persons ----

    private Column personText(String before, String after) {
        byte[] head = TextBuilder.ascii(before);
        byte[] tail = TextBuilder.ascii(after);
        TextBuilder text = new TextBuilder(rows, 64 + 32 * persons);
        for (int i = 0; i < persons; i++) {
            int row = personRows[i];
            text.row(row).append(head).append(id(row, true)).append(tail);
        }
        return text.build(personBits);
    }

    private Column creditCards() {
        TextBuilder text = new TextBuilder(rows, 64 + 20 * persons);
        for (int i = 0; i < persons; i++) {
            int row = personRows[i];
            text.row(row);
            for (int draw = 2; draw <= 5; draw++) {
                if (draw > 2) {
                    text.append(' ');
                }
                text.appendFour((int) (Lcg.draw(drawn(row, draw)) % 10_000));
            }
        }
        return text.build(personBits);
    }

    private Column personWord(BytesColumn words, int draw) {
        int[] indices = new int[rows];
        for (int i = 0; i < persons; i++) {
            int row = personRows[i];
            indices[row] = (int) (Lcg.draw(drawn(row, draw)) % 10);
        }
        return new DictionaryColumn(indices, words, personBits, rows);
    }

    // ---- auctions ----

    private interface RowNumber {
        long of(int row);
    }

    private Column auctionNumber(RowNumber value) {
        long[] values = new long[rows];
        for (int i = 0; i < auctions; i++) {
            int row = auctionRows[i];
            values[row] = value.of(row);
        }
        return new LongColumn(DataType.INT64, values, itemBits, rows);
    }

    private long initialBid(int row) {
        return 1 + Lcg.draw(drawn(row, 2)) % 1000;
    }

    private long seller(int row) {
        return Events.FIRST_ID + Lcg.draw(drawn(row, 3)) % Math.max(personsBefore(number(row)), 1);
    }

    private Column itemNames() {
        byte[] head = TextBuilder.ascii("item-");
        TextBuilder text = new TextBuilder(rows, 64 + 16 * auctions);
        for (int i = 0; i < auctions; i++) {
            int row = auctionRows[i];
            text.row(row).append(head).append(id(row, false));
        }
        return text.build(itemBits);
    }

    // ---- bids ----

    /** The auction of each bid; leaves the states before the bidder's draw in {@link #bidState}. */
    private long[] bidAuctions() {
        if (bidsMade) {
            return bidAuction;
        }
        bidAuction = new long[rows];
        if (bidState.length < rows) {
            bidState = new long[rows];
        }
        for (int from = 0; from < rows; ) {
            int to = endOfCycle(from);
            cycleAuctions(from, to, Events.AUCTIONS * (number(from) / Events.CYCLE + 1));
            from = to;
        }
        bidsMade = true;
        return bidAuction;
    }

    /** The row behind the last one in the same 50 events as {@code row}: what bids choose from is the same for all of them. */
    private int endOfCycle(int row) {
        long left = Events.CYCLE - number(row) % Events.CYCLE;
        return (int) Math.min(rows, row + (left + stride - 1) / stride);
    }

    private void cycleAuctions(int from, int to, long known) {
        long[] auction = bidAuction;
        long[] states = bidState;
        double inverse = 1.0 / known;
        long last = known - 1;
        long n = number(from);
        for (int row = from; row < to; row++, n += stride) {
            long start = seed ^ n * Lcg.GOLDEN;
            long coin = Lcg.jump(start, 2);
            long choice = Lcg.jump(start, 3);
            long any = -(Lcg.draw(coin) & 1);
            long chosen = Lcg.below(Lcg.draw(choice), known, inverse);
            auction[row] = Events.FIRST_ID + last + (chosen - last & any);
            states[row] = coin + (choice - coin & any);
        }
    }

    private long[] bidders() {
        if (bidBidder != null) {
            return bidBidder;
        }
        bidAuctions();
        bidBidder = new long[rows];
        for (int from = 0; from < rows; ) {
            int to = endOfCycle(from);
            cycleBidders(from, to, number(from) / Events.CYCLE + 1);
            from = to;
        }
        return bidBidder;
    }

    private void cycleBidders(int from, int to, long known) {
        long[] bidder = bidBidder;
        long[] states = bidState;
        double inverse = 1.0 / known;
        for (int row = from; row < to; row++) {
            bidder[row] =
                    Events.FIRST_ID + Lcg.below(Lcg.draw(Lcg.jump(states[row], 1)), known, inverse);
        }
    }

    private Column prices() {
        bidAuctions();
        long[] values = new long[rows];
        long[] states = bidState;
        for (int row = 0; row < values.length; row++) {
            values[row] = 1 + Lcg.draw(Lcg.jump(states[row], 2)) % 10_000;
        }
        return new LongColumn(DataType.INT64, values, bidBits, rows);
    }

    /** What the second generator starts from. */
    private static long addressState(long auction, long bidder, long time) {
        return auction * Lcg.GOLDEN ^ Long.rotateLeft(bidder, 17) ^ time;
    }

    private int[] channels() {
        if (bidChannel != null) {
            return bidChannel;
        }
        long[] auction = bidAuctions();
        long[] bidder = bidders();
        long[] states = bidState;
        int[] out = new int[rows];
        long time = Events.FIRST_TIME + first * stepMs;
        long step = stride * stepMs;
        for (int row = 0; row < out.length; row++) {
            long state = addressState(auction[row], bidder[row], time + row * step);
            int hot = (int) Lcg.draw(Lcg.jump(states[row], 3)) & HOT_CHANNELS - 1;
            int cold = HOT_CHANNELS + (int) (Lcg.draw(Lcg.jump(state, 14)) % 1000);
            out[row] = Lcg.draw(Lcg.jump(state, 13)) % 10 == 0 ? cold : hot;
        }
        bidChannel = out;
        return out;
    }

    private static long[] template() {
        byte[] bytes =
                Arrays.copyOf(
                        TextBuilder.ascii(
                                "https://www.nexmark.com/aaaa/bbbb/cccc/item.htm?query=1&channel_id="),
                        MAX_URL);
        long[] words = new long[MAX_URL / 8];
        for (int i = 0; i < words.length; i++) {
            words[i] = (long) LONGS.get(bytes, 8 * i);
        }
        return words;
    }

    private Column urls() {
        int[] channel = channels();
        long[] auction = bidAuction;
        long[] bidder = bidBidder;
        int[] offsets = new int[rows + 1];
        byte[] data = new byte[MAX_URL * (rows + 1)];
        int at = 0;
        for (int row = 0; row < rows; row++) {
            offsets[row] = at;
            if (Bits.get(bidBits, row)) {
                at =
                        url(
                                data,
                                at,
                                addressState(auction[row], bidder[row], time(row)),
                                channel[row]);
            }
        }
        offsets[rows] = at;
        return new BytesColumn(DataType.UTF8, offsets, data, bidBits, rows);
    }

    private static int url(byte[] data, int at, long state, int channel) {
        for (int i = 0; i < TEMPLATE.length; i++) {
            LONGS.set(data, at + 8 * i, TEMPLATE[i]);
        }
        word(data, at + WORDS_AT, state, 1);
        word(data, at + WORDS_AT + 5, state, 5);
        word(data, at + WORDS_AT + 10, state, 9);
        if (channel < HOT_CHANNELS) {
            return at + TEMPLATE_LENGTH;
        }
        return TextBuilder.digits(
                data, at + TEMPLATE_LENGTH + CHANNEL_ID_LENGTH, channel - HOT_CHANNELS);
    }

    private static void word(byte[] data, int at, long state, int draw) {
        for (int i = 0; i < 4; i++) {
            data[at + i] = ALPHABET[(int) (Lcg.draw(Lcg.jump(state, draw + i)) % 36)];
        }
    }

    // ---- sentinels ----

    /**
     * The last three rows of a task, one of each kind, two days behind the last event, so that every window before it closes.
     *
     * @param events the number of events of the whole stream
     */
    public Batch sentinels(long events, int task, long firstOffset) {
        long time = Events.FIRST_TIME + events * stepMs + Events.SENTINEL_DISTANCE;
        Column[] columns = new Column[schema.size()];
        for (int i = 0; i < columns.length; i++) {
            ColumnBuilder builder = ColumnBuilder.of(schema.type(i));
            sentinel(schema.field(i).name(), time, task, firstOffset).forEach(builder::append);
            columns[i] = builder.build();
        }
        return Batch.of(schema, columns, 3);
    }

    /** A sentinel's column, as the person, the auction and the bid have it. */
    private static List<Object> sentinel(String column, long time, int task, long offset) {
        return switch (column) {
            case "type" -> List.of("person", "auction", "bid");
            case "id" -> of(1L, 1L, null);
            case "name" -> of("sentinel", null, null);
            case "emailAddress" -> of("s@s", null, null);
            case "creditCard" -> of("0", null, null);
            case "city" -> of("Nowhere", null, null);
            case "state" -> of("XX", null, null);
            case "dateTime" -> List.of(time, time, time);
            case "itemName" -> of(null, "sentinel", null);
            case "initialBid", "reserve", "category" -> of(null, 0L, null);
            case "expires" -> of(null, time, null);
            case "seller" -> of(null, 1L, null);
            case "auction", "bidder" -> of(null, null, 1L);
            case "price" -> of(null, null, 0L);
            case "channel" -> of(null, null, "sentinel");
            case "url" -> of(null, null, "");
            case Schema.KEY -> List.of("p1", "a1", "a1");
            case Schema.PARTITION -> List.of((long) task, (long) task, (long) task);
            case Schema.OFFSET -> List.of(offset, offset + 1, offset + 2);
            default -> throw new IllegalArgumentException("no event has a column " + column);
        };
    }

    private static List<Object> of(Object person, Object auction, Object bid) {
        return Arrays.asList(person, auction, bid);
    }
}
