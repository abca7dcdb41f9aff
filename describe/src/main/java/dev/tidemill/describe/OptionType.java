package dev.tidemill.describe;

/** The kinds of value an option takes; validation, documentation and the JSON Schema all derive from it. */
public enum OptionType {
    STRING("string"),
    /** A whole number; {@code 5000.0} is accepted as 5000. */
    INT("int"),
    FLOAT("float"),
    BOOL("bool"),
    /** Milliseconds as a whole number. */
    DURATION_MS("int, ms"),
    /** Bytes as a whole number. */
    BYTES("int, bytes"),
    STRING_LIST("list of strings"),
    /** A table from string to string. */
    STRING_MAP("table of strings"),
    /** One of {@link Option#choices()}. */
    CHOICE("string"),
    /** An expression of the expression language. */
    EXPRESSION("expression"),
    /** A table with options of its own ({@link Option#children()}). */
    TABLE("table"),
    /** A list of tables with options of their own ({@link Option#children()}). */
    TABLE_LIST("list of tables"),
    /** A table with free keys and scalar values, passed through as text. */
    FREE_TABLE("table");

    private final String label;

    OptionType(String label) {
        this.label = label;
    }

    /** What a person calls it in a message or a table. */
    public String label() {
        return label;
    }
}
