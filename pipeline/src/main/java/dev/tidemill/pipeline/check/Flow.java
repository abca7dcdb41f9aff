package dev.tidemill.pipeline.check;

import dev.tidemill.pipeline.read.Node;
import dev.tidemill.pipeline.read.Problems;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.stream.Collectors;

/** Which stage writes and reads which dataset, and the order that follows. */
final class Flow {
    private static final String OUTPUT = "output";

    private final List<StageDraft> stages;
    private final Problems problems;
    private final Map<String, List<Writer>> writers = new LinkedHashMap<>();
    private final Map<String, List<StageDraft>> readers = new LinkedHashMap<>();

    /**
     * @param option  the key that names the dataset
     * @param who     for messages
     * @param stage   null when a source writes it: its bad records
     * @param dataset where it is named
     */
    private record Writer(String option, String who, StageDraft stage, Node.Text dataset) {
        /** Rows of failed steps all have the same columns, and so have bad records: of each of these, many may go to one dataset. */
        boolean mayShareWith(Writer other) {
            return option.equals(other.option)
                    && (option.equals("errorOutput") || option.equals("deadLetter"));
        }

        String shown() {
            String line = dataset.at().line() == 0 ? "" : ", in line " + dataset.at().line();
            return who + line;
        }
    }

    Flow(List<StageDraft> stages, Problems problems) {
        this.stages = stages;
        this.problems = problems;
        for (StageDraft stage : stages) {
            if (stage.output() != null) {
                write(new Writer(OUTPUT, "stage " + stage.number(), stage, stage.output()));
            }
            stage.sides()
                    .forEach(
                            side ->
                                    write(
                                            new Writer(
                                                    side.option(),
                                                    "stage "
                                                            + stage.number()
                                                            + " ("
                                                            + side.option()
                                                            + ")",
                                                    stage,
                                                    side.dataset())));
            stage.inputs()
                    .forEach(
                            input ->
                                    readers.computeIfAbsent(input.value(), _ -> new ArrayList<>())
                                            .add(stage));
        }
    }

    /** A source writes its bad records to another dataset. */
    void addDeadLetters(String source, Node.Text dataset) {
        if (dataset.value().equals(source)) {
            problems.error(
                    dataset.at(),
                    "deadLetter names the dataset itself: bad records must go to another one");
            return;
        }
        write(
                new Writer(
                        "deadLetter", "the source \"" + source + "\" (deadLetter)", null, dataset));
    }

    private void write(Writer writer) {
        List<Writer> others =
                writers.computeIfAbsent(writer.dataset().value(), _ -> new ArrayList<>());
        if (!others.isEmpty() && !writer.mayShareWith(others.getFirst())) {
            problems.error(
                    writer.dataset().at(),
                    "the dataset "
                            + writer.dataset().shown()
                            + " is written already by "
                            + others.getFirst().shown()
                            + ": one thing writes a dataset");
        }
        others.add(writer);
    }

    boolean isWritten(String dataset) {
        return writers.containsKey(dataset);
    }

    boolean isRead(String dataset) {
        return readers.containsKey(dataset);
    }

    /** Where the dataset is first named as an output. */
    Node.Text firstWritten(String dataset) {
        return writers.get(dataset).getFirst().dataset();
    }

    /** All that stages and sources write. */
    Set<String> written() {
        return writers.keySet();
    }

    /** As {@link #written}, without names that must not be shown. */
    List<String> writtenInTheOpen() {
        return writers.values().stream()
                .map(list -> list.getFirst().dataset())
                .filter(text -> text.origin() != Node.Origin.SECRET)
                .map(Node.Text::value)
                .toList();
    }

    /** Who writes it, for a message. */
    String writerOf(String dataset) {
        return writers.get(dataset).getFirst().who();
    }

    int readerOf(String dataset) {
        return readers.get(dataset).getFirst().number();
    }

    /** The stages so that each comes behind those whose datasets it reads, else in the order of the file; without those in a circle, which are problems. */
    List<StageDraft> ordered() {
        Map<Integer, Set<StageDraft>> followers = new HashMap<>();
        Map<Integer, Integer> missing = new HashMap<>();
        PriorityQueue<StageDraft> ready = new PriorityQueue<>(Flow::byNumber);
        for (StageDraft stage : stages) {
            Collection<StageDraft> sources = sources(stage);
            sources.forEach(
                    source ->
                            followers
                                    .computeIfAbsent(source.number(), _ -> new LinkedHashSet<>())
                                    .add(stage));
            missing.put(stage.number(), sources.size());
            if (sources.isEmpty()) {
                ready.add(stage);
            }
        }
        List<StageDraft> out = new ArrayList<>();
        while (!ready.isEmpty()) {
            StageDraft stage = ready.remove();
            out.add(stage);
            missing.remove(stage.number());
            for (StageDraft follower : followers.getOrDefault(stage.number(), Set.of())) {
                if (missing.merge(follower.number(), -1, Integer::sum) == 0) {
                    ready.add(follower);
                }
            }
        }
        if (!missing.isEmpty()) {
            circle(missing.keySet());
        }
        return out;
    }

    private static int byNumber(StageDraft a, StageDraft b) {
        return Integer.compare(a.number(), b.number());
    }

    private Collection<StageDraft> sources(StageDraft stage) {
        Map<Integer, StageDraft> out = new LinkedHashMap<>();
        for (Node.Text input : stage.inputs()) {
            for (Writer writer : writers.getOrDefault(input.value(), List.of())) {
                if (writer.stage() != null) {
                    out.put(writer.stage().number(), writer.stage());
                }
            }
        }
        return out.values();
    }

    /** Every waiting stage reads of another one, so a walk against the flow comes back to where it was. */
    private void circle(Set<Integer> waiting) {
        List<StageDraft> walk = new ArrayList<>();
        Set<Integer> seen = new HashSet<>();
        StageDraft stage =
                stages.stream()
                        .filter(each -> waiting.contains(each.number()))
                        .findFirst()
                        .orElseThrow();
        while (seen.add(stage.number())) {
            walk.add(stage);
            stage =
                    sources(stage).stream()
                            .filter(source -> waiting.contains(source.number()))
                            .findFirst()
                            .orElseThrow();
        }
        List<StageDraft> circle = new ArrayList<>(walk.subList(walk.indexOf(stage), walk.size()));
        StageDraft first = Collections.min(circle, Flow::byNumber);
        Node.Text input = first.inputs().getFirst();
        String reads = "stage " + first.number() + " reads ";
        if (circle.size() == 1) {
            problems.error(input.at(), reads + "what it writes, " + input.shown());
            return;
        }
        Collections.rotate(circle, -circle.indexOf(first));
        String through =
                circle.subList(1, circle.size()).reversed().stream()
                        .map(each -> Integer.toString(each.number()))
                        .collect(Collectors.joining(", "));
        String stages = circle.size() == 2 ? "stage " : "the stages ";
        problems.error(
                input.at(),
                reads
                        + input.shown()
                        + ", which comes from its own output through "
                        + stages
                        + through);
    }
}
