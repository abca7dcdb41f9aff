package dev.tidemill.epochs;

import java.time.Instant;

/** A living process owns the pipeline. */
public final class OwnedException extends StoreException {
    private final transient Owner owner;
    private final transient Instant since;

    OwnedException(String pipeline, String location, Owner owner, Instant since) {
        super(
                "pipeline '"
                        + pipeline
                        + "' is run by "
                        + owner.text()
                        + " since "
                        + since
                        + " (state store "
                        + location
                        + "): stop that one first, or give this pipeline another name");
        this.owner = owner;
        this.since = since;
    }

    public Owner owner() {
        return owner;
    }

    public Instant since() {
        return since;
    }
}
