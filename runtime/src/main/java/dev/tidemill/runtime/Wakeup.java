package dev.tidemill.runtime;

import java.util.concurrent.locks.LockSupport;

/** Lets one thread sleep until another has something for it. {@link #await} belongs to one thread, {@link #signal} to all. */
final class Wakeup {
    private volatile boolean signalled;
    private volatile Thread sleeper;

    /** Wakes the sleeper, now or at its next {@link #await}. A volatile read when it is awake already. */
    void signal() {
        if (signalled) {
            return;
        }
        signalled = true;
        Thread thread = sleeper;
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }

    /** Sleeps until a signal since the last return, or about so long. */
    void await(long nanos) {
        sleeper = Thread.currentThread();
        if (!signalled) {
            LockSupport.parkNanos(this, nanos);
        }
        sleeper = null;
        signalled = false;
    }
}
