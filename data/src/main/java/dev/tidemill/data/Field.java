package dev.tidemill.data;

import java.util.Objects;

/** A named column of a {@link Schema}; every column may hold nulls. */
public record Field(String name, DataType type) {
    public Field {
        Objects.requireNonNull(name);
        Objects.requireNonNull(type);
    }

    @Override
    public String toString() {
        return name + ": " + type;
    }
}
