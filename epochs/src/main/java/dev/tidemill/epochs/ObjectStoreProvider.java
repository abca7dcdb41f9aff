package dev.tidemill.epochs;

import java.io.IOException;
import java.util.function.UnaryOperator;

/** Opens stores of a kind; found with {@link java.util.ServiceLoader}. */
public interface ObjectStoreProvider {
    /** What stands before {@code ://} in a location, such as {@code s3}. */
    String scheme();

    /**
     * Opens a store.
     *
     * @param location the whole text, scheme and all
     * @param settings gives a setting by its name, or null
     * @throws StoreException when the location cannot be used
     */
    ObjectStore open(String location, UnaryOperator<String> settings) throws IOException;
}
