package dev.tidemill.epochs;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/** The text that says where state is kept: a directory, {@code file://}, {@code s3://bucket/prefix}, {@code memory}. */
public final class StoreLocation {
    private static final Set<String> LATER = Set.of("gs", "az", "abfs", "abfss", "azure");

    private StoreLocation() {}

    /**
     * Opens the store of a location.
     *
     * @param settings gives a setting of the object stores by its name, or null
     * @throws StoreException when the location is of no known kind or cannot be used
     */
    public static ObjectStore open(String location, UnaryOperator<String> settings)
            throws IOException {
        if (location.equals("memory")) {
            return new MemoryStore();
        }
        Optional<Path> directory = directory(location);
        return directory.isPresent()
                ? DirectoryStore.open(directory.get())
                : openRemote(location, settings);
    }

    /**
     * As {@link #open}, and makes nothing where there is no store.
     *
     * @throws StoreException also when there is no such directory
     */
    public static ObjectStore openToRead(String location, UnaryOperator<String> settings)
            throws IOException {
        Optional<Path> directory = directory(location);
        return directory.isPresent()
                ? DirectoryStore.openToRead(directory.get())
                : openRemote(location, settings);
    }

    private static Optional<Path> directory(String location) throws StoreException {
        int mark = location.indexOf("://");
        if (mark < 0) {
            return Optional.of(path(location));
        }
        return scheme(location, mark).equals("file")
                ? Optional.of(filePath(location))
                : Optional.empty();
    }

    private static String scheme(String location, int mark) {
        return location.substring(0, mark).toLowerCase(Locale.ROOT);
    }

    private static ObjectStore openRemote(String location, UnaryOperator<String> settings)
            throws IOException {
        String scheme = scheme(location, location.indexOf("://"));
        for (ObjectStoreProvider each : providers()) {
            if (each.scheme().equals(scheme)) {
                return each.open(location, settings);
            }
        }
        throw unknown(location, scheme);
    }

    private static Path path(String location) throws StoreException {
        try {
            return Path.of(location);
        } catch (java.nio.file.InvalidPathException malformed) {
            throw new StoreException("state store '" + location + "' is not a path", malformed);
        }
    }

    private static Path filePath(String location) throws StoreException {
        try {
            return Path.of(URI.create(location));
        } catch (IllegalArgumentException malformed) {
            throw new StoreException(
                    "state store '"
                            + location
                            + "' is not a file URL: expected file:///path ("
                            + malformed.getMessage()
                            + ")",
                    malformed);
        }
    }

    private static List<ObjectStoreProvider> providers() {
        return ServiceLoader.load(ObjectStoreProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
    }

    private static StoreException unknown(String location, String scheme) {
        Set<String> known = new TreeSet<>(Set.of("file://"));
        providers().forEach(each -> known.add(each.scheme() + "://"));
        return new StoreException(
                "state store '"
                        + location
                        + "': "
                        + scheme
                        + (LATER.contains(scheme)
                                ? ":// is not in this version"
                                : ":// is not known")
                        + "; expected a directory, memory, or one of "
                        + String.join(", ", known));
    }
}
