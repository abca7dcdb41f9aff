package dev.tidemill.epochs;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/**
 * A process that runs a pipeline.
 *
 * @param text for people, such as {@code process 4711 on host-a}
 * @param space the machine's boot and the space in which {@code pid} counts; empty when unknown
 * @param pid the process
 * @param startedAt when the process began, milliseconds since 1970, so that a reused number is not taken for it; 0 when unknown
 */
public record Owner(String text, String space, long pid, long startedAt) {
    /** This process. */
    public static Owner current() {
        ProcessHandle self = ProcessHandle.current();
        return new Owner(
                "process " + self.pid() + " on " + host(), thisSpace(), self.pid(), startOf(self));
    }

    /** Whether this process can tell for certain that the owner lives no more. */
    boolean isSurelyGone() {
        if (space.isEmpty() || startedAt == 0 || !space.equals(thisSpace())) {
            return false;
        }
        Optional<ProcessHandle> found = ProcessHandle.of(pid);
        return found.isEmpty() || !found.get().isAlive() || startOf(found.get()) != startedAt;
    }

    private static long startOf(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException unnamed) {
            return "an unnamed host";
        }
    }

    /** Two processes with the same answer see each other's numbers. Only Linux tells; elsewhere the lease's time decides. */
    private static String thisSpace() {
        try {
            String boot = Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
            return boot + " " + Files.readSymbolicLink(Path.of("/proc/self/ns/pid"));
        } catch (IOException | UnsupportedOperationException | SecurityException untold) {
            return "";
        }
    }
}
