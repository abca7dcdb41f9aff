package dev.tidemill.bench.nexmark;

import dev.tidemill.bench.BenchException;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/** Compares what two engines answered, as bags of rows: order does not count, numbers count by value, absent is null. */
final class Answers {
    private final ObjectMapper mapper =
            JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

    /**
     * @return the number of rows, equal in both
     * @throws BenchException when the answers differ, with a row that only one has
     */
    long requireEqual(Query query, Engine first, Path answer, Engine second, Path other)
            throws IOException, BenchException {
        Map<String, Integer> difference = new HashMap<>();
        long rows = add(answer, difference, 1);
        add(other, difference, -1);
        for (Map.Entry<String, Integer> row : difference.entrySet()) {
            if (row.getValue() != 0) {
                throw new BenchException(
                        "the answers to "
                                + query.id()
                                + " differ: only "
                                + (row.getValue() > 0 ? first : second).name()
                                + " has "
                                + row.getKey());
            }
        }
        return rows;
    }

    private long add(Path answer, Map<String, Integer> counts, int sign) throws IOException {
        if (!Files.isDirectory(answer)) {
            return addFile(answer, counts, sign);
        }
        long rows = 0;
        try (Stream<Path> files = Files.list(answer)) {
            for (Path file : files.toList()) {
                rows += addFile(file, counts, sign);
            }
        }
        return rows;
    }

    private long addFile(Path answer, Map<String, Integer> counts, int sign) throws IOException {
        long rows = 0;
        try (Stream<String> lines = Files.lines(answer)) {
            for (String line : (Iterable<String>) lines::iterator) {
                counts.merge(canonical(line), sign, Integer::sum);
                rows++;
            }
        }
        return rows;
    }

    private String canonical(String line) {
        TreeMap<String, Object> row = new TreeMap<>();
        for (Map.Entry<String, JsonNode> field : mapper.readTree(line).properties()) {
            JsonNode value = field.getValue();
            if (value.isNull()) {
                continue;
            }
            row.put(field.getKey(), value.isNumber() ? number(value) : value.toString());
        }
        return row.toString();
    }

    private static String number(JsonNode value) {
        BigDecimal decimal = value.decimalValue();
        return decimal.signum() == 0 ? "0" : decimal.stripTrailingZeros().toPlainString();
    }
}
