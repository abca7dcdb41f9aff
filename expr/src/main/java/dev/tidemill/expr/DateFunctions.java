package dev.tidemill.expr;

import dev.tidemill.data.DataType;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;

/** Functions of points in time, in milliseconds since 1970 UTC. */
final class DateFunctions {
    private static final long DAY = 86_400_000L;

    /** The years that the reference accepts: -262143 to 262142. */
    private static final long FIRST_DAY = LocalDate.of(-262143, 1, 1).toEpochDay();

    private static final long LAST_DAY = LocalDate.of(262142, 12, 31).toEpochDay();

    private DateFunctions() {}

    @FunctionalInterface
    private interface Part {
        long of(LocalDate date, long msOfDay);
    }

    static void addTo(Functions.FunctionSet set) {
        set.category("Dates");
        set.declare("epochMs(text)", "The milliseconds of an RFC 3339 time with its zone.")
                .example("epochMs('2026-01-01T00:00:00Z')", "1767225600000")
                .example("epochMs('1970-01-01T01:00:00.5+01:00')", "500")
                .example("epochMs('yesterday')", "error")
                .gives(DataType.INT64)
                .is(a -> epochMs(Arguments.text("epochMs", a, 0)));
        set.declare("epochToIso(ms)", "The time as text: YYYY-MM-DDTHH:MM:SS.sssZ.")
                .example("epochToIso(1767225600000)", "'2026-01-01T00:00:00.000Z'")
                .example("epochToIso(-1)", "'1969-12-31T23:59:59.999Z'")
                .gives(DataType.UTF8)
                .is(a -> iso(Arguments.cut("epochToIso", a, 0)));
        part(set, "yearOf", "The year", "2026", (date, _) -> date.getYear());
        part(set, "monthOf", "The month, 1 to 12", "1", (date, _) -> date.getMonthValue());
        part(set, "dayOf", "The day of the month", "1", (date, _) -> date.getDayOfMonth());
        part(set, "hourOf", "The hour, 0 to 23", "0", (_, ms) -> ms / 3_600_000);
        part(set, "minuteOf", "The minute, 0 to 59", "0", (_, ms) -> ms / 60_000 % 60);
        part(
                set,
                "dayOfYear",
                "The day of the year, from 1",
                "1",
                (date, _) -> date.getDayOfYear());
        part(
                set,
                "dayOfWeekOf",
                "The day of the week; Monday is 1",
                "4",
                (date, _) -> date.getDayOfWeek().getValue());
    }

    private static void part(
            Functions.FunctionSet set, String name, String doc, String example, Part part) {
        set.declare(name + "(ms)", doc + ", in UTC.")
                .example(name + "(1767225600000)", example)
                .gives(DataType.INT64)
                .is(
                        a -> {
                            long ms = Arguments.cut(name, a, 0);
                            return part.of(
                                    LocalDate.ofEpochDay(day(name, ms)), Math.floorMod(ms, DAY));
                        });
    }

    private static long day(String function, long ms) throws EvalError {
        long day = Math.floorDiv(ms, DAY);
        if (day < FIRST_DAY || day > LAST_DAY) {
            throw new EvalError(
                    function + " takes the years -262143 to 262142, found " + ms + " ms");
        }
        return day;
    }

    private static long epochMs(String text) throws EvalError {
        try {
            return OffsetDateTime.parse(text, DateTimeFormatter.ISO_OFFSET_DATE_TIME)
                    .toInstant()
                    .toEpochMilli();
        } catch (DateTimeException | ArithmeticException e) {
            // RFC 3339 lets a blank stand for the T and letters be small; the JDK does not.
            return lenient(text);
        }
    }

    private static long lenient(String text) throws EvalError {
        String strict =
                text.length() > 10 && (text.charAt(10) == ' ' || text.charAt(10) == 't')
                        ? text.substring(0, 10) + 'T' + text.substring(11)
                        : text;
        try {
            return OffsetDateTime.parse(
                            strict.replace('z', 'Z'), DateTimeFormatter.ISO_OFFSET_DATE_TIME)
                    .toInstant()
                    .toEpochMilli();
        } catch (DateTimeException | ArithmeticException e) {
            throw new EvalError(
                    "epochMs needs a time such as 2026-01-01T00:00:00Z, found '" + text + "'");
        }
    }

    private static String iso(long ms) throws EvalError {
        day("epochToIso", ms);
        ZonedDateTime time = Instant.ofEpochMilli(ms).atZone(ZoneOffset.UTC);
        int year = time.getYear();
        String years =
                year > 9999
                        ? "+" + year
                        : year < 0 ? String.format("-%04d", -year) : String.format("%04d", year);
        return years
                + String.format(
                        "-%02d-%02dT%02d:%02d:%02d.%03dZ",
                        time.getMonthValue(),
                        time.getDayOfMonth(),
                        time.getHour(),
                        time.getMinute(),
                        time.getSecond(),
                        time.getNano() / 1_000_000);
    }
}
