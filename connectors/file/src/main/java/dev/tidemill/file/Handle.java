package dev.tidemill.file;

import dev.tidemill.data.JsonText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a writer says of itself at the end of an epoch: enough to publish what it wrote, and for another writer to go on. */
sealed interface Handle {
    /**
     * Of a writer of parts.
     *
     * @param last   the number of the last part so far, 0 before the first
     * @param parts  numbers of those that the epoch publishes
     */
    record Parts(int task, int last, List<Integer> parts) implements Handle {
        public Parts {
            parts = List.copyOf(parts);
        }
    }

    /**
     * Of the writer of one file.
     *
     * @param length  bytes that belong to the epoch
     * @param publish whether the file is whole
     * @param header  the columns that a CSV header names; none before the first row, and in other formats
     */
    record Whole(long length, boolean publish, List<String> header) implements Handle {
        public Whole {
            header = List.copyOf(header);
        }
    }

    default String toText() {
        return JsonText.of(
                new TreeMap<>(
                        switch (this) {
                            case Parts(int task, int last, List<Integer> parts) ->
                                    Map.of("task", task, "last", last, "parts", parts);
                            case Whole(long length, boolean publish, List<String> header) ->
                                    Map.of("length", length, "publish", publish, "header", header);
                        }));
    }

    /** @throws IllegalArgumentException when it is none of {@link #toText} */
    static Handle parse(String text) {
        if (!(JsonText.parse(text) instanceof Map<?, ?> fields)) {
            throw new IllegalArgumentException("no handle of a file: " + text);
        }
        if (fields.get("length") instanceof Long length) {
            return new Whole(
                    length,
                    Boolean.TRUE.equals(fields.get("publish")),
                    strings((List<?>) fields.get("header")));
        }
        List<Integer> parts = new ArrayList<>();
        ((List<?>) fields.get("parts")).forEach(each -> parts.add(((Long) each).intValue()));
        return new Parts(
                ((Long) fields.get("task")).intValue(),
                ((Long) fields.get("last")).intValue(),
                parts);
    }

    private static List<String> strings(List<?> list) {
        return list.stream().map(String.class::cast).toList();
    }
}
