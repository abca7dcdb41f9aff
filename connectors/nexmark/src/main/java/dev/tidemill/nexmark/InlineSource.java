package dev.tidemill.nexmark;

import dev.tidemill.data.Schema;
import dev.tidemill.spi.ConfigException;
import dev.tidemill.spi.Source;
import dev.tidemill.spi.SourceContext;
import dev.tidemill.spi.SourceReader;

/** Events made in the source tasks: task t of N makes the events n with {@code n mod N == t}. */
record InlineSource(NexmarkOptions options, Schema schema) implements Source {
    @Override
    public boolean schemaIsFinal() {
        return true;
    }

    @Override
    public boolean bounded() {
        return true;
    }

    @Override
    public int defaultTasks(int workers) {
        return options.partitions();
    }

    @Override
    public boolean mayBlock() {
        return false;
    }

    @Override
    public SourceReader open(int task, int tasks, SourceContext context) throws ConfigException {
        return new InlineReader(options, schema, task, tasks, context);
    }
}
