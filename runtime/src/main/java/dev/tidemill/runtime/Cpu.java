package dev.tidemill.runtime;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** CPU time of threads in ns; 0 where the JVM does not measure it. */
final class Cpu {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private Cpu() {}

    static long ofCurrentThread() {
        return THREADS.isCurrentThreadCpuTimeSupported() ? THREADS.getCurrentThreadCpuTime() : 0;
    }

    static long of(Thread thread) {
        return THREADS.isThreadCpuTimeSupported() ? THREADS.getThreadCpuTime(thread.threadId()) : 0;
    }
}
