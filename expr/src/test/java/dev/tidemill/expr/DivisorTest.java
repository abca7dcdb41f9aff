package dev.tidemill.expr;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class DivisorTest {
    @Test
    void remaindersAreThoseOfTheOperator() {
        Random random = new Random(9);
        long[] divisors =
                LongStream.concat(
                                LongStream.of(
                                        Long.MAX_VALUE,
                                        Long.MAX_VALUE - 1,
                                        1L << 62,
                                        (1L << 62) + 1,
                                        1L << 32,
                                        641,
                                        1_000_000_007),
                                LongStream.concat(
                                        LongStream.rangeClosed(2, 300),
                                        random.longs(300)
                                                .map(
                                                        d ->
                                                                Math.max(
                                                                        2,
                                                                        d
                                                                                >>> 1
                                                                                        + random
                                                                                                .nextInt(
                                                                                                        62)))))
                        .toArray();
        for (long divisor : divisors) {
            Divisor by = new Divisor(divisor);
            for (long near :
                    new long[] {
                        0,
                        divisor,
                        2 * divisor,
                        -divisor,
                        Long.MAX_VALUE,
                        Long.MIN_VALUE,
                        Long.MAX_VALUE / divisor * divisor
                    }) {
                for (long step = -2; step <= 2; step++) {
                    check(by, divisor, near + step);
                }
            }
            for (int i = 0; i < 200; i++) {
                check(by, divisor, random.nextLong() >> random.nextInt(64));
            }
        }
    }

    private static void check(Divisor by, long divisor, long dividend) {
        assertThat(by.remainder(dividend))
                .as("%d %% %d", dividend, divisor)
                .isEqualTo(dividend % divisor);
    }
}
