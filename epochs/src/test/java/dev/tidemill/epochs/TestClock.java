package dev.tidemill.epochs;

/** Time that passes when somebody sleeps. */
final class TestClock implements StoreClock {
    long slept;
    Runnable onSleep = () -> {};

    @Override
    public long wallMillis() {
        return 1_000 + slept;
    }

    @Override
    public long monotonicMillis() {
        return slept;
    }

    @Override
    public void sleep(long millis) {
        slept += millis;
        onSleep.run();
    }
}
