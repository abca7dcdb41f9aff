package dev.tidemill.epochs;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentSkipListMap;

/** Objects in the heap of this process: gone with it. */
public final class MemoryStore implements ObjectStore {
    private final ConcurrentSkipListMap<String, byte[]> objects = new ConcurrentSkipListMap<>();

    @Override
    public String location() {
        return "memory";
    }

    @Override
    public boolean putIfAbsent(String name, Body body) throws IOException {
        if (objects.containsKey(ObjectNames.check(name))) {
            return false;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        body.writeTo(out);
        return objects.putIfAbsent(name, out.toByteArray()) == null;
    }

    @Override
    public void put(String name, byte[] bytes) {
        objects.put(ObjectNames.check(name), bytes.clone());
    }

    @Override
    public Optional<byte[]> get(String name) {
        return Optional.ofNullable(objects.get(ObjectNames.check(name))).map(byte[]::clone);
    }

    @Override
    public OptionalLong length(String name) {
        byte[] bytes = objects.get(ObjectNames.check(name));
        return bytes == null ? OptionalLong.empty() : OptionalLong.of(bytes.length);
    }

    @Override
    public InputStream read(String name, long offset) throws IOException {
        byte[] bytes = objects.get(ObjectNames.check(name));
        if (bytes == null) {
            throw new NoSuchFileException(name);
        }
        int from = (int) Math.min(offset, bytes.length);
        return new ByteArrayInputStream(bytes, from, bytes.length - from);
    }

    @Override
    public void delete(String name) {
        objects.remove(ObjectNames.check(name));
    }

    @Override
    public List<String> list(String prefix) {
        return objects.tailMap(prefix).keySet().stream()
                .takeWhile(name -> name.startsWith(prefix))
                .toList();
    }

    @Override
    public void close() {}
}
