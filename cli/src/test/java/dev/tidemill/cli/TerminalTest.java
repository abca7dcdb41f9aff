package dev.tidemill.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemill.pipeline.BuildRecord;
import dev.tidemill.pipeline.BuildRecord.Totals;
import dev.tidemill.pipeline.RunStatus;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TerminalTest {
    private final StringWriter text = new StringWriter();
    private final PrintWriter err = new PrintWriter(text);

    @Test
    void plainOnesOnlyAddLines() {
        Terminal terminal = Terminal.plain(err);
        terminal.status("one");
        terminal.warn("careful");
        terminal.status("two");
        terminal.endStatus();
        assertThat(text.toString()).isEqualTo(lines("one", "warning: careful", "two"));
    }

    @Test
    void liveOnesDrawOverTheStatusAndKeepNotices() {
        Terminal terminal = Terminal.live(err, 10);
        terminal.status("a status that is too long");
        terminal.info("a notice");
        terminal.endStatus();
        terminal.info("the end");
        String clear = "\r\u001b[K";
        assertThat(text.toString())
                .isEqualTo(
                        "a status "
                                + clear
                                + "a notice"
                                + System.lineSeparator()
                                + "a status "
                                + clear
                                + "the end"
                                + System.lineSeparator());
    }

    @Test
    void progressGivesTheRateBetweenTwoLooks() {
        Progress progress = new Progress(0);
        assertThat(progress.line(record(1000, -1, -1), 500_000_000))
                .isEqualTo("RUNNING  2000 rows/s  consumed=1000 emitted=7 dropped=3");
        assertThat(progress.line(record(1500, 12, 1234), 1_500_000_000))
                .isEqualTo(
                        "RUNNING  500 rows/s  consumed=1500 emitted=7 dropped=3 lag=12 watermarkDelay=1.23s");
    }

    @Test
    void summaryNamesWhereEveryRowWent() {
        assertThat(
                        Progress.summary(
                                record(10, -1, -1), Duration.ofMillis(1500), Duration.ofMillis(90)))
                .isEqualTo(
                        "RUNNING  consumed=10 emitted=7 filtered=5 dropped=3 late=0 errors=2 wall=1.50s cpu=0.09s");
    }

    @ParameterizedTest
    @CsvSource({
        "0,0.00s",
        "4,0.00s",
        "5,0.01s",
        "994,0.99s",
        "995,1.00s",
        "61234,61.23s",
        "-1500,0.00s"
    })
    void secondsHaveTwoDecimals(long millis, String expected) {
        assertThat(Progress.seconds(millis)).isEqualTo(expected);
    }

    private static BuildRecord record(long consumed, long lag, long delay) {
        Totals totals = new Totals(consumed, 7, 5, 3, 0, 2, 0, lag, delay, -1);
        Instant now = Instant.EPOCH;
        return new BuildRecord(
                "q",
                "q",
                RunStatus.RUNNING,
                now,
                now,
                null,
                null,
                null,
                List.of(),
                totals,
                null,
                0,
                Map.of(),
                Map.of(),
                Map.of());
    }

    private static String lines(String... lines) {
        return String.join(System.lineSeparator(), lines) + System.lineSeparator();
    }
}
