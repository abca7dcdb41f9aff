package dev.tidemill.pipeline.read;

import dev.tidemill.pipeline.spec.Position;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingEndEvent;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceEndEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * One document of YAML 1.2 with its core schema, and without tags and duplicate keys. Anchors and aliases work within a limit. From events, not from the
 * library's trees, so that depth and size stay bounded. Stops at the first error.
 */
final class YamlReader {
    private static final int MAX_DEPTH = 64;
    private static final int MAX_EXPANDED = 100_000;

    private static final Pattern WHOLE = Pattern.compile("[-+]?[0-9]{1,100}");
    private static final Pattern OCTAL = Pattern.compile("0o[0-7]{1,100}");
    private static final Pattern HEX = Pattern.compile("0x[0-9a-fA-F]{1,100}");
    private static final Pattern DECIMAL =
            Pattern.compile(
                    "[-+]?(\\.[0-9]{1,100}|[0-9]{1,100}(\\.[0-9]{0,100})?)([eE][-+]?[0-9]{1,10})?");

    private final String text;
    private final String source;
    private final Places places;

    /** The library counts code points; where these are not chars, places within texts are not told. */
    private final boolean basicPlane;

    private final Map<String, Anchored> anchors = new HashMap<>();
    private Iterator<Event> events;
    private Event last;
    private int size;

    /** @param size how many nodes it has */
    private record Anchored(Node node, int size) {}

    YamlReader(String text, String source) {
        this.text = text;
        this.source = source;
        this.places = new Places(text, source);
        this.basicPlane = text.chars().noneMatch(c -> Character.isSurrogate((char) c));
    }

    Node read() throws SyntaxException {
        LoadSettings settings = LoadSettings.builder().setLabel(source).build();
        events = new Parse(settings).parseString(text).iterator();
        return document();
    }

    private Event next() throws SyntaxException {
        try {
            last = events.next();
            return last;
        } catch (MarkedYamlEngineException e) {
            Position at = e.getProblemMark().map(this::place).orElse(Position.of(source));
            throw new SyntaxException(at, "no valid YAML: " + e.getProblem());
        } catch (YamlEngineException e) {
            throw new SyntaxException(
                    Position.of(source), "no valid YAML: " + firstLine(e.getMessage()));
        } catch (NumberFormatException | IndexOutOfBoundsException | NoSuchElementException e) {
            // The library fails so on some broken texts, such as an escape cut off by the end.
            throw new SyntaxException(
                    last == null ? Position.of(source) : place(last),
                    "no valid YAML behind this place");
        }
    }

    private static String firstLine(String message) {
        return message.lines().findFirst().orElse("");
    }

    private Node document() throws SyntaxException {
        next();
        Event first = next();
        if (!(first instanceof DocumentStartEvent)) {
            throw new SyntaxException(Position.of(source), "the file is empty");
        }
        Node node = node(next(), 0);
        next();
        Event after = next();
        if (after instanceof DocumentStartEvent) {
            throw new SyntaxException(place(after), "a second document: a pipeline file has one");
        }
        return node;
    }

    private Node node(Event event, int depth) throws SyntaxException {
        if (++size > MAX_EXPANDED) {
            throw new SyntaxException(
                    place(event), "too much: more than " + MAX_EXPANDED + " values");
        }
        if (event instanceof AliasEvent alias) {
            return aliased(alias);
        }
        checkTag(event);
        int before = size;
        Node node =
                switch (event) {
                    case MappingStartEvent start -> table(start, depth + 1);
                    case SequenceStartEvent start -> items(start, depth + 1);
                    case ScalarEvent scalar -> scalar(scalar);
                    default -> throw new SyntaxException(place(event), "no valid YAML");
                };
        anchor(event).ifPresent(name -> anchors.put(name, new Anchored(node, size - before + 1)));
        return node;
    }

    private Node aliased(AliasEvent alias) throws SyntaxException {
        Anchored anchored = anchors.get(alias.getAlias().getValue());
        if (anchored == null) {
            throw new SyntaxException(
                    place(alias),
                    "no anchor &" + alias.getAlias().getValue() + " before this alias");
        }
        size += anchored.size();
        if (size > MAX_EXPANDED) {
            throw new SyntaxException(
                    place(alias), "too much: more than " + MAX_EXPANDED + " values");
        }
        return anchored.node();
    }

    private static Optional<String> anchor(Event event) {
        return event instanceof NodeEvent node
                ? node.getAnchor().map(Object::toString)
                : Optional.empty();
    }

