package dev.tidemill.cli;

import dev.tidemill.spi.Notices;
import java.io.PrintWriter;

/**
 * Standard error: lines that stay, and on a terminal one last line that is drawn over again. Thread-safe.
 */
final class Terminal implements Notices {
    private static final String CLEAR_LINE = "\r\u001b[K";
    private final PrintWriter err;
    private final boolean live;
    private final int width;
    private String status = "";

    private Terminal(PrintWriter err, boolean live, int width) {
        this.err = err;
        this.live = live;
        this.width = width;
    }

    /** One that only ever adds lines. */
    static Terminal plain(PrintWriter err) {
        return new Terminal(err, false, Integer.MAX_VALUE);
    }

    /**
     * @param width columns; a status is cut to it, since a line that wraps cannot be drawn over
     */
    static Terminal live(PrintWriter err, int width) {
        return new Terminal(err, true, width);
    }

    boolean isLive() {
        return live;
    }

    @Override
    public synchronized void info(String line) {
        clear();
        err.println(line);
        draw();
    }

    @Override
    public void warn(String line) {
        info("warning: " + line);
    }

    /** Shows how things are now: over the last status when live, else as a line of its own. */
    synchronized void status(String line) {
        if (!live) {
            err.println(line);
            err.flush();
            return;
        }
        clear();
        status = line.length() < width ? line : line.substring(0, Math.max(0, width - 1));
        draw();
    }

    /** Takes the status away. */
    synchronized void endStatus() {
        clear();
        status = "";
        err.flush();
    }

    private void clear() {
        if (!status.isEmpty()) {
            err.print(CLEAR_LINE);
        }
    }

    private void draw() {
        err.print(status);
        err.flush();
    }
}
