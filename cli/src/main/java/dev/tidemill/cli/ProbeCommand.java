package dev.tidemill.cli;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "probe",
        description =
                "Asks a health endpoint: exit 0 when it answers 2xx within 2 seconds, else 1.",
        footer = {"", "Example: tidemill probe http://127.0.0.1:8080/ready"})
final class ProbeCommand implements Callable<Integer> {
    @Mixin private HelpOption help;

    private static final Duration LIMIT = Duration.ofSeconds(2);

    @Parameters(paramLabel = "URL", description = "An http or https address.")
    private String url;

    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        HttpRequest request;
        try {
            request = HttpRequest.newBuilder(URI.create(url)).timeout(LIMIT).GET().build();
        } catch (IllegalArgumentException e) {
            spec.commandLine().getErr().println("probe: " + url + " is no http or https address");
            return ExitCode.WRONG_INPUT;
        }
        try (HttpClient client = HttpClient.newBuilder().connectTimeout(LIMIT).build()) {
            int status = client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
            return status / 100 == 2 ? ExitCode.FINE : refused("the answer was " + status);
        } catch (IOException e) {
            return refused(e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage());
        }
    }

    private int refused(String why) {
        spec.commandLine().getErr().println("probe: " + url + ": " + why);
        return ExitCode.FAILED;
    }
}
