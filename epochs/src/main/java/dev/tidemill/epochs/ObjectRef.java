package dev.tidemill.epochs;

import java.util.Objects;

/**
 * An object and how to know its bytes again.
 *
 * @param name in the store
 * @param length in bytes
 * @param sums the CRC-32C of each block of {@link BlockSums#BLOCK} bytes, eight hexadecimal digits each, joined. CRC-32C, since it is one machine instruction
 *     and the fault to find is a flipped or missing bit, not malice; a sum for each block, so that a reader of a large object verifies each before it hands
 *     it out
 */
public record ObjectRef(String name, long length, String sums) {
    public ObjectRef {
        Objects.requireNonNull(name);
        if (length < 0 || sums.length() != BlockSums.blocks(length) * 8L) {
            throw new IllegalArgumentException(
                    "object " + name + ": " + length + " bytes and sums '" + sums + "'");
        }
    }
}
