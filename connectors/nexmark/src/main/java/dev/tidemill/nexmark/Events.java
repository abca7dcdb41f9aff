package dev.tidemill.nexmark;

import dev.tidemill.data.DataType;
import dev.tidemill.data.Field;
import dev.tidemill.data.Schema;
import java.util.ArrayList;
import java.util.List;

/**
 * What the stream of an auction house consists of. Of every 50 events the first is a person, the next three are auctions and the rest are
 * bids. Event time starts at {@link #FIRST_TIME}.
 */
public final class Events {
    /** The event time of event 0, in milliseconds since 1970. */
    public static final long FIRST_TIME = 1_000_000;

    /** How far behind the last event the sentinels are: two days, in milliseconds. */
    static final long SENTINEL_DISTANCE = 172_800_000;

    static final int CYCLE = 50;
    static final int FIRST_BID = 4;
    static final int AUCTIONS = 3;

    /** The least identifier of persons and auctions. */
    static final long FIRST_ID = 1000;

    /** The columns of every row, null where the kind of event has none. */
    public static final Schema SCHEMA =
            Schema.of(
                    text("type"),
                    number("id"),
                    text("name"),
                    text("emailAddress"),
                    text("creditCard"),
                    text("city"),
                    text("state"),
                    number("dateTime"),
                    text("itemName"),
                    number("initialBid"),
                    number("reserve"),
                    number("expires"),
                    number("seller"),
                    number("category"),
                    number("auction"),
                    number("bidder"),
                    number("price"),
                    text("channel"),
                    text("url"));

    private Events() {}

    private static Field text(String name) {
        return new Field(name, DataType.UTF8);
    }

    private static Field number(String name) {
        return new Field(name, DataType.INT64);
    }

    /**
     * The columns of a request, visible ones in the order of {@link #SCHEMA} and engine columns behind; names that no event has are left out.
     *
     * @param wanted names of visible columns, or null for all
     * @param engine names of engine columns
     */
    static Schema schema(List<String> wanted, List<String> engine) {
        List<Field> fields = new ArrayList<>();
        for (Field field : SCHEMA.fields()) {
            if (wanted == null || wanted.contains(field.name())) {
                fields.add(field);
            }
        }
        for (String name : engine) {
            fields.add(new Field(name, name.equals(Schema.KEY) ? DataType.UTF8 : DataType.INT64));
        }
        return new Schema(fields);
    }
}
