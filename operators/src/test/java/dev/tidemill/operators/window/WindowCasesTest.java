package dev.tidemill.operators.window;

import static dev.tidemill.operators.window.WindowFixture.batch;
import static dev.tidemill.operators.window.WindowFixture.row;
import static dev.tidemill.operators.window.WindowFixture.sliding;
import static dev.tidemill.operators.window.WindowFixture.tumbling;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemill.data.DataType;
import dev.tidemill.data.Field;
import dev.tidemill.data.Schema;
import dev.tidemill.operators.AggregateKind;
import dev.tidemill.operators.AggregateSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WindowCasesTest {
    private static final String[] WINDOW = {"windowStart", "windowEnd", "n"};

    @Test
    void negativeTimesFallIntoTheWindowsBelowZero() {
        WindowFixture window = tumbling(5).groupBy().start();
        window.process(batch(row(-1, "a", 1L), row(-5, "a", 1L), row(-6, "a", 1L))).finish();
        assertThat(window.lines(WINDOW)).containsExactly("-10 -5 1", "-5 0 2");
    }

    @Test
    void aDayInShanghaiIsTheLocalDay() {
        WindowFixture window = tumbling(86_400_000).zone("Asia/Shanghai").groupBy().start();
        long time = OffsetDateTime.parse("2024-01-02T00:30:00+08:00").toInstant().toEpochMilli();
        window.process(batch(row(time, "a", 1L))).finish();
        assertThat(window.out.getFirst().get("windowStart"))
                .isEqualTo(
                        OffsetDateTime.parse("2024-01-02T00:00:00+08:00")
                                .toInstant()
                                .toEpochMilli());
        assertThat(window.out.getFirst().get("windowEnd"))
                .isEqualTo(
                        OffsetDateTime.parse("2024-01-03T00:00:00+08:00")
                                .toInstant()
                                .toEpochMilli());
    }

    @Test
    void daysOfDaylightSavingAreShorterOrLonger() {
        WindowFixture window = tumbling(86_400_000).zone("America/New_York").groupBy().start();
        long first = Instant.parse("2026-03-08T20:00:00Z").toEpochMilli();
        long second = Instant.parse("2026-03-09T04:00:00Z").toEpochMilli();
        long third = Instant.parse("2026-03-10T03:59:59Z").toEpochMilli();
        window.process(batch(row(first, "a", 1L), row(second, "a", 1L), row(third, "a", 1L)))
                .finish();
        assertThat(window.lines("n")).containsExactly("1", "2");
        assertThat(
                        (long) window.out.getFirst().get("windowEnd")
                                - (long) window.out.getFirst().get("windowStart"))
                .isEqualTo(Duration.ofHours(23).toMillis());
        WindowFixture autumn = tumbling(86_400_000).zone("America/New_York").groupBy().start();
        List<Object[]> hours = new ArrayList<>();
        for (Instant at = Instant.parse("2026-10-31T04:00:00Z");
                at.isBefore(Instant.parse("2026-11-03T05:00:00Z"));
                at = at.plusSeconds(3600)) {
            hours.add(row(at.toEpochMilli(), "a", 1L));
        }
        autumn.process(batch(WindowFixture.ROWS, hours)).finish();
        assertThat(autumn.lines("n")).containsExactly("24", "25", "24");
    }

    @Test
    void theLateRowOfABatchHarmsNoOther() {
        for (int position = 0; position < 3; position++) {
            WindowFixture window = sliding(10, 5).groupBy().start();
            window.process(batch(row(30, "a", 1L))).advance(30);
            List<Object[]> rows = new ArrayList<>(List.of(row(31, "a", 1L), row(33, "a", 1L)));
            rows.add(position, row(3, "a", 1L));
            window.process(batch(WindowFixture.ROWS, rows)).finish();
            assertThat(window.side.late).isEqualTo(1);
            assertThat(window.lines(WINDOW)).containsExactly("25 35 3", "30 40 3");
        }
    }

    @Test
    void costFollowsRowsAndNotTheSpanOfTime() {
        WindowFixture window = sliding(1000, 10).groupBy().start();
        long before = System.nanoTime();
        window.process(batch(row(1, "a", 1L), row(1_700_000_000_000L, "a", 1L)))
                .advance(1_700_000_000_000L)
                .finish();
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofMillis(500));
        assertThat(window.out).hasSize(200);
    }

    @Test
    void aWatermarkSaysNoRowsBelowIt() {
        WindowFixture window = tumbling(10).groupBy().start();
        window.process(batch(row(9, "a", 1L))).advance(9);
        assertThat(window.out).isEmpty();
        window.process(batch(row(9, "a", 1L))).advance(10);
        assertThat(window.lines(WINDOW)).containsExactly("0 10 2");
        window.process(batch(row(9, "a", 1L), row(10, "a", 1L), row(11, "a", 1L))).finish();
        assertThat(window.side.late).isEqualTo(1);
        assertThat(window.lines(WINDOW)).containsExactly("0 10 2", "10 20 2");
    }

    @Test
    void theEndsOfTimeSaturate() {
        WindowFixture window =
                tumbling(10).groupBy().lateness(Duration.ofDays(7).toMillis()).start();
        window.advance(Long.MIN_VALUE + 1);
        window.process(
                batch(
                        row(Long.MIN_VALUE, "a", 1L),
                        row(Long.MIN_VALUE + 3, "a", 1L),
                        row(0, "a", 1L)));
        window.process(batch(row(Long.MAX_VALUE, "a", 1L), row(Long.MAX_VALUE - 1, "a", 1L)));
        window.advance(Long.MAX_VALUE - 5).finish();
        assertThat(window.out.stream().mapToLong(row -> (long) row.get("n")).sum()).isEqualTo(5);
    }

    @Test
    void aSlideThatDoesNotDivideTheSizeCountsEveryRowInEachOfItsWindows() {
        WindowFixture window = sliding(7, 3).groupBy().start();
        window.process(batch(row(0, "a", 1L), row(1, "a", 1L), row(5, "a", 1L))).finish();
        assertThat(window.lines(WINDOW)).containsExactly("-6 1 1", "-3 4 2", "0 7 3", "3 10 1");
    }

    @Test
    void lateRowsWithinTheCorrectionTimeWriteTheResultAgain() {
        WindowFixture window = tumbling(10).correct(20).keys().start();
        window.process(batch(row(1, "a", 1L), row(2, "b", 1L), row(12, "a", 1L))).advance(12);
        assertThat(window.lines("windowStart", "k", "n", Schema.KEY))
                .containsExactly("0 a 1 w|0|10|sa", "0 b 1 w|0|10|sb");
        window.out.clear();
        window.process(batch(row(3, "a", 1L)));
        assertThat(window.lines("windowStart", "k", "n", Schema.KEY))
                .containsExactly("0 a 2 w|0|10|sa");
        window.advance(30);
        window.out.clear();
        window.process(batch(row(4, "a", 1L)));
        assertThat(window.out).isEmpty();
        assertThat(window.side.late).isEqualTo(1);
    }

    @Test
    void lateRowsTellHowLateTheyAre() {
        WindowFixture window = tumbling(10).lateRows().start();
        window.process(batch(row(25, "a", 1L))).advance(25);
        window.process(batch(row(3, "a", 1L)));
        assertThat(window.side.lateBy).containsExactly(15L);
    }

    @Test
    void earlyResultsComeForChangedGroupsOnlyAndTheCloseForAll() {
        WindowFixture window = tumbling(10).everyRows(2).start();
        window.process(batch(row(1, "a", 1L), row(2, "b", 1L)));
        assertThat(window.lines("k", "n")).containsExactly("a 1", "b 1");
        window.out.clear();
        window.process(batch(row(3, "a", 1L), row(4, "a", 1L)));
        assertThat(window.lines("k", "n")).containsExactly("a 3");
        window.out.clear();
        window.advance(10);
        assertThat(window.lines("k", "n")).containsExactly("a 3", "b 1");
    }

    @Test
    void ticksWriteChangedGroups() {
        WindowFixture window = sliding(10, 5).everyMs(100).start();
        window.process(batch(row(6, "a", 1L))).tick();
        assertThat(window.lines("windowStart", "n")).containsExactly("0 1", "5 1");
        window.out.clear();
        assertThat(window.tick().out).isEmpty();
    }

    @Test
    void aSumBeyondInt64IsAnErrorAndNeverWraps() {
        AggregateSpec sum = new AggregateSpec(AggregateKind.SUM, "v", "s");
        WindowFixture window = tumbling(10).aggregates(sum).start();
        window.process(
                        batch(
                                row(1, "a", Long.MAX_VALUE),
                                row(1, "a", 1L),
                                row(1, "b", Long.MAX_VALUE),
                                row(1, "b", 1L),
                                row(1, "b", -1L)))
                .finish();
        assertThat(window.lines("k", "s")).containsExactly("b " + Long.MAX_VALUE);
        assertThat(window.side.errors)
                .containsExactly("s: the sum 9223372036854775808 does not fit an int64");
    }

    @Test
    void nanIsOneGroupAndSoAreTheZeros() {
        Schema schema = Schema.of(new Field("t", DataType.INT64), new Field("k", DataType.FLOAT64));
        WindowFixture window = tumbling(10).start();
        double otherNan = Double.longBitsToDouble(0x7ff8000000000001L);
        window.process(
                        batch(
                                schema,
                                List.of(
                                        new Object[] {1L, Double.NaN},
                                        new Object[] {1L, otherNan},
                                        new Object[] {1L, -0.0},
                                        new Object[] {1L, 0.0},
                                        new Object[] {1L, 3.0},
                                        new Object[] {1L, null})))
                .finish();
        assertThat(window.out).hasSize(4);
        assertThat(window.out.stream().map(row -> (long) row.get("n")).sorted().toList())
                .containsExactly(1L, 1L, 2L, 2L);
    }

    @Test
    void typesWidenWithTheStream() {
        AggregateSpec[] specs = {
            new AggregateSpec(AggregateKind.SUM, "v", "s"),
            new AggregateSpec(AggregateKind.MAX, "v", "m"),
            new AggregateSpec(AggregateKind.AVG, "v", "a")
        };
        Schema nulls =
                Schema.of(
                        new Field("t", DataType.INT64),
                        new Field("k", DataType.NULL),
                        new Field("v", DataType.NULL));
        Schema ints =
                Schema.of(
                        new Field("t", DataType.INT64),
                        new Field("k", DataType.INT64),
                        new Field("v", DataType.INT64));
        Schema doubles =
                Schema.of(
                        new Field("t", DataType.INT64),
                        new Field("k", DataType.FLOAT64),
                        new Field("v", DataType.FLOAT64));
        WindowFixture window = tumbling(10).aggregates(specs).start();
        window.process(batch(nulls, List.<Object[]>of(new Object[] {1L, null, null})));
        window.process(batch(ints, List.<Object[]>of(new Object[] {1L, 7L, 3L})));
        window.process(batch(doubles, List.<Object[]>of(new Object[] {1L, 7.0, 0.5}))).finish();
        assertThat(window.lines("k", "s", "m", "a"))
                .containsExactlyInAnyOrder("7.0 3.5 3.0 1.75", "null 0.0 null null");
    }

    @Test
    void keysThatWidenMeetTheirOwnGroup() {
        Schema ints = Schema.of(new Field("t", DataType.INT64), new Field("k", DataType.INT64));
        Schema texts = Schema.of(new Field("t", DataType.INT64), new Field("k", DataType.UTF8));
        WindowFixture window = tumbling(10).keys().start();
        window.process(batch(ints, List.of(new Object[] {1L, 5L}, new Object[] {1L, -7L})));
        window.process(batch(texts, List.of(new Object[] {1L, "5"}, new Object[] {1L, "x"})));
        window.process(batch(ints, List.<Object[]>of(new Object[] {1L, 5L}))).finish();
        assertThat(window.lines("k", "n", Schema.KEY))
                .containsExactly("-7 1 w|0|10|s-7", "5 3 w|0|10|s5", "x 1 w|0|10|sx");
    }

    @Test
    void rowKeysAreInjective() {
        Schema schema =
                Schema.of(
                        new Field("t", DataType.INT64),
                        new Field("k", DataType.UTF8),
                        new Field("j", DataType.UTF8));
        WindowFixture window = tumbling(10).groupBy("k", "j").keys().start();
        window.process(
                        batch(
                                schema,
                                List.of(
                                        new Object[] {-1L, "a|s", "b"},
                                        new Object[] {-1L, "a", "s|b"},
                                        new Object[] {-1L, "a|sb", null},
                                        new Object[] {-1L, null, null},
                                        new Object[] {-1L, "", ""},
                                        new Object[] {-1L, "a\\", "b"},
                                        new Object[] {-1L, "a\\|s", "b"})))
                .finish();
        assertThat(window.lines(Schema.KEY))
                .doesNotHaveDuplicates()
                .hasSize(7)
                .contains("w|-10|0||", "w|-10|0|s|s", "w|-10|0|sa\\|s|sb");
    }

    @Test
    void rowKeysKeepAllDigits() {
        Schema schema =
                Schema.of(
                        new Field("t", DataType.INT64),
                        new Field("k", DataType.INT64),
                        new Field("d", DataType.FLOAT64),
                        new Field("f", DataType.BOOL));
        WindowFixture window = tumbling(10).groupBy("k", "d", "f").keys().start();
        window.process(
                        batch(
                                schema,
                                List.of(
                                        new Object[] {1L, Long.MIN_VALUE, 1e21, true},
                                        new Object[] {1L, Long.MAX_VALUE, -0.0, false},
                                        new Object[] {1L, 0L, 0.1, null})))
                .finish();
        assertThat(window.lines(Schema.KEY))
                .containsExactly(
                        "w|0|10|n-9223372036854775808|n1000000000000000000000|btrue",
                        "w|0|10|n0|n0.1000000000000000055511151231257827021181583404541015625|",
                        "w|0|10|n9223372036854775807|n0|bfalse");
    }

    @Test
    void anAggregateThatCanNeverUseItsColumnIsRefused() {
        AggregateSpec sum = new AggregateSpec(AggregateKind.SUM, "k", "s");
        assertThat(WindowedAggregate.refusal(sum, WindowFixture.ROWS))
                .isEqualTo("sum needs numbers, and column k is string");
        assertThat(
                        WindowedAggregate.refusal(
                                new AggregateSpec(AggregateKind.BOOL_OR, "v", "s"),
                                WindowFixture.ROWS))
                .contains("booleans", "v", "int64");
        assertThat(
                        WindowedAggregate.refusal(
                                new AggregateSpec(AggregateKind.MAX, "k", "s"), WindowFixture.ROWS))
                .isNull();
        assertThat(
                        WindowedAggregate.refusal(
                                new AggregateSpec(AggregateKind.SUM, "absent", "s"),
                                WindowFixture.ROWS))
                .isNull();
    }

    @Test
    void rowsInAnyOrderOfTimeCostTheSame() {
        WindowFixture window = tumbling(10).groupBy().start();
        java.util.Random random = new java.util.Random(1);
        long before = System.nanoTime();
        for (int b = 0; b < 10; b++) {
            List<Object[]> rows = new ArrayList<>();
            for (int i = 0; i < 4096; i++) {
                rows.add(row(random.nextLong(1L << 40), "a", 1L));
            }
            window.process(batch(WindowFixture.ROWS, rows));
        }
        window.finish();
        assertThat(window.out.stream().mapToLong(row -> (long) row.get("n")).sum())
                .isEqualTo(40_960);
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(5));
    }
}
