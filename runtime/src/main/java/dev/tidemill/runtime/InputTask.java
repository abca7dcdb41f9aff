package dev.tidemill.runtime;

import dev.tidemill.data.Batch;
import java.io.IOException;
import java.util.List;

/**
 * A task that takes its rows from edges. Its time is the least watermark of the channels that are neither idle nor ended; where none is left, the greatest
 * that was heard. It waits until each has spoken, and never goes back.
 */
final class InputTask implements Task {
    /** Takes the rows of one input, numbered from 0. */
    interface RowsOfInput {
        void batch(int input, Batch batch) throws Exception;

        void endOfInput(int input) throws Exception;
    }

    private static final int MAX_BATCHES_A_STEP = 4;

    private final String name;
    private final Role role;
    private final boolean mayBlock;
    private final Channel[] channels;
    private final int[] openChannelsOfInput;
    private final RowsOfInput rows;
    private final Stage root;
    private final Ticker ticker;
    private int openChannels;
    private int turn;
    private long watermark = Long.MIN_VALUE;
    private boolean timeChanged;
    private boolean idleGiven;
    private boolean allDrained = true;
    private boolean endGiven;
    private final Handover handover;

    /** The barrier that some channels have brought. */
    private Element.Barrier barrier;

    /** The barrier that all have brought, until it is through. */
    private Element.Barrier aligned;

    private boolean barrierGiven;

    InputTask(
            String name,
            Role role,
            boolean mayBlock,
            List<Channel> channels,
            int inputs,
            RowsOfInput rows,
            Stage root,
            Handover handover,
            Ticker ticker) {
        this.handover = handover;
        this.name = name;
        this.role = role;
        this.mayBlock = mayBlock;
        this.channels = channels.toArray(Channel[]::new);
        this.openChannelsOfInput = new int[inputs];
        for (Channel channel : channels) {
            openChannelsOfInput[channel.input]++;
        }
        this.openChannels = this.channels.length;
        this.rows = rows;
        this.root = root;
        this.ticker = ticker;
    }

    @Override
    public Progress step() throws Exception {
        if (!settle()) {
            return Progress.NONE;
        }
        if (endGiven) {
            return done();
        }
        if (ticker.isDue()) {
            root.tick(ticker.now());
            if (!settle()) {
                return Progress.MADE;
            }
        }
        Progress progress = Progress.NONE;
        for (int i = 0; i < MAX_BATCHES_A_STEP && takeOne(); i++) {
            progress = Progress.MADE;
            if (!settle()) {
                return progress;
            }
        }
        if (openChannels > 0) {
            return progress;
        }
        endGiven = true;
        root.end(allDrained);
        return settle() ? done() : Progress.MADE;
    }

    private Progress done() {
        handover.ended();
        return Progress.DONE;
    }

    /** Lets what was taken go on, and the time that follows from it; true when nothing is held. */
    private boolean settle() throws Exception {
        if (!root.settle()) {
            return false;
        }
        if (!timeChanged) {
            return settleBarrier();
        }
        timeChanged = false;
        boolean quiet = advance();
        if (!root.settle()) {
            timeChanged = quiet && !idleGiven;
            return false;
        }
        if (quiet && !idleGiven) {
            idleGiven = true;
            root.idle();
        }
        return root.settle() && settleBarrier();
    }

    /** Takes one element, of each channel in turn, so that none starves. */
    private boolean takeOne() throws Exception {
        for (int i = 0; i < channels.length; i++) {
            Channel channel = channels[turn];
            turn = turn + 1 == channels.length ? 0 : turn + 1;
            if (channel.ended || channel.blocked) {
                continue;
            }
            Element element = channel.edge.poll();
            if (element != null) {
                take(channel, element);
                return true;
            }
        }
        return false;
    }

    private void take(Channel channel, Element element) throws Exception {
        switch (element) {
            case Element.Rows(Batch batch) -> {
                channel.idle = false;
                idleGiven = false;
                rows.batch(channel.input, batch);
            }
            case Element.Watermark(long time) -> {
                channel.idle = false;
                channel.watermark = Math.max(channel.watermark, time);
                timeChanged = true;
            }
            case Element.Idle _ -> {
                channel.idle = true;
                timeChanged = true;
            }
            case Element.Barrier newBarrier -> {
                channel.blocked = true;
                barrier = newBarrier;
                align();
            }
            case Element.End(boolean drained) -> end(channel, drained);
        }
    }

    private void end(Channel channel, boolean drained) throws Exception {
        channel.ended = true;
        openChannels--;
        allDrained &= drained;
        timeChanged = openChannels > 0;
        if (--openChannelsOfInput[channel.input] == 0 && drained) {
            rows.endOfInput(channel.input);
        }
        if (barrier != null) {
            align();
        }
    }

    /** When the barrier has come on every channel that has not ended, it goes on; the channels open again once it has. */
    private void align() throws Exception {
        for (Channel channel : channels) {
            if (!channel.blocked && !channel.ended) {
                return;
            }
        }
        aligned = barrier;
        barrier = null;
    }

    /** Sends an aligned barrier through the task, and tells of it when it is through. True when nothing is held. */
    private boolean settleBarrier() throws Exception {
        if (aligned == null) {
            return true;
        }
        if (!barrierGiven) {
            barrierGiven = true;
            root.barrier(aligned);
        }
        if (!root.settle()) {
            return false;
        }
        handover.passed(aligned.epoch());
        aligned = null;
        barrierGiven = false;
        for (Channel channel : channels) {
            channel.blocked = false;
        }
        return true;
    }

    /** Raises the watermark when the channels allow it. @return whether no channel holds time back */
    private boolean advance() throws Exception {
        long least = Long.MAX_VALUE;
        long greatest = Long.MIN_VALUE;
        boolean anyActive = false;
        for (Channel channel : channels) {
            greatest = Math.max(greatest, channel.watermark);
            if (!channel.ended && !channel.idle) {
                anyActive = true;
                least = Math.min(least, channel.watermark);
            }
        }
        // At a stop nothing fires: a channel that ended by it holds time where it was.
        if (!allDrained) {
            return false;
        }
        long merged = anyActive ? least : greatest;
        if (merged > watermark) {
            watermark = merged;
            root.watermark(merged);
        }
        return !anyActive;
    }

    @Override
    public void stop() {}

    @Override
    public void runsOn(Wakeup wakeup) {}

    @Override
    public String name() {
        return name;
    }

    @Override
    public Role role() {
        return role;
    }

    @Override
    public boolean mayBlock() {
        return mayBlock;
    }

    @Override
    public void close() throws IOException {
        root.close();
    }
}
