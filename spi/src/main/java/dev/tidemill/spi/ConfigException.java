package dev.tidemill.spi;

/** An option whose value cannot be used; the caller adds file, line and column. */
public final class ConfigException extends Exception {
    private static final long serialVersionUID = 1;
    private final String option;

    /** @param option the option's name, dotted below a table ({@code catalog.uri}), or null for the whole table */
    public ConfigException(String option, String message) {
        super(message);
        this.option = option;
    }

    public ConfigException(String option, String message, Throwable cause) {
        super(message, cause);
        this.option = option;
    }

    public String option() {
        return option;
    }
}
