package dev.tidemill.cli;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * SIGINT and SIGTERM: the first asks for an ordered stop, the second does not wait for it. A shutdown hook would not do, since the JVM ignores
 * signals while hooks run. The handler class of the JDK has no supported name, so it is reached by reflection; where it is missing, the JVM's own
 * handling stays.
 */
final class Signals {
    private Signals() {}

    /**
     * @param first  runs on a thread of the JVM at the first signal; must return soon
     * @param second runs at every later one
     */
    static void onStopRequest(Runnable first, Runnable second) {
        AtomicInteger received = new AtomicInteger();
        Runnable handler = () -> (received.getAndIncrement() == 0 ? first : second).run();
        install("INT", handler);
        install("TERM", handler);
    }

    private static void install(String name, Runnable handler) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> signalHandler = Class.forName("sun.misc.SignalHandler");
            Object proxy =
                    Proxy.newProxyInstance(
                            Signals.class.getClassLoader(),
                            new Class<?>[] {signalHandler},
                            (self, method, arguments) -> {
                                if (method.getName().equals("handle")) {
                                    handler.run();
                                }
                                return method.getName().equals("hashCode")
                                        ? System.identityHashCode(self)
                                        : null;
                            });
            Object instance = signal.getConstructor(String.class).newInstance(name);
            signal.getMethod("handle", signal, signalHandler).invoke(null, instance, proxy);
        } catch (ClassNotFoundException
                | NoSuchMethodException
                | IllegalAccessException
                | InstantiationException
                | InvocationTargetException e) {
            // A JVM without the class, or a signal that it keeps to itself: the default action
            // remains.
        }
    }
}
