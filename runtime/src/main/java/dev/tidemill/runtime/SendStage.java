package dev.tidemill.runtime;

import dev.tidemill.data.Batch;
import dev.tidemill.data.Hashing;
import java.util.Arrays;
import java.util.List;

/** Sends to the tasks of another vertex. What an edge refuses waits here, in order, and the task stops until it is gone. */
final class SendStage implements Stage {
    private final Edge[] edges;
    private final Dataflow.Route route;
    private final int vnodes;
    private final int own;
    private final Element[] waiting;
    private int waitingCount;
    private boolean idle;

    /**
     * @param edges to each task of the target
     * @param own   the number of this task
     */
    SendStage(Edge[] edges, Dataflow.Route route, int vnodes, int own) {
        this.edges = edges;
        this.route = route;
        this.vnodes = vnodes;
        this.own = own;
        this.waiting = new Element[edges.length];
    }

    @Override
    public void batch(Batch batch) {
        if (batch.rows() == 0) {
            return;
        }
        idle = false;
        switch (route) {
            case Dataflow.Route.Forward _ -> put(own, dense(batch));
            case Dataflow.Route.Broadcast _ -> toAll(new Element.Rows(dense(batch)));
            case Dataflow.Route.Shuffle(List<String> keys) -> shuffle(batch, keys);
        }
    }

    /** A batch in which few rows live would keep all of them in memory while it waits. */
    private static Batch dense(Batch batch) {
        return 2 * batch.rows() < batch.physicalRows() ? batch.compact() : batch;
    }

    private void shuffle(Batch batch, List<String> keys) {
        if (keys.isEmpty()) {
            put(0, dense(batch));
            return;
        }
        Batch compact = dense(batch);
        int[] columns = keys.stream().mapToInt(compact.schema()::indexOf).toArray();
        Batch hashed = compact.withHashes(Hashing.hash(compact, columns));
        if (edges.length == 1) {
            put(0, hashed);
            return;
        }
        split(hashed);
    }

    private void split(Batch batch) {
        int rows = batch.rows();
        int[][] rowsOf = new int[edges.length][];
        int[] counts = new int[edges.length];
        int[] taskOfVnode = taskOfVnode();
        int guess = rows / edges.length + rows / 8 + 16;
        long[] hashes = batch.hashes();
        for (int i = 0; i < rows; i++) {
            int row = batch.physicalRow(i);
            int task = taskOfVnode[Hashing.vnode(hashes[row], vnodes)];
            int[] list = rowsOf[task];
            if (list == null) {
                list = rowsOf[task] = new int[Math.min(rows, guess)];
            } else if (counts[task] == list.length) {
                list = rowsOf[task] = Arrays.copyOf(list, Math.min(rows, 2 * list.length));
            }
            list[counts[task]++] = row;
        }
        for (int task = 0; task < edges.length; task++) {
            if (counts[task] > 0) {
                put(task, batch.gather(rowsOf[task], counts[task]));
            }
        }
    }

    private int[] taskOfVnode;

    private int[] taskOfVnode() {
        if (taskOfVnode == null) {
            taskOfVnode = new int[vnodes];
            Arrays.setAll(taskOfVnode, vnode -> Hashing.task(vnode, vnodes, edges.length));
        }
        return taskOfVnode;
    }

    private void put(int target, Batch batch) {
        put(target, new Element.Rows(batch));
    }

    private void put(int target, Element element) {
        if (!edges[target].offer(element)) {
            waiting[target] = element;
            waitingCount++;
        }
    }

    private void toAll(Element element) {
        if (route instanceof Dataflow.Route.Forward) {
            put(own, element);
            return;
        }
        for (int target = 0; target < edges.length; target++) {
            put(target, element);
        }
    }

    @Override
    public void watermark(long time) {
        idle = false;
        toAll(new Element.Watermark(time));
    }

    @Override
    public void idle() {
        if (!idle) {
            idle = true;
            toAll(Element.Idle.INSTANCE);
        }
    }

    @Override
    public void barrier(Element.Barrier barrier) {
        toAll(barrier);
    }

    @Override
    public void end(boolean drained) {
        toAll(new Element.End(drained));
    }

    @Override
    public void tick(long nowMillis) {}

    @Override
    public void split(int split, SplitNews news) {}

    @Override
    public boolean settle() {
        if (waitingCount == 0) {
            return true;
        }
        for (int target = 0; target < waiting.length; target++) {
            if (waiting[target] != null && edges[target].offer(waiting[target])) {
                waiting[target] = null;
                waitingCount--;
            }
        }
        return waitingCount == 0;
    }

    @Override
    public long tickMillis() {
        return Long.MAX_VALUE;
    }

    @Override
    public void close() {}
}
