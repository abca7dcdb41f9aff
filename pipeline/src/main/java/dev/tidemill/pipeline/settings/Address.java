package dev.tidemill.pipeline.settings;

/** Network addresses as people write them: {@code host:port}, {@code [::1]:port}, or a port alone. */
public final class Address {
    private static final int MAX_PORT = 65_535;

    private Address() {}

    static boolean isValidOrEmpty(String text) {
        return text.isEmpty() || isValid(text);
    }

    public static boolean isValid(String text) {
        int colon = text.lastIndexOf(':');
        return isHost(text.substring(0, Math.max(colon, 0)), colon)
                && isPort(text.substring(colon + 1));
    }

    private static boolean isHost(String host, int colon) {
        if (colon < 0) {
            return true;
        }
        if (host.startsWith("[")) {
            return host.endsWith("]") && host.length() > 2;
        }
        return host.chars().noneMatch(c -> c <= ' ' || c == ':' || c == '/' || c == '@');
    }

    private static boolean isPort(String text) {
        return text.length() <= 5
                && !text.isEmpty()
                && text.chars().allMatch(c -> c >= '0' && c <= '9')
                && Integer.parseInt(text) <= MAX_PORT;
    }
}
