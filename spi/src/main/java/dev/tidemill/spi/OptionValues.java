package dev.tidemill.spi;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The validated values of a table of options, by the names in their description: present ones as given, absent ones as their
 * default when there is one. Values are String, Long, Double, Boolean, {@code List<String>}, {@code Map<String, String>}, or nested OptionValues and lists
 * of them. Immutable. {@link #toString} shows no values, since some are secrets.
 */
public final class OptionValues {
    private final Map<String, Object> values;

    public OptionValues(Map<String, ?> values) {
        this.values = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    public boolean has(String name) {
        return values.containsKey(name);
    }

    public Optional<String> string(String name) {
        return Optional.ofNullable((String) values.get(name));
    }

    /** @throws IllegalStateException when absent: the description should have made it mandatory or given a default */
    public String requireString(String name) {
        return (String) require(name);
    }

    public long requireLong(String name) {
        return (Long) require(name);
    }

    public boolean requireBool(String name) {
        return (Boolean) require(name);
    }

    public Optional<Long> integer(String name) {
        return Optional.ofNullable((Long) values.get(name));
    }

    @SuppressWarnings("unchecked")
    public List<String> strings(String name) {
        return (List<String>) values.getOrDefault(name, List.of());
    }

    @SuppressWarnings("unchecked")
    public Map<String, String> map(String name) {
        return (Map<String, String>) values.getOrDefault(name, Map.of());
    }

    @SuppressWarnings("unchecked")
    public List<OptionValues> tables(String name) {
        return (List<OptionValues>) values.getOrDefault(name, List.of());
    }

    public Optional<OptionValues> table(String name) {
        return Optional.ofNullable((OptionValues) values.get(name));
    }

    /** Every value as text, by name, the same for equal values, to compare it with that of another run. Some are secrets. */
    public Map<String, String> texts() {
        Map<String, String> out = new LinkedHashMap<>();
        values.forEach((name, value) -> out.put(name, text(value)));
        return out;
    }

    private static String text(Object value) {
        return switch (value) {
            case OptionValues nested -> new TreeMap<>(nested.texts()).toString();
            case Map<?, ?> map -> new TreeMap<>(map).toString();
            case List<?> list -> list.stream().map(OptionValues::text).toList().toString();
            default -> String.valueOf(value);
        };
    }

    private Object require(String name) {
        Object value = values.get(name);
        if (value == null) {
            throw new IllegalStateException("option " + name + " is absent and has no default");
        }
        return value;
    }

    @Override
    public String toString() {
        return "OptionValues" + values.keySet();
    }
}
