package dev.tidemill.epochs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Random;

/** What every object store does. */
public final class ObjectStoreContract {
    private ObjectStoreContract() {}

    public static void check(ObjectStore store) throws Exception {
        assertThat(store.list("")).isEmpty();
        assertThat(store.get("a/b")).isEmpty();
        assertThat(store.length("a/b")).isEmpty();
        assertThatThrownBy(() -> store.read("a/b", 0)).isInstanceOf(NoSuchFileException.class);
        store.delete("a/b");

        assertThat(store.putIfAbsent("a/b", new byte[] {1, 2, 3})).isTrue();
        assertThat(store.putIfAbsent("a/b", new byte[] {9})).isFalse();
        assertThat(store.get("a/b").orElseThrow()).containsExactly(1, 2, 3);
        assertThat(store.length("a/b")).hasValue(3);
        try (InputStream in = store.read("a/b", 1)) {
            assertThat(in.readAllBytes()).containsExactly(2, 3);
        }
        try (InputStream in = store.read("a/b", 3)) {
            assertThat(in.readAllBytes()).isEmpty();
        }

        assertThat(store.putIfAbsent("empty", new byte[0])).isTrue();
        assertThat(store.get("empty").orElseThrow()).isEmpty();
        try (InputStream in = store.read("empty", 0)) {
            assertThat(in.readAllBytes()).isEmpty();
        }

        store.put("hint", new byte[] {1});
        store.put("hint", new byte[] {2, 2});
        assertThat(store.get("hint").orElseThrow()).containsExactly(2, 2);

        byte[] large = new byte[20 << 20];
        new Random(1).nextBytes(large);
        assertThat(store.putIfAbsent("a/large%20~=", out -> writeInPieces(out, large))).isTrue();
        assertThat(store.putIfAbsent("a/large%20~=", out -> writeInPieces(out, large))).isFalse();
        try (InputStream in = store.read("a/large%20~=", 5)) {
            assertThat(java.util.Arrays.equals(in.readAllBytes(), tail(large, 5))).isTrue();
        }

        assertThat(store.list("")).containsExactly("a/b", "a/large%20~=", "empty", "hint");
        assertThat(store.list("a/")).containsExactly("a/b", "a/large%20~=");
        assertThat(store.list("a/l")).containsExactly("a/large%20~=");
        store.delete("a/large%20~=");
        store.delete("a/b");
        assertThat(store.list("a/")).isEmpty();
        assertThat(store.putIfAbsent("a/b", new byte[] {4})).isTrue();

        assertThatThrownBy(
                        () ->
                                store.putIfAbsent(
                                        "broken",
                                        out -> {
                                            out.write(large);
                                            throw new java.io.IOException("no more");
                                        }))
                .isInstanceOf(java.io.IOException.class)
                .hasMessageContaining("no more");
        assertThat(store.get("broken")).isEmpty();

        for (String bad :
                List.of("", "/a", "a/", "../a", "a/../b", ".hidden", "a//b", "a\\b", "ä", "a b")) {
            assertThatThrownBy(() -> store.get(bad))
                    .as(bad)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    private static void writeInPieces(java.io.OutputStream out, byte[] bytes)
            throws java.io.IOException {
        out.write(bytes[0]);
        for (int i = 1; i < bytes.length; i += 77_777) {
            out.write(bytes, i, Math.min(77_777, bytes.length - i));
        }
    }

    private static byte[] tail(byte[] bytes, int from) {
        return java.util.Arrays.copyOfRange(bytes, from, bytes.length);
    }
}
