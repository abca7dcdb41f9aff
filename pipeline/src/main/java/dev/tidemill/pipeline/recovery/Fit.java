package dev.tidemill.pipeline.recovery;

import dev.tidemill.epochs.Manifest;
import dev.tidemill.epochs.StoreException;
import dev.tidemill.spi.Notices;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;

/** Whether an epoch fits the pipeline as it is now: state belongs to a step by its id, a position to an input by its dataset. */
record Fit(PlanFingerprint plan, Set<String> droppable, Notices notices) {
    /**
     * The manifest without the state that may be dropped.
     *
     * @throws StoreException naming every step and input that does not fit, what changed, and the ways out
     */
    Manifest of(Manifest manifest) throws StoreException {
        PlanFingerprint former = former(manifest);
        List<String> misfits = new ArrayList<>();
        Map<String, List<Manifest.TaskState>> state = new TreeMap<>(manifest.state());
        for (String id : manifest.state().keySet()) {
            List<String> changes = plan.changes(former, id);
            if (changes.isEmpty()) {
                continue;
            }
            if (droppable.contains(id)) {
                state.remove(id);
                notices.warn("the stored state of step " + id + " is dropped: " + join(changes));
            } else {
                misfits.add(
                        "step "
                                + id
                                + ": "
                                + join(changes)
                                + " (--drop-state "
                                + id
                                + " forgets its state)");
            }
        }
        for (String dataset : manifest.positions().keySet()) {
            List<String> changes = plan.inputChanges(former, dataset);
            if (!changes.isEmpty()) {
                misfits.add("dataset " + dataset + ": " + join(changes));
            }
        }
        if (!misfits.isEmpty()) {
            throw new StoreException(
                    "the stored state (epoch "
                            + manifest.epoch()
                            + ") does not fit the pipeline: "
                            + String.join("; ", misfits)
                            + ". Undo the change, or start anew with --reset-state, which forgets all positions and state");
        }
        return with(manifest, state);
    }

    private static String join(List<String> changes) {
        return String.join(", ", changes);
    }

    private static PlanFingerprint former(Manifest manifest) throws StoreException {
        try {
            return PlanFingerprint.parse(manifest.fingerprint());
        } catch (JacksonException e) {
            throw new StoreException(
                    "epoch " + manifest.epoch() + " does not say which pipeline it is of", e);
        }
    }

    private static Manifest with(Manifest manifest, Map<String, List<Manifest.TaskState>> state) {
        return new Manifest(
                manifest.pipeline(),
                manifest.epoch(),
                manifest.generation(),
                manifest.createdAt(),
                manifest.kind(),
                manifest.pending(),
                manifest.fingerprint(),
                manifest.vnodes(),
                manifest.positions(),
                manifest.times(),
                state,
                manifest.handles(),
                manifest.counters());
    }
}
