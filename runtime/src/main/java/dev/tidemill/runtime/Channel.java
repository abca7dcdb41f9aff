package dev.tidemill.runtime;

/** One upstream task as a task sees it: its edge, and what it has said of time. Used by one thread. */
final class Channel {
    final int input;
    final Edge edge;
    long watermark = Long.MIN_VALUE;
    boolean idle;
    boolean ended;

    /** Its barrier has come; what is behind it waits until those of the other channels have. */
    boolean blocked;

    Channel(int input, Edge edge) {
        this.input = input;
        this.edge = edge;
    }
}
