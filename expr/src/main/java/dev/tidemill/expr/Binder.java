package dev.tidemill.expr;

import dev.tidemill.data.DataType;
import dev.tidemill.data.Schema;
import dev.tidemill.expr.Node.Operator;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Chooses the kernel of each node by the types of its operands. */
final class Binder {
    private static final int MOST_COMPARISONS = 8;

    private final Schema schema;

    private Binder(Schema schema) {
        this.schema = schema;
    }

    static Kernel bind(Node node, Schema schema) {
        return new Binder(schema).bind(node);
    }

    private Kernel bind(Node node) {
        return switch (node) {
            case Node.Literal literal -> new Constant(literal.value());
            case Node.Name name -> column(name.name());
            case Node.ListOf list -> listOf(bindAll(list.items()));
            case Node.Unary unary -> unary(unary.operator(), bind(unary.operand()));
            case Node.Binary binary ->
                    binary(binary.operator(), bind(binary.left()), bind(binary.right()));
            case Node.Conditional c ->
                    new Logic.Choose(bind(c.condition()), bind(c.then()), bind(c.otherwise()));
            case Node.Index index -> index(bind(index.target()), bind(index.index()));
            case Node.Call call -> call(call.function(), bindAll(call.arguments()));
        };
    }

    private List<Kernel> bindAll(List<Node> nodes) {
        List<Kernel> out = new ArrayList<>();
        for (Node node : nodes) {
            out.add(bind(node));
        }
        return out;
    }

    private Kernel column(String name) {
        int index = schema.indexOf(name);
        return index < 0 ? new Constant(null) : new ColumnRef(index, schema.type(index));
    }

    private static Kernel listOf(List<Kernel> items) {
        DataType element = Expressions.common(types(items));
        return fold(new RowKernel(new DataType.ListOf(element), items, java.util.Arrays::asList));
    }

    private static Kernel unary(char operator, Kernel operand) {
        if (operator == '!') {
            return new Logic.Not(operand);
        }
        if (operand.type() instanceof DataType.Float64) {
            return fold(new Arithmetic.NegatedDouble(operand));
        }
        if (operand.type().isLongBacked()) {
            return fold(new Arithmetic.Longs(Operator.SUBTRACT, new Constant(0L), operand));
        }
        DataType type = Arguments.numericResult(List.of(operand.type()));
        return fold(new RowKernel(type, List.of(operand), a -> Values.negate(a[0])));
    }

    private static Kernel binary(Operator operator, Kernel left, Kernel right) {
        return switch (operator) {
            case AND -> new Logic.And(left, right);
            case OR -> new Logic.Or(left, right);
            case IN -> fold(in(left, right));
            case EQUAL, NOT_EQUAL -> fold(equality(operator == Operator.EQUAL, left, right));
            case LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL ->
                    fold(ordering(operator, left, right));
            case ADD, SUBTRACT, MULTIPLY, DIVIDE, REMAINDER ->
                    fold(arithmetic(operator, left, right));
        };
    }

    private static Kernel in(Kernel value, Kernel list) {
        Kernel any =
                list instanceof Constant constant && constant.value() instanceof List<?> items
                        ? anyOf(value, items)
                        : null;
        return any != null
                ? any
                : new RowKernel(
                        DataType.BOOL, List.of(value, list), a -> Values.contains(a[0], a[1]));
    }

    /** A column in a list of constants: a few comparisons, or a look-up; null when neither fits. */
    private static Kernel anyOf(Kernel value, List<?> items) {
        boolean texts =
                value.type() instanceof DataType.Utf8
                        && items.stream().allMatch(String.class::isInstance);
        boolean longs =
                value.type().isLongBacked() && items.stream().allMatch(Long.class::isInstance);
        if (items.isEmpty() || !texts && !longs) {
            return null;
        }
        if (items.size() > MOST_COMPARISONS || !(value instanceof ColumnRef)) {
            Set<Object> set = new HashSet<>(items);
            return new RowKernel(DataType.BOOL, List.of(value), a -> set.contains(a[0]));
        }
        Kernel any = null;
        for (Object item : items) {
            Kernel equal = Comparisons.of(Operator.EQUAL, value, new Constant(item));
            any = any == null ? equal : new Logic.Or(any, equal);
        }
        return any;
    }

    private static Kernel equality(boolean wanted, Kernel left, Kernel right) {
        Kernel fast = Comparisons.of(wanted ? Operator.EQUAL : Operator.NOT_EQUAL, left, right);
        return fast != null
                ? fast
                : new RowKernel(
                        DataType.BOOL,
                        List.of(left, right),
                        a -> Values.equal(a[0], a[1]) == wanted);
    }

    private static Kernel ordering(Operator operator, Kernel left, Kernel right) {
        Kernel fast = Comparisons.of(operator, left, right);
        return fast != null
                ? fast
                : new RowKernel(
                        DataType.BOOL,
                        List.of(left, right),
                        a -> Values.ordered(operator, a[0], a[1]));
    }

    private static Kernel arithmetic(Operator operator, Kernel left, Kernel right) {
        boolean longs = left.type().isLongBacked() && right.type().isLongBacked();
        if (longs && operator != Operator.DIVIDE) {
            return new Arithmetic.Longs(operator, left, right);
        }
        if (isPlainNumber(left.type()) && isPlainNumber(right.type())) {
            return new Arithmetic.Doubles(operator, left, right);
        }
        if (operator == Operator.ADD
                && left.type() instanceof DataType.Utf8
                && right.type() instanceof DataType.Utf8) {
            return new TextKernels.Concat(List.of(left, right));
        }
        return new RowKernel(
                arithmeticType(operator, left.type(), right.type()),
                List.of(left, right),
                a -> Values.arithmetic(operator, a[0], a[1]));
    }

