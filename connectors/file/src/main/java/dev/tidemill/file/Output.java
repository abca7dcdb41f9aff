package dev.tidemill.file;

import dev.tidemill.spi.ConfigException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Where finished files go, and where they are written until then: always on the same file system, so that a rename publishes them at once. */
sealed interface Output {
    /** Makes the place ready: refuses what is there already, or removes it. */
    void prepare(boolean overwrite) throws IOException, ConfigException;

    /** Where part {@code number} of a task is written. */
    Path staging(int task, int number) throws IOException;

    /** Where it is read. */
    Path published(int task, int number);

    Compression compression();

    /** Whether a task may write more than one part. */
    boolean hasParts();

    /** Gives a written and closed file its name. The directory is synced too, so that the name survives a power cut. */
    default void publish(int task, int number) throws IOException {
        Path target = published(task, number);
        Path written = staging(task, number);
        if (!Files.exists(written) && Files.exists(target)) {
            // A commit that is done again.
            return;
        }
        Files.move(written, target, StandardCopyOption.ATOMIC_MOVE);
        try (FileChannel directory =
                FileChannel.open(target.getParent(), StandardOpenOption.READ)) {
            directory.force(true);
        }
    }

    /** Removes what is only needed while tasks write. */
    void tidy() throws IOException;

    /** One file. */
    record SingleFile(Path file, Compression compression) implements Output {
        @Override
        public void prepare(boolean overwrite) throws IOException, ConfigException {
            if (!overwrite && Files.exists(file) && Files.size(file) > 0) {
                throw new ConfigException(
                        "path", file + " exists; set overwrite = true to replace it");
            }
            Files.createDirectories(file.getParent());
        }

        @Override
        public Path staging(int task, int number) {
            return file.resolveSibling("." + file.getFileName() + ".staging");
        }

        @Override
        public Path published(int task, int number) {
            return file;
        }

        @Override
        public boolean hasParts() {
            return false;
        }

        @Override
        public void tidy() {}
    }

    /** A directory with parts. */
    record Directory(Path directory, Compression compression, String extension) implements Output {
        private static final String STAGING = "_staging";

        @Override
        public void prepare(boolean overwrite) throws IOException, ConfigException {
            if (Files.exists(directory) && !Files.isDirectory(directory)) {
                throw new ConfigException(
                        "path", directory + " is a file; for one file the path needs an extension");
            }
            Files.createDirectories(directory);
            List<Path> earlier = parts();
            if (!earlier.isEmpty() && !overwrite) {
                throw new ConfigException(
                        "path",
                        directory
                                + " holds output already, such as "
                                + earlier.getFirst().getFileName()
                                + "; set overwrite = true to remove it first");
            }
            removeStaging();
            for (Path part : earlier) {
                Files.delete(part);
            }
            Files.createDirectories(directory.resolve(STAGING));
        }

        /** Earlier parts; anything else makes this no place for output. */
        private List<Path> parts() throws IOException, ConfigException {
            List<Path> parts = new ArrayList<>();
            try (Stream<Path> entries = Files.list(directory)) {
                for (Path entry : entries.sorted().toList()) {
                    String name = entry.getFileName().toString();
                    if (name.equals(STAGING)) {
                        continue;
                    }
                    if (!name.startsWith("part-") || !Files.isRegularFile(entry)) {
                        throw new ConfigException(
                                "path",
                                directory
                                        + " holds "
                                        + name
                                        + ", which no sink wrote; choose an empty or a new directory");
                    }
                    parts.add(entry);
                }
            }
            return parts;
        }

        /** What a run left that did not end well: never published, so nobody has read it. */
        private void removeStaging() throws IOException, ConfigException {
            Path staging = directory.resolve(STAGING);
            if (!Files.isDirectory(staging)) {
                return;
            }
            try (Stream<Path> left = Files.list(staging)) {
                for (Path file : left.toList()) {
                    removeUnlessWritten(file);
                }
            }
        }

        private void removeUnlessWritten(Path file) throws IOException, ConfigException {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                if (!Part.isFree(channel)) {
                    throw new ConfigException("path", "another run is writing to " + directory);
                }
                Files.delete(file);
            }
        }

        @Override
        public Path staging(int task, int number) {
            return directory.resolve(STAGING).resolve(name(task, number));
        }

        @Override
        public Path published(int task, int number) {
            return directory.resolve(name(task, number));
        }

        private String name(int task, int number) {
            return String.format(
                    "part-%d-%06d.%s%s", task, number, extension, compression.suffix());
        }

        @Override
        public boolean hasParts() {
            return true;
        }

        @Override
        public void tidy() throws IOException {
            try {
                Files.deleteIfExists(directory.resolve(STAGING));
            } catch (DirectoryNotEmptyException e) {
                // Parts wait there for their epoch.
            }
        }
    }
}
