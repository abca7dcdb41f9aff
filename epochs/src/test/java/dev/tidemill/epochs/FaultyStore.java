package dev.tidemill.epochs;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;

/**
 * A store whose user dies, or whose network fails, at chosen operations. Several wrap one: each is a process's view of it.
 */
final class FaultyStore implements ObjectStore {
    /** The process is dead: nothing it does reaches the store any more. */
    static final class Crash extends Error {
        Crash() {
            super("crash");
        }
    }

    private final ObjectStore inner;
    private final Random random;
    boolean isDead;

    /** Operations until the process dies; negative: never. */
    long untilCrash = -1;

    /** Whether a crash may leave part of the object that was being written, as a disk that lies about what it has synced would. */
    boolean tears;

    /** One in how many operations fails with an exception, its effect done or not; 0: none. */
    int failsOneIn;

    FaultyStore(ObjectStore inner, Random random) {
        this.inner = inner;
        this.random = random;
    }

    @FunctionalInterface
    private interface Operation<T> {
        T run() throws IOException;
    }

    private <T> T run(Operation<T> operation, Operation<T> torn) throws IOException {
        if (isDead) {
            throw new Crash();
        }
        if (untilCrash == 0) {
            isDead = true;
            switch (random.nextInt(tears ? 3 : 2)) {
                case 0 -> operation.run();
                case 2 -> torn.run();
                default -> {}
            }
            throw new Crash();
        }
        untilCrash = Math.max(-1, untilCrash - 1);
        if (failsOneIn > 0 && random.nextInt(failsOneIn) == 0) {
            if (random.nextBoolean()) {
                operation.run();
            }
            throw new IOException("failed");
        }
        return operation.run();
    }

    private <T> T run(Operation<T> operation) throws IOException {
        return run(operation, operation);
    }

    @Override
    public String location() {
        return inner.location();
    }

    @Override
    public boolean putIfAbsent(String name, Body body) throws IOException {
        java.io.ByteArrayOutputStream out = new java.io.ByteArrayOutputStream();
        body.writeTo(out);
        byte[] bytes = out.toByteArray();
        return run(
                () -> inner.putIfAbsent(name, bytes),
                () ->
                        inner.putIfAbsent(
                                name, Arrays.copyOf(bytes, random.nextInt(bytes.length + 1))));
    }

    @Override
    public void put(String name, byte[] bytes) throws IOException {
        run(
                () -> {
                    inner.put(name, bytes);
                    return null;
                });
    }

    @Override
    public Optional<byte[]> get(String name) throws IOException {
        return run(() -> inner.get(name));
    }

    @Override
    public OptionalLong length(String name) throws IOException {
        return run(() -> inner.length(name));
    }

    @Override
    public InputStream read(String name, long offset) throws IOException {
        return run(() -> inner.read(name, offset));
    }

    @Override
    public void delete(String name) throws IOException {
        run(
                () -> {
                    inner.delete(name);
                    return null;
                });
    }

    @Override
    public List<String> list(String prefix) throws IOException {
        return run(() -> inner.list(prefix));
    }

    @Override
    public void close() {}
}