    private static boolean isPlainNumber(DataType type) {
        return type.isLongBacked() || type instanceof DataType.Float64;
    }

    private static DataType arithmeticType(Operator operator, DataType a, DataType b) {
        if (operator == Operator.ADD && isText(a) && isText(b)) {
            return DataType.UTF8;
        }
        if (a instanceof DataType.Null || b instanceof DataType.Null) {
            return DataType.NULL;
        }
        if (operator == Operator.ADD && (Expressions.isDynamic(a) || Expressions.isDynamic(b))) {
            return DataType.JSON;
        }
        if (operator == Operator.DIVIDE) {
            return DataType.FLOAT64;
        }
        boolean exact =
                isExact(a)
                        && isExact(b)
                        && (a instanceof DataType.Decimal || b instanceof DataType.Decimal);
        return exact ? decimalType(operator, a, b) : Arguments.numericResult(List.of(a, b));
    }

    private static boolean isExact(DataType type) {
        return type.isLongBacked() || type instanceof DataType.Decimal;
    }

    private static boolean isText(DataType type) {
        return type instanceof DataType.Utf8 || type instanceof DataType.Bytes;
    }

    /** Wide enough for every result, up to 38 digits. */
    private static DataType decimalType(Operator operator, DataType a, DataType b) {
        int scaleA = a instanceof DataType.Decimal d ? d.scale() : 0;
        int scaleB = b instanceof DataType.Decimal d ? d.scale() : 0;
        int scale = operator == Operator.MULTIPLY ? scaleA + scaleB : Math.max(scaleA, scaleB);
        return new DataType.Decimal(38, Math.min(38, scale));
    }

    private static Kernel index(Kernel target, Kernel index) {
        DataType type =
                switch (target.type()) {
                    case DataType.ListOf(DataType element) -> element;
                    case DataType.Struct struct
                            when index.isConstant() && index instanceof Constant c ->
                            memberType(struct, c.value());
                    default -> DataType.JSON;
                };
        return fold(new RowKernel(type, List.of(target, index), a -> Values.index(a[0], a[1])));
    }

    private static DataType memberType(DataType.Struct struct, Object name) {
        return struct.fields().stream()
                .filter(field -> field.name().equals(name))
                .map(dev.tidemill.data.Field::type)
                .findFirst()
                .orElse(DataType.NULL);
    }

    private static Kernel call(Function function, List<Kernel> arguments) {
        DataType type = function.result(types(arguments));
        boolean onDouble =
                function.doubleBody() != null && isPlainNumber(arguments.getFirst().type());
        if (onDouble) {
            return fold(new Arithmetic.OfDouble(function.doubleBody(), arguments.getFirst()));
        }
        if (function.name().equals("isNull")) {
            return fold(new Logic.IsNull(arguments.getFirst()));
        }
        Kernel simple = simple(function.name(), arguments);
        if (simple != null) {
            return fold(simple);
        }
        boolean constant = arguments.stream().allMatch(Kernel::isConstant);
        Kernel onBytes = constant ? null : TextKernels.of(function.name(), arguments);
        return onBytes != null ? onBytes : fold(new RowKernel(type, arguments, function::apply));
    }

    /** A function that other kernels do, else null. */
    private static Kernel simple(String name, List<Kernel> arguments) {
        Kernel first = arguments.isEmpty() ? null : arguments.getFirst();
        return switch (name) {
            case "floor" -> rounding(first, Math::floor);
            case "ceil" -> rounding(first, Math::ceil);
            case "trunc" -> rounding(first, x -> x < 0 ? Math.ceil(x) : Math.floor(x));
            case "round" -> rounding(first, Numbers::round);
            case "abs" ->
                    first.type() instanceof DataType.Float64
                            ? new Arithmetic.OfDouble(Math::abs, first)
                            : null;
            case "coalesce" -> coalesce(arguments);
            default -> null;
        };
    }

    private static Kernel rounding(Kernel number, Function.DoubleBody body) {
        return switch (number.type()) {
            case DataType.Int64 _ -> number;
            case DataType.Float64 _ -> new Arithmetic.OfDouble(body, number);
            default -> null;
        };
    }

    /** Columns of one type, then at most one other value; null when it is not that. All are evaluated, so none may fail. */
    private static Kernel coalesce(List<Kernel> arguments) {
        Kernel result = arguments.getLast();
        boolean fits =
                result.cannotFail()
                        && arguments.stream()
                                .allMatch(
                                        argument ->
                                                argument.type()
                                                        .equals(arguments.getFirst().type()));
        for (int i = arguments.size() - 2; i >= 0 && fits; i--) {
            fits = arguments.get(i) instanceof ColumnRef;
            result = new Logic.Choose(new Logic.IsNull(arguments.get(i)), result, arguments.get(i));
        }
        return fits ? result : null;
    }

    private static List<DataType> types(List<Kernel> kernels) {
        return kernels.stream().map(Kernel::type).toList();
    }

    /** A kernel over constants is a constant, unless it fails: then each row fails. */
    private static Kernel fold(Kernel kernel) {
        return kernel.isConstant() ? Constant.folded(kernel) : kernel;
    }
}
