package dev.tidemill.epochs;

/** Time as a store needs it; replaced in tests and in simulation. */
public interface StoreClock {
    /** Milliseconds since 1970, for records that people read. */
    long wallMillis();

    /** Milliseconds from any origin, never going back. */
    long monotonicMillis();

    /** Lets time pass. */
    void sleep(long millis) throws InterruptedException;

    /** The machine's clocks. */
    StoreClock SYSTEM =
            new StoreClock() {
                @Override
                public long wallMillis() {
                    return System.currentTimeMillis();
                }

                @Override
                public long monotonicMillis() {
                    return System.nanoTime() / 1_000_000;
                }

                @Override
                public void sleep(long millis) throws InterruptedException {
                    Thread.sleep(millis);
                }
            };
}
