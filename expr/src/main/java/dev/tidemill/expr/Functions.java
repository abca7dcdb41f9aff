package dev.tidemill.expr;

import dev.tidemill.data.DataType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All functions by name. Immutable after class initialisation; thread-safe. */
public final class Functions {
    private static final Map<String, Function> ALL = all();

    private Functions() {}

    private static Map<String, Function> all() {
        FunctionSet set = new FunctionSet();
        NumberFunctions.addTo(set);
        StringFunctions.addTo(set);
        ListFunctions.addTo(set);
        DateFunctions.addTo(set);
        LogicFunctions.addTo(set);
        GeoFunctions.addTo(set);
        return set.functions();
    }

    static Function find(String name) {
        return ALL.get(name);
    }

    public static Collection<String> names() {
        return ALL.keySet();
    }

    /** The description of every function, by category in the order of the reference pages. */
    public static List<FunctionDescription> descriptions() {
        return ALL.values().stream().map(Function::description).toList();
    }

    public static Optional<FunctionDescription> description(String name) {
        return Optional.ofNullable(ALL.get(name)).map(Function::description);
    }

    /** Collects functions while they are declared. */
    static final class FunctionSet {
        private final Map<String, Function> functions = new LinkedHashMap<>();
        private String category = "";

        void category(String name) {
            category = name;
        }

        Declaration declare(String signature, String doc) {
            return new Declaration(this, category, signature, doc);
        }

        Map<String, Function> functions() {
            return functions;
        }
    }

    /** One function in the making; {@link #is} and the like end it. */
    static final class Declaration {
        private final FunctionSet set;
        private final String category;
        private final String signature;
        private final String doc;
        private final List<FunctionDescription.Example> examples = new ArrayList<>();
        private Function.Typing typing = _ -> DataType.FLOAT64;
        private boolean nullAware;

        private Declaration(FunctionSet set, String category, String signature, String doc) {
            this.set = set;
            this.category = category;
            this.signature = signature;
            this.doc = doc;
        }

        Declaration example(String expression, String result) {
            examples.add(new FunctionDescription.Example(expression, result));
            return this;
        }

        Declaration gives(DataType type) {
            typing = _ -> type;
            return this;
        }

        Declaration gives(Function.Typing rule) {
            typing = rule;
            return this;
        }

        /** The body is called with nulls too. */
        Declaration takesNulls() {
            nullAware = true;
            return this;
        }

        void is(Function.Body body) {
            add(body, null);
        }

        /** A float64 of one number. */
        void isDouble(Function.DoubleBody body) {
            String name = name();
            add(arguments -> Values.finite(body.apply(Arguments.number(name, arguments, 0))), body);
        }

        private String name() {
            return signature.substring(0, signature.indexOf('('));
        }

        private void add(Function.Body body, Function.DoubleBody doubleBody) {
            String name = name();
            FunctionDescription description =
                    new FunctionDescription(name, category, signature, doc, examples);
            String inner = signature.substring(name.length() + 1, signature.length() - 1);
            String required = inner.contains("[") ? inner.substring(0, inner.indexOf('[')) : inner;
            int least = count(required.replace("…", ""));
            int most =
                    inner.contains("…")
                            ? Integer.MAX_VALUE
                            : count(inner.replace("[", "").replace("]", ""));
            set.functions.put(
                    name,
                    new Function(description, least, most, typing, nullAware, body, doubleBody));
        }

        private static int count(String names) {
            int count = 0;
            for (String name : names.split(",")) {
                count += name.isBlank() ? 0 : 1;
            }
            return count;
        }
    }
}
