package dev.tidemill.epochs;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Named immutable bytes, as a directory or an object store can keep them. Creation is atomic: others see the whole object or none.
 *
 * <p>A name is one or more segments joined by {@code /}; a segment has letters, digits and {@code . _ - ~ % =} and does not begin with a dot, else {@link
 * IllegalArgumentException}. All methods may be called from any thread. An {@link IOException} of a writing method leaves the outcome open: the object may
 * exist, or may yet come to exist.
 */
public interface ObjectStore extends Closeable {
    /** Writes an object's bytes. Called once for each attempt to create it. */
    @FunctionalInterface
    interface Body {
        void writeTo(OutputStream out) throws IOException;
    }

    /** Where the objects are, for messages: no secrets in it. */
    String location();

    /**
     * Creates the object unless its name is taken. When this returns, with either answer, the object survives a power failure.
     *
     * @return false when the name was taken; nothing was changed then
     */
    boolean putIfAbsent(String name, Body body) throws IOException;

    /** As the other one, for bytes at hand. */
    default boolean putIfAbsent(String name, byte[] bytes) throws IOException {
        return putIfAbsent(name, out -> out.write(bytes));
    }

    /** Creates or replaces the object, for readers at once. It need not survive a power failure: for hints and signs of life only. */
    void put(String name, byte[] bytes) throws IOException;

    /** All bytes of a small object, or empty when there is none. */
    Optional<byte[]> get(String name) throws IOException;

    /** The object's length in bytes, or empty when there is none. */
    OptionalLong length(String name) throws IOException;

    /**
     * Reads from an offset to the object's end; the caller closes.
     *
     * @throws java.nio.file.NoSuchFileException when there is no such object
     */
    InputStream read(String name, long offset) throws IOException;

    /** Removes the object; one that does not exist is removed already. */
    void delete(String name) throws IOException;

    /** The names that begin with the prefix, sorted. Slow on object stores: for cleaning and repair only. */
    List<String> list(String prefix) throws IOException;
}
