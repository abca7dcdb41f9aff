package dev.tidemill.cli.serve;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/**
 * Where a run answers questions, and who may ask.
 *
 * @param token null when everyone may; beyond the loopback address there is always one
 */
public record ServeAddress(InetSocketAddress socket, String token) {
    private static final int MIN_TOKEN_LENGTH = 16;

    /**
     * Reads {@code PORT}, {@code HOST:PORT} or {@code [IPV6]:PORT}; a port alone is on the loopback address, port 0 is any free one.
     *
     * @param token null or empty for none
     * @throws IllegalArgumentException with a message for the user
     */
    public static ServeAddress parse(String text, String token) {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? "" : text.substring(0, colon);
        int port = port(text.substring(colon + 1));
        InetAddress address = address(host);
        String given = token == null || token.isEmpty() ? null : token;
        if (given == null && !address.isLoopbackAddress()) {
            throw new IllegalArgumentException(
                    "an address that others can reach needs a token, in TIDEMILL_SERVE_TOKEN or --serve-token-file");
        }
        if (given != null && given.length() < MIN_TOKEN_LENGTH) {
            throw new IllegalArgumentException(
                    "the token has fewer than " + MIN_TOKEN_LENGTH + " characters");
        }
        return new ServeAddress(new InetSocketAddress(address, port), given);
    }

    private static int port(String text) {
        try {
            int port = Integer.parseInt(text);
            if (port >= 0 && port <= 65535) {
                return port;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw new IllegalArgumentException(
                "found \"" + text + "\", expected a port from 0 to 65535, alone or after HOST:");
    }

    private static InetAddress address(String host) {
        if (host.isEmpty()) {
            return InetAddress.getLoopbackAddress();
        }
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("there is no host " + host);
        }
    }

    @Override
    public String toString() {
        return socket + (token == null ? "" : " with a token");
    }
}
