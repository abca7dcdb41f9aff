package dev.tidemill.nexmark;

import dev.tidemill.describe.Description;
import dev.tidemill.describe.Option;
import dev.tidemill.kafka.OwnTopic;
import dev.tidemill.spi.ConfigException;
import dev.tidemill.spi.Connector;
import dev.tidemill.spi.OptionValues;
import dev.tidemill.spi.PipelineContext;
import dev.tidemill.spi.Sink;
import dev.tidemill.spi.Source;
import dev.tidemill.spi.SourceRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The Nexmark stream of an auction house: persons, auctions and bids, made up but always the same. */
public final class NexmarkConnector implements Connector {
    private static final Description SOURCE =
            new Description(
                    "connector",
                    "nexmark",
                    "Makes up the events of an auction house: persons, auctions and bids.",
                    """
            Of every 50 events the first is a person, three are auctions and 46 are bids. Each row has all columns, null where its kind of event has \
            none: `type` (`person`, `auction` or `bid`), `id`, `name`, `emailAddress`, `creditCard`, `city`, `state`, `dateTime`, `itemName`, \
            `initialBid`, `reserve`, `expires`, `seller`, `category`, `auction`, `bidder`, `price`, `channel`, `url`. `dateTime` is the event time in \
            milliseconds: 1000000 for the first event and `stepMs` more for each that follows.

            Without `inline` the events go through a Kafka topic, as JSON objects with the fields of their kind only. The topic is made with one copy and filled \
            once, event n in partition n mod `partitions`, while it is read from its beginning. A topic that holds all events is only read; one that holds a part of them is \
            refused. The input then does not end, unless `until = "latest"`: that fills the topic first and ends with its last message.""",
                    options(),
                    """
            [datasets.events]
            connector = "nexmark"
            inline = true
            events = 100000
            """);

    private static List<Option> options() {
        List<Option> options = new ArrayList<>(NexmarkOptions.INLINE);
        options.addAll(OwnTopic.options());
        return options;
    }

    @Override
    public String name() {
        return "nexmark";
    }

    @Override
    public Optional<Description> sourceDescription() {
        return Optional.of(SOURCE);
    }

    @Override
    public Optional<Description> sinkDescription() {
        return Optional.empty();
    }

    @Override
    public void check(String dataset, boolean asSource, OptionValues options)
            throws ConfigException {
        if (options.requireBool("inline")) {
            return;
        }
        if (!options.has("topic")) {
            throw new ConfigException("topic", "is needed unless inline = true");
        }
        OwnTopic.check(options);
    }

    @Override
    public Source source(SourceRequest request, OptionValues options, PipelineContext context)
            throws ConfigException, IOException, InterruptedException {
        check(request.dataset(), true, options);
        if (!options.requireBool("inline")) {
            return TopicSource.find(
                    NexmarkOptions.of(options),
                    new OwnTopic(request.dataset(), options, context),
                    request,
                    context.clock());
        }
        return new InlineSource(
                NexmarkOptions.of(options),
                Events.schema(request.columns(), request.engineColumns()));
    }

    @Override
    public Sink sink(String dataset, OptionValues options, PipelineContext context)
            throws ConfigException {
        throw new ConfigException("sink", "nexmark only makes events, it takes none");
    }
}
