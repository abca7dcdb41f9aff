package dev.tidemill.epochs;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Objects as files of a directory. A file is written aside, synced, and linked to its name, which fails when the name is taken; then the directory is synced.
 * So names need no lock and no rename, and a name never shows part of a file.
 */
public final class DirectoryStore implements ObjectStore {
    private static final String ASIDE = ".tidemill-unfinished";
    private static final int ATTEMPTS = 10;
    private static final int BUFFER = 1 << 16;
    private static final Duration ABANDONED = Duration.ofHours(1);
    private static final boolean WINDOWS =
            System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("windows");

    private final Path root;
    private final Path aside;

    private DirectoryStore(Path root) {
        this.root = root;
        this.aside = root.resolve(ASIDE);
    }

    /**
     * Opens the directory, which is created when missing, and tries whether it can be written.
     *
     * @throws StoreException when it is not a directory, is read-only, is full, or lies on a file system without hard links
     */
    public static DirectoryStore open(Path directory) throws IOException {
        DirectoryStore store = new DirectoryStore(directory.toAbsolutePath().normalize());
        if (Files.exists(store.root) && !Files.isDirectory(store.root)) {
            throw new StoreException(
                    "the state store " + store.root + " is a file, expected a directory");
        }
        try {
            store.makeDirectories(store.root);
            Files.createDirectories(store.aside);
            store.removeAbandoned();
            store.tryOut();
        } catch (IOException failure) {
            throw store.explained(failure);
        }
        return store;
    }

    /** Opens an existing directory without writing to it, for inspection. */
    public static DirectoryStore openToRead(Path directory) throws IOException {
        DirectoryStore store = new DirectoryStore(directory.toAbsolutePath().normalize());
        if (!Files.isDirectory(store.root)) {
            throw new StoreException("there is no state store at " + store.root);
        }
        return store;
    }

    private void tryOut() throws IOException {
        Path first = aside.resolve(UUID.randomUUID().toString());
        Path second = aside.resolve(UUID.randomUUID().toString());
        try {
            Files.write(first, new byte[] {1});
            Files.createLink(second, first);
        } catch (UnsupportedOperationException noLinks) {
            throw new StoreException(
                    "the file system of the state store "
                            + root
                            + " has no hard links, which the store needs: put it on another disk",
                    noLinks);
        } finally {
            Files.deleteIfExists(first);
            Files.deleteIfExists(second);
        }
    }

    private void removeAbandoned() throws IOException {
        Instant limit = Instant.now().minus(ABANDONED);
        try (Stream<Path> files = Files.list(aside)) {
            for (Path file : files.toList()) {
                removeIfOlder(file, limit);
            }
        }
    }

    private static void removeIfOlder(Path file, Instant limit) throws IOException {
        try {
            if (Files.getLastModifiedTime(file).toInstant().isBefore(limit)) {
                Files.deleteIfExists(file);
            }
        } catch (NoSuchFileException gone) {
            // Its writer finished meanwhile.
        }
    }

    @Override
    public String location() {
        return root.toString();
    }

    @Override
    public boolean putIfAbsent(String name, Body body) throws IOException {
        Path target = path(name);
        try {
            boolean created = !Files.exists(target) && create(target, body);
            sync(target.getParent());
            return created;
        } catch (IOException failure) {
            throw explained(failure);
        }
    }

    private boolean create(Path target, Body body) throws IOException {
        Path unfinished = writeAside(body, true);
        try {
            return link(unfinished, target);
        } finally {
            Files.deleteIfExists(unfinished);
        }
    }

    private boolean link(Path unfinished, Path target) throws IOException {
        while (true) {
            makeDirectories(target.getParent());
            try {
                Files.createLink(target, unfinished);
                return true;
            } catch (FileAlreadyExistsException taken) {
                return false;
            } catch (NoSuchFileException pruned) {
                // The directory was removed, since it was empty, between the two lines above.
                if (!Files.exists(unfinished)) {
                    throw pruned;
                }
            }
        }
    }

    @Override
    public void put(String name, byte[] bytes) throws IOException {
        Path target = path(name);
        try {
            makeDirectories(target.getParent());
            Path unfinished = writeAside(out -> out.write(bytes), false);
            Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException failure) {
            throw explained(failure);
        }
    }

