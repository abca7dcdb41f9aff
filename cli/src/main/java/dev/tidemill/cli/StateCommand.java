package dev.tidemill.cli;

import dev.tidemill.epochs.ObjectStore;
import dev.tidemill.epochs.StoreException;
import dev.tidemill.epochs.StoreLocation;
import dev.tidemill.epochs.StoreReport;
import dev.tidemill.pipeline.Pipeline;
import dev.tidemill.pipeline.recovery.StateLocation;
import dev.tidemill.pipeline.spec.InvalidPipelineException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Looks at the stored epochs of a pipeline, also beside a run of it. Changes nothing. */
@Command(
        name = "state",
        description = "Shows what is stored of a pipeline: its epochs, positions and state.",
        subcommands = {
            StateCommand.ListCommand.class,
            StateCommand.ShowCommand.class,
            StateCommand.VerifyCommand.class
        },
        footer = {"", "Example: tidemill state show pipeline.toml"})
final class StateCommand implements Runnable {
    @Mixin private HelpOption help;

    @Spec private CommandSpec spec;

    @Override
    public void run() {
        throw new picocli.CommandLine.ParameterException(
                spec.commandLine(), "list, show or verify is missing");
    }

    /** Opens the store, reads, prints. */
    private abstract static class Look implements Callable<Integer> {
        @Mixin private HelpOption help;

        @Mixin private PipelineFile file;

        @ParentCommand private StateCommand parent;

        @Spec private CommandSpec spec;

        abstract StoreReport.Depth depth();

        abstract void print(StatePage page);

        @Override
        public Integer call() throws InvalidPipelineException, RefusedException {
            Pipeline pipeline = file.load();
            String location = StateLocation.of(pipeline.spec(), DefaultStore.of(pipeline.spec()));
            if (location.isEmpty() || location.equals("memory")) {
                throw RefusedException.wrongInput(
                        "no epochs of "
                                + pipeline.spec().name()
                                + " outlive a run: stateStore is "
                                + (location.isEmpty() ? StateLocation.NONE : location));
            }
            PrintWriter out = spec.commandLine().getOut();
            try (ObjectStore store = StoreLocation.openToRead(location, System::getenv)) {
                Optional<StoreReport> report =
                        StoreReport.of(store, pipeline.spec().name(), depth());
                if (report.isEmpty()) {
                    throw new StoreException(
                            "nothing is stored of "
                                    + pipeline.spec().name()
                                    + " in "
                                    + store.location());
                }
                print(new StatePage(report.get(), store.location(), out));
                out.flush();
                return report.get().isWhole() ? ExitCode.FINE : ExitCode.FAILED;
            } catch (IOException e) {
                throw new RefusedException(ExitCode.FAILED, e.getMessage());
            }
        }
    }

    @Command(name = "list", description = "One line for each stored epoch, the newest last.")
    static final class ListCommand extends Look {
        @Override
        StoreReport.Depth depth() {
            return StoreReport.Depth.LIST;
        }

        @Override
        void print(StatePage page) {
            page.owner();
            page.epochs();
            page.problems();
        }
    }

    @Command(
            name = "show",
            description =
                    "The newest epoch: positions of each partition, event times, state of each step.")
    static final class ShowCommand extends Look {
        @Override
        StoreReport.Depth depth() {
            return StoreReport.Depth.LIST;
        }

        @Override
        void print(StatePage page) {
            page.owner();
            page.newest();
            page.problems();
        }
    }

    @Command(
            name = "verify",
            description = "Reads every byte of every epoch; exit status 1 when any is damaged.")
    static final class VerifyCommand extends Look {
        @Override
        StoreReport.Depth depth() {
            return StoreReport.Depth.VERIFY;
        }

        @Override
        void print(StatePage page) {
            page.epochs();
            page.problems();
            page.verdict();
        }
    }
}