    private void checkTag(Event event) throws SyntaxException {
        Optional<String> tag =
                switch (event) {
                    case CollectionStartEvent start -> start.getTag();
                    case ScalarEvent scalar -> scalar.getTag();
                    default -> Optional.empty();
                };
        if (tag.isPresent()
                && !tag.get().equals("tag:yaml.org,2002:str")
                && !tag.get().equals("!")) {
            throw new SyntaxException(place(event), "tags have no meaning in a pipeline file");
        }
    }

    private Node table(MappingStartEvent start, int depth) throws SyntaxException {
        Position at = opened(start, depth);
        Map<String, Node.Entry> entries = new LinkedHashMap<>();
        while (true) {
            Event event = next();
            if (event instanceof MappingEndEvent) {
                return new Node.Table(at, entries);
            }
            if (!(event instanceof ScalarEvent key)) {
                throw new SyntaxException(place(event), "a key must be text");
            }
            Position keyAt = place(key);
            Node.Entry before = entries.get(key.getValue());
            if (before != null) {
                throw new SyntaxException(
                        keyAt,
                        Node.Text.quote(key.getValue())
                                + " is there already, in line "
                                + before.at().line());
            }
            entries.put(key.getValue(), new Node.Entry(key.getValue(), keyAt, node(next(), depth)));
        }
    }

    private Node items(SequenceStartEvent start, int depth) throws SyntaxException {
        Position at = opened(start, depth);
        List<Node> items = new ArrayList<>();
        while (true) {
            Event event = next();
            if (event instanceof SequenceEndEvent) {
                return new Node.Items(at, items);
            }
            items.add(node(event, depth));
        }
    }

    private Position opened(Event start, int depth) throws SyntaxException {
        if (depth > MAX_DEPTH) {
            throw new SyntaxException(
                    place(start), "more than " + MAX_DEPTH + " lists and tables inside each other");
        }
        return place(start);
    }

    private Node scalar(ScalarEvent event) throws SyntaxException {
        Position at = place(event);
        String value = event.getValue();
        boolean plain = event.getScalarStyle() == ScalarStyle.PLAIN && event.getTag().isEmpty();
        return plain ? plain(at, value, event) : text(at, value, event);
    }

    private Node plain(Position at, String value, ScalarEvent event) throws SyntaxException {
        return switch (value) {
            case "", "~", "null", "Null", "NULL" -> new Node.Nothing(at);
            case "true", "True", "TRUE" -> new Node.Flag(at, true);
            case "false", "False", "FALSE" -> new Node.Flag(at, false);
            case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF" ->
                    new Node.Decimal(at, Double.POSITIVE_INFINITY);
            case "-.inf", "-.Inf", "-.INF" -> new Node.Decimal(at, Double.NEGATIVE_INFINITY);
            case ".nan", ".NaN", ".NAN" -> new Node.Decimal(at, Double.NaN);
            default -> number(at, value, event);
        };
    }

    private Node number(Position at, String value, ScalarEvent event) throws SyntaxException {
        try {
            if (WHOLE.matcher(value).matches()) {
                return new Node.Whole(at, Long.parseLong(value));
            }
            if (OCTAL.matcher(value).matches()) {
                return new Node.Whole(at, Long.parseLong(value.substring(2), 8));
            }
            if (HEX.matcher(value).matches()) {
                return new Node.Whole(at, Long.parseLong(value.substring(2), 16));
            }
        } catch (NumberFormatException e) {
            throw new SyntaxException(at, value + " does not fit into 64 bits");
        }
        return DECIMAL.matcher(value).matches()
                ? new Node.Decimal(at, Double.parseDouble(value))
                : text(at, value, event);
    }

    private Node.Text text(Position at, String value, ScalarEvent event) {
        boolean quoted =
                event.getScalarStyle() == ScalarStyle.SINGLE_QUOTED
                        || event.getScalarStyle() == ScalarStyle.DOUBLE_QUOTED;
        int start = event.getStartMark().map(Mark::getIndex).orElse(-1);
        Position content =
                start < 0 || !basicPlane ? null : places.content(value, start + (quoted ? 1 : 0));
        return new Node.Text(at, value, content, Node.Origin.FILE);
    }

    private Position place(Event event) {
        return event.getStartMark().map(this::place).orElse(Position.of(source));
    }

    private Position place(Mark mark) {
        return new Position(source, mark.getLine() + 1, mark.getColumn() + 1);
    }
}
