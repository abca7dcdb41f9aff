package dev.tidemill.pipeline;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * Keeps the latest record of a run in a file, as one line of JSON. A reader sees a whole record at any time: each is written beside the file and renamed over it.
 */
public final class FileControlPlane implements ControlPlane {
    private final Path file;

    /** @param file is replaced; its folder must exist */
    public FileControlPlane(Path file) {
        this.file = file.toAbsolutePath();
    }

    /** @throws UncheckedIOException when it cannot be written; the former record then stays */
    @Override
    public void putRecord(String buildId, BuildRecord record) {
        Path temporary = file.resolveSibling("." + file.getFileName() + ".new");
        try {
            Files.writeString(temporary, record.toJson() + "\n");
            Files.move(
                    temporary,
                    file,
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "cannot write the record of the run to " + file + ": " + e.getMessage(), e);
        }
    }
}
