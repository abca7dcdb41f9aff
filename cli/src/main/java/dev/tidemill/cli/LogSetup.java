package dev.tidemill.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;
import java.util.Locale;

/**
 * Logs of libraries: warnings and worse to standard error, or from the level in {@code TIDEMILL_LOG}. Logback calls it when the first logger is asked for, which
 * most runs never do; an XML file would be read by a parser that loads a thousand classes.
 */
public final class LogSetup extends ContextAwareBase implements Configurator {
    @Override
    public ExecutionStatus configure(LoggerContext context) {
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern("%d{HH:mm:ss.SSS} %-5level %logger{20}: %msg%n");
        encoder.start();
        ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
        appender.setContext(context);
        appender.setTarget("System.err");
        appender.setEncoder(encoder);
        appender.start();
        Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        String level = System.getenv("TIDEMILL_LOG");
        root.setLevel(
                Level.toLevel(level == null ? null : level.toUpperCase(Locale.ROOT), Level.WARN));
        if (level == null) {
            // Its warnings, one for each try to connect, say what the connector says better.
            context.getLogger("org.apache.kafka").setLevel(Level.ERROR);
        }
        root.addAppender(appender);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }
}