    private Path writeAside(Body body, boolean synced) throws IOException {
        Files.createDirectories(aside);
        Path file = aside.resolve(UUID.randomUUID().toString());
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER);
            body.writeTo(out);
            out.flush();
            if (synced) {
                channel.force(true);
            }
            return file;
        } catch (IOException | RuntimeException failure) {
            Files.deleteIfExists(file);
            throw failure;
        }
    }

    @Override
    public Optional<byte[]> get(String name) throws IOException {
        try {
            return Optional.of(Files.readAllBytes(path(name)));
        } catch (NoSuchFileException absent) {
            return Optional.empty();
        } catch (IOException failure) {
            throw explained(failure);
        }
    }

    @Override
    public OptionalLong length(String name) throws IOException {
        try {
            return OptionalLong.of(Files.size(path(name)));
        } catch (NoSuchFileException absent) {
            return OptionalLong.empty();
        } catch (IOException failure) {
            throw explained(failure);
        }
    }

    @Override
    public InputStream read(String name, long offset) throws IOException {
        FileChannel channel = FileChannel.open(path(name), StandardOpenOption.READ);
        return Channels.newInputStream(channel.position(offset));
    }

    @Override
    public void delete(String name) throws IOException {
        Path file = path(name);
        try {
            Files.deleteIfExists(file);
            removeEmptyParents(file);
        } catch (IOException failure) {
            throw explained(failure);
        }
    }

    private void removeEmptyParents(Path file) throws IOException {
        for (Path each = file.getParent(); !each.equals(root); each = each.getParent()) {
            try {
                Files.deleteIfExists(each);
            } catch (DirectoryNotEmptyException used) {
                return;
            }
        }
    }

    @Override
    public List<String> list(String prefix) throws IOException {
        int slash = prefix.lastIndexOf('/');
        Path from = slash < 0 ? root : path(prefix.substring(0, slash));
        Deque<Path> left = new ArrayDeque<>(List.of(from));
        List<String> names = new ArrayList<>();
        while (!left.isEmpty()) {
            for (Path each : children(left.pop())) {
                if (Files.isDirectory(each)) {
                    left.push(each);
                } else {
                    names.add(root.relativize(each).toString().replace('\\', '/'));
                }
            }
        }
        return names.stream().filter(name -> name.startsWith(prefix)).sorted().toList();
    }

    private List<Path> children(Path directory) throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.filter(each -> !each.getFileName().toString().startsWith(".")).toList();
        } catch (NoSuchFileException removed) {
            return List.of();
        } catch (java.io.UncheckedIOException failure) {
            throw explained(failure.getCause());
        } catch (IOException failure) {
            throw explained(failure);
        }
    }

    @Override
    public void close() {}

    private Path path(String name) {
        return root.resolve(ObjectNames.check(name));
    }

    /** Creates what is missing of the path, each directory durable in its parent. */
    private void makeDirectories(Path directory) throws IOException {
        makeDirectories(directory, ATTEMPTS);
    }

    private void makeDirectories(Path directory, int attempts) throws IOException {
        if (Files.isDirectory(directory)) {
            return;
        }
        Path parent = directory.getParent();
        if (parent != null) {
            makeDirectories(parent, attempts);
        }
        try {
            Files.createDirectory(directory);
        } catch (FileAlreadyExistsException raced) {
            if (!Files.isDirectory(directory)) {
                throw raced;
            }
        } catch (NoSuchFileException pruned) {
            if (attempts == 0) {
                throw pruned;
            }
            makeDirectories(directory, attempts - 1);
            return;
        }
        sync(parent);
    }

    private static void sync(Path directory) throws IOException {
        if (WINDOWS || directory == null) {
            return; // Directories cannot be opened there; the file system journals names.
        }
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (NoSuchFileException pruned) {
            // Nothing is in it any more.
        } catch (AccessDeniedException unreadable) {
            // A parent that may be passed through and not read: its owner made it, not we.
        }
    }

    private IOException explained(IOException failure) {
        if (failure instanceof StoreException) {
            return failure;
        }
        String text = String.valueOf(failure.getMessage());
        String what = "the state store " + root;
        if (failure instanceof AccessDeniedException || text.contains("Read-only file system")) {
            return new StoreException(
                    what
                            + " cannot be written ("
                            + text
                            + "): give this user the right to write there, or name another place",
                    failure);
        }
        if (text.contains("No space left") || text.contains("quota exceeded")) {
            return new StoreException(
                    what + " is full: make room on its disk, or name another place", failure);
        }
        if (failure instanceof FileAlreadyExistsException) {
            return new StoreException(
                    what + ": a file is where a directory is needed: " + text, failure);
        }
        return new StoreException(what + ": " + failure, failure);
    }
}
