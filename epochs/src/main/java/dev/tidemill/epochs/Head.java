package dev.tidemill.epochs;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The root of a pipeline's stored state: who owns it and which epochs stand. Heads are numbered; the newest is the truth. Whoever creates number n + 1 has
 * decided what follows n, and only one can.
 *
 * @param previous the SHA-256 of the head before; empty for the first
 * @param pipeline its name
 * @param generation the owner's: the number of the head with which it took over
 * @param owner who
 * @param since when it took over, milliseconds since 1970
 * @param released whether the owner has left in order
 * @param reserved no later owner uses an epoch number up to this one
 * @param resetToken the last reset that was asked for and done; empty when none
 * @param epochs those kept, oldest first
 */
record Head(
        String previous,
        String pipeline,
        long generation,
        Owner owner,
        long since,
        boolean released,
        long reserved,
        String resetToken,
        List<Entry> epochs) {

    /** An epoch that stands, or, while pending, may stand. */
    record Entry(long epoch, boolean pending, ObjectRef manifest) {}

    Head {
        epochs = List.copyOf(epochs);
    }

    Head after(String previous) {
        return new Head(
                previous,
                pipeline,
                generation,
                owner,
                since,
                released,
                reserved,
                resetToken,
                epochs);
    }

    Head withEpochs(List<Entry> epochs) {
        return new Head(
                previous,
                pipeline,
                generation,
                owner,
                since,
                released,
                reserved,
                resetToken,
                epochs);
    }

    Head reserving(long reserved) {
        return new Head(
                previous,
                pipeline,
                generation,
                owner,
                since,
                released,
                reserved,
                resetToken,
                epochs);
    }

    Head released(long reserved) {
        return new Head(
                previous, pipeline, generation, owner, since, true, reserved, resetToken, epochs);
    }

    Head without(long epoch) {
        return withEpochs(epochs.stream().filter(each -> each.epoch() != epoch).toList());
    }

    Head resolved(long epoch) {
        UnaryOperator<Entry> resolve =
                each -> each.epoch() == epoch ? new Entry(epoch, false, each.manifest()) : each;
        return withEpochs(epochs.stream().map(resolve).toList());
    }

    /** With a newer epoch, and of the others the pending and the newest that stand, {@code keep} in all. */
    Head with(Entry entry, int keep) {
        List<Entry> kept = new ArrayList<>();
        kept.add(entry);
        int standing = entry.pending() ? 0 : 1;
        for (Entry each : epochs.reversed()) {
            if (each.pending() || standing < keep) {
                kept.add(each);
                standing += each.pending() ? 0 : 1;
            }
        }
        return withEpochs(kept.reversed());
    }

    byte[] toBytes() {
        ObjectNode out = Documents.create();
        out.put("previous", previous).put("pipeline", pipeline).put("generation", generation);
        ObjectNode who = out.putObject("owner");
        who.put("text", owner.text()).put("space", owner.space());
        who.put("pid", owner.pid()).put("startedAt", owner.startedAt());
        out.put("since", since).put("released", released).put("reserved", reserved);
        out.put("resetToken", resetToken);
        ArrayNode list = out.putArray("epochs");
        for (Entry each : epochs) {
            ObjectNode one = list.addObject();
            one.put("epoch", each.epoch()).put("pending", each.pending());
            Documents.ref(one.putObject("manifest"), each.manifest());
        }
        return Documents.seal(out);
    }

    static Head fromBytes(byte[] bytes, String what) throws StoreException {
        return Documents.decode(bytes, what, Head::decode);
    }

    private static Head decode(JsonNode from) {
        JsonNode who = from.required("owner");
        List<Entry> epochs = new ArrayList<>();
        from.required("epochs")
                .forEach(
                        each ->
                                epochs.add(
                                        new Entry(
                                                each.required("epoch").longValue(),
                                                each.required("pending").booleanValue(),
                                                Documents.ref(each.required("manifest")))));
        return new Head(
                from.required("previous").stringValue(),
                from.required("pipeline").stringValue(),
                from.required("generation").longValue(),
                new Owner(
                        who.required("text").stringValue(),
                        who.required("space").stringValue(),
                        who.required("pid").longValue(),
                        who.required("startedAt").longValue()),
                from.required("since").longValue(),
                from.required("released").booleanValue(),
                from.required("reserved").longValue(),
                from.required("resetToken").stringValue(),
                epochs);
    }
}
