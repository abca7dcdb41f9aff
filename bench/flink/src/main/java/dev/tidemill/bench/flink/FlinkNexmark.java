package dev.tidemill.bench.flink;

import java.util.HashMap;
import java.util.Map;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;

/**
 * Runs one Nexmark query in Flink SQL, in a cluster within this process:
 * {@code --query Q --input FILE --parallelism N [--answer DIR]}. Rows are thrown away, or with {@code --answer} written as JSON lines into a folder.
 */
public final class FlinkNexmark {
    private static final String EVENTS =
            """
            CREATE TABLE events (
              `type` STRING, id BIGINT, name STRING, emailAddress STRING, creditCard STRING, city STRING, state STRING, `dateTime` BIGINT,
              itemName STRING, initialBid BIGINT, reserve BIGINT, expires BIGINT, seller BIGINT, category BIGINT,
              auction BIGINT, bidder BIGINT, price BIGINT, channel STRING, url STRING,
              ts AS TO_TIMESTAMP_LTZ(`dateTime`, 3),
              WATERMARK FOR ts AS ts
            ) WITH ('connector' = 'filesystem', 'path' = '%s', 'format' = 'json')
            """;

    private static final String Q0_COLUMNS =
            "`type`, id, name, emailAddress, creditCard, city, state, `dateTime`, itemName, initialBid, reserve, expires, seller, category,"
                    + " auction, bidder, price, channel, url";

    /** Columns of the answer, and the query. */
    private static final Map<String, String[]> QUERIES = new HashMap<>();

    static {
        QUERIES.put(
                "q0",
                new String[] {
                    "`type` STRING, id BIGINT, name STRING, emailAddress STRING, creditCard STRING, city STRING, state STRING, `dateTime` BIGINT,"
                            + " itemName STRING, initialBid BIGINT, reserve BIGINT, expires BIGINT, seller BIGINT, category BIGINT, auction BIGINT,"
                            + " bidder BIGINT, price BIGINT, channel STRING, url STRING",
                    "SELECT " + Q0_COLUMNS + " FROM events"
                });
        QUERIES.put(
                "q1",
                new String[] {
                    "auction BIGINT, bidder BIGINT, price DECIMAL(22, 3), `dateTime` BIGINT",
                    "SELECT auction, bidder, 0.908 * price AS price, `dateTime` FROM events WHERE `type` = 'bid'"
                });
        QUERIES.put(
                "q2",
                new String[] {
                    "auction BIGINT, price BIGINT",
                    "SELECT auction, price FROM events WHERE `type` = 'bid' AND MOD(auction, 123) = 0"
                });
        QUERIES.put(
                "tumbling",
                new String[] {
                    "auction BIGINT, bids BIGINT, windowStart BIGINT, windowEnd BIGINT",
                    counts("TUMBLE(TABLE bids, DESCRIPTOR(ts), INTERVAL '10' SECOND)")
                });
        QUERIES.put(
                "sliding",
                new String[] {
                    "auction BIGINT, bids BIGINT, windowStart BIGINT, windowEnd BIGINT",
                    counts("HOP(TABLE bids, DESCRIPTOR(ts), INTERVAL '2' SECOND, INTERVAL '10' SECOND)")
                });
        QUERIES.put(
                "max10",
                new String[] {
                    "price BIGINT, windowStart BIGINT, windowEnd BIGINT",
                    "SELECT MAX(price) AS price, "
                            + ms("window_start")
                            + " AS windowStart, "
                            + ms("window_end")
                            + " AS windowEnd FROM TABLE(TUMBLE(TABLE bids, DESCRIPTOR(ts), INTERVAL '10' SECOND))"
                            + " GROUP BY window_start, window_end"
                });
    }

    private FlinkNexmark() {}

    private static String counts(String windows) {
        return "SELECT auction, COUNT(*) AS bids, "
                + ms("window_start")
                + " AS windowStart, "
                + ms("window_end")
                + " AS windowEnd FROM TABLE("
                + windows
                + ") GROUP BY auction, window_start, window_end";
    }

    /** A window's bound, which is in the session's zone (UTC), in ms. */
    private static String ms(String bound) {
        return "1000 * UNIX_TIMESTAMP(DATE_FORMAT(" + bound + ", 'yyyy-MM-dd HH:mm:ss'))";
    }

    /** Runs to the end; a failure ends the process with another status than 0. */
    public static void main(String[] arguments) throws Exception {
        Map<String, String> options = new HashMap<>();
        for (int i = 0; i + 1 < arguments.length; i += 2) {
            options.put(arguments[i], arguments[i + 1]);
        }
        String[] query = QUERIES.get(options.get("--query"));
        TableEnvironment tables =
                TableEnvironment.create(EnvironmentSettings.newInstance().inStreamingMode().build());
        set(tables, "parallelism.default", options.get("--parallelism"));
        set(tables, "pipeline.object-reuse", "true");
        set(tables, "table.local-time-zone", "UTC");
        set(tables, "table.exec.mini-batch.enabled", "true");
        set(tables, "table.exec.mini-batch.allow-latency", "1 s");
        set(tables, "table.exec.mini-batch.size", "5000");
        tables.executeSql(String.format(EVENTS, options.get("--input")));
        tables.executeSql(
                "CREATE VIEW bids AS SELECT auction, price, ts FROM events WHERE `type` = 'bid'");
        String answer = options.get("--answer");
        tables.executeSql(
                "CREATE TABLE answer ("
                        + query[0]
                        + ") WITH ("
                        + (answer == null
                                ? "'connector' = 'blackhole'"
                                : "'connector' = 'filesystem', 'format' = 'json', 'path' = '" + answer + "'")
                        + ")");
        tables.executeSql("INSERT INTO answer " + query[1]).await();
    }

    private static void set(TableEnvironment tables, String key, String value) {
        tables.getConfig().set(key, value);
    }
}
