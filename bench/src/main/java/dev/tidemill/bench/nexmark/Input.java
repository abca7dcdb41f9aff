package dev.tidemill.bench.nexmark;

import java.nio.file.Path;

/** What a benchmark reads: the same events each time. */
sealed interface Input {
    /** The number of events. */
    long events();

    /** The dataset {@code events} of a Tidemill pipeline, as TOML, read by so many tasks. */
    String dataset(int tasks);

    /** JSON lines in a file. */
    record Lines(Path path, long events) implements Input {
        @Override
        public String dataset(int tasks) {
            return "[datasets.events]\nconnector = \"file\"\npath = \""
                    + path
                    + "\"\npartitions = "
                    + tasks
                    + "\n"
                    + Columns.schema();
        }
    }

    /** Made where they are read. */
    record Inline(long events, long stepMs) implements Input {
        @Override
        public String dataset(int tasks) {
            return "[datasets.events]\nconnector = \"nexmark\"\ninline = true\ntail = false\nevents = "
                    + events
                    + "\nstepMs = "
                    + stepMs
                    + "\npartitions = "
                    + tasks
                    + "\n";
        }
    }

    /** One message an event, in a topic of a broker. */
    record Topic(String brokers, String topic, long events) implements Input {
        @Override
        public String dataset(int tasks) {
            return "[datasets.events]\nconnector = \"kafka\"\nuntil = \"latest\"\noffsetReset = \"earliest\"\nbrokers = \""
                    + brokers
                    + "\"\ntopic = \""
                    + topic
                    + "\"\n"
                    + Columns.schema();
        }
    }
}
