package dev.tidemill.file;

import dev.tidemill.spi.ConfigException;
import dev.tidemill.spi.Notices;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Where finished files go, and where they are written until then: always on the same file system, so that a rename publishes them at once. */
sealed interface Output {
    /** Makes the place ready: refuses what is there already, or removes it. */
    void prepare(boolean overwrite) throws IOException, ConfigException;

    /**
     * Makes the place ready for a run that goes on: removes what does not belong to the epoch it goes on from.
     *
     * @param handles of all writers at that epoch
     */
    void resume(List<Handle> handles, Notices notices) throws IOException, ConfigException;

    /** Publishes what a handle says, unless that was done before. */
    void publish(Handle handle) throws IOException;

    /** Where part {@code number} of a task is written. */
    Path staging(int task, int number) throws IOException;

    /** Where it is read. */
    Path published(int task, int number);

    /** The greatest number of a published part of the task; 0 when there is none. */
    int last(int task) throws IOException, ConfigException;

    Compression compression();

    /** Whether a task may write more than one part. */
    boolean hasParts();

    /** Gives a written and closed file its name. The directory is synced too, so that the name survives a power cut. */
    private static void rename(Path written, Path target) throws IOException {
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

        /** A file that was published at an ordered stop is written further in a copy, which replaces it when it is whole. */
        @Override
        public void resume(List<Handle> handles, Notices notices) throws IOException {
            Files.createDirectories(file.getParent());
            for (Handle handle : handles) {
                if (!(handle instanceof Handle.Whole whole)) {
                    throw otherKind();
                }
                if (whole.publish()) {
                    Files.copy(file, staging(), StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }

        /**
         * A file that was published before has its name, and what is staged then is the copy of a later run: longer, or the same.
         */
        @Override
        public void publish(Handle handle) throws IOException {
            if (!(handle instanceof Handle.Whole whole)) {
                throw otherKind();
            }
            if (!whole.publish()) {
                return;
            }
            boolean isStaged = Files.exists(staging()) && Files.size(staging()) == whole.length();
            if (isStaged) {
                rename(staging(), file);
            } else if (!Files.exists(file)) {
                throw new IOException(
                        "cannot publish "
                                + file
                                + ": what was written for it is gone, "
                                + staging());
            }
        }

        private IOException otherKind() {
            return new IOException(
                    file
                            + " was a directory of parts when the stored epoch was made, and is one file now");
        }

        private Path staging() {
            return file.resolveSibling("." + file.getFileName() + ".staging");
        }

        @Override
        public Path staging(int task, int number) {
            return staging();
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
        public int last(int task) {
            return 0;
        }

        @Override
        public void tidy() {}
    }

    /** A directory with parts. */
    record Directory(Path directory, Compression compression, String extension) implements Output {
        private static final String STAGING = "_staging";
        private static final Pattern PART = Pattern.compile("part-([0-9]{1,9})-([0-9]{1,9})\\.");

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

        /** Parts above the last of their task came with an epoch that stands no more: their rows will come again. */
        @Override
        public void resume(List<Handle> handles, Notices notices)
                throws IOException, ConfigException {
            Files.createDirectories(directory.resolve(STAGING));
            removeStaging();
            for (Handle handle : handles) {
                if (!(handle instanceof Handle.Parts of)) {
                    throw otherKind();
                }
                for (Path part : parts()) {
                    if (number(part, of.task()) > of.last()) {
                        notices.warn("removing " + part + ": its epoch stands no more");
                        Files.delete(part);
                    }
                }
            }
        }

        /** The greatest number of a part of the task; 0 when there is none. */
        @Override
        public int last(int task) throws IOException, ConfigException {
            int last = 0;
            for (Path part : parts()) {
                last = Math.max(last, number(part, task));
            }
            return last;
        }

        private static int number(Path part, int task) {
            Matcher name = PART.matcher(part.getFileName().toString());
            boolean isOfTask = name.lookingAt() && name.group(1).equals(String.valueOf(task));
            return isOfTask ? Integer.parseInt(name.group(2)) : 0;
        }

        @Override
        public void publish(Handle handle) throws IOException {
            if (!(handle instanceof Handle.Parts of)) {
                throw otherKind();
            }
            for (int number : of.parts()) {
                Path written = staging(of.task(), number);
                Path target = published(of.task(), number);
                if (Files.exists(written) || !Files.exists(target)) {
                    rename(written, target);
                }
            }
        }

        private IOException otherKind() {
            return new IOException(
                    directory
                            + " was one file when the stored epoch was made, and is a directory of parts now");
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
