"""Draws elementwise ops: functions, arithmetic, comparisons, logic and bits."""

from openvino import PartialShape
from openvino import opset16 as ops
from openvino.utils.node_factory import NodeFactory

from draw_shapes import FLOATS, constant, draw_sizes, model_of, parameter, stretched, type_of

INTEGERS = ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"]
NUMBERS = [*FLOATS, *INTEGERS]
ANY = [*NUMBERS, "boolean"]
AXIS = "auto_broadcast.auto_broadcast_axis"


def create(opset, op, inputs, attributes=None):
    return NodeFactory(f"opset{opset}").create(op, [node.output(0) for node in inputs], attributes or {})


# ---- one input ----


def unary(op, opset, kinds, attributes=None):
    def draw(rng):
        x = parameter(rng, rng.choice(kinds), draw_sizes(rng, 0, 5))
        return model_of(create(opset, op, [x], attributes(rng) if attributes else {}), [x])

    return draw


def clamp_attributes(rng):
    least = rng.choice((-1e30, -6, -0.5, 0, 3))
    return {"min": float(least), "max": float(rng.choice((max(least, -6.5), max(least, -6) + 0.25, max(least, 2.5), 1e20)))}


def scalar(rng, kind):
    """Returns a scalar, and whether it is a Parameter."""
    is_open = rng.random() < 0.5
    return (ops.parameter([], type_of(kind)) if is_open else constant(rng.randint(0, 3), kind)), is_open


def with_scalars(op, opset, kinds, least, most):
    """Makes a draw of an op with data and `least` to `most` scalars."""

    def draw(rng):
        kind = rng.choice(kinds)
        x = parameter(rng, kind, draw_sizes(rng, 0, 5))
        scalars = [scalar(rng, kind) for _ in range(rng.randint(least, most))]
        node = create(opset, op, [x, *(value for value, _ in scalars)])
        return model_of(node, [x, *(value for value, is_open in scalars if is_open)])

    return draw


def selu(rng):
    kind = rng.choice(FLOATS)
    inputs = [parameter(rng, kind, sizes) for sizes in (draw_sizes(rng, 0, 5), *rng.choices(([1], []), k=2))]
    return model_of(create(1, "Selu", inputs), inputs)


def prelu(rng):
    """Draws a PRelu. It has a slope for each channel, a single slope, or slopes that broadcast to the data."""
    kind, sizes = rng.choice(ANY), draw_sizes(rng, 1, 5)
    slopes = [[1], stretched(rng, sizes), *([[sizes[1]]] if len(sizes) > 1 else [])]
    inputs = [parameter(rng, kind, sizes), parameter(rng, rng.choice((kind, "f32")), rng.choice(slopes))]
    return model_of(create(1, "PRelu", inputs), inputs)


# ---- two inputs ----


def draw_rule(rng, rules):
    """Returns (attributes, sizes of a, sizes of b)."""
    sizes, rule = draw_sizes(rng, 0, 5), rng.choice(rules)
    if rule == "numpy":
        return {"auto_broadcast": rule}, *rng.choice(((sizes, stretched(rng, sizes)), (stretched(rng, sizes), sizes)))
    if rule == "none":
        return {"auto_broadcast": rule}, sizes, sizes
    begin = rng.randint(0, len(sizes))
    axis = rng.choice((begin, -1))
    end = rng.randint(begin, len(sizes)) if axis >= 0 else len(sizes)
    return {"auto_broadcast": rule, AXIS: axis}, sizes, [1 if rng.random() < 0.2 else size for size in sizes[begin:end]]


def target_of(rng, op, opset, attributes):
    """Makes a Reshape whose target is the op's result for two constant lists, so inference must know the result's
    elements."""
    n, kind = rng.randint(1, 4), rng.choice(("i32", "i64"))
    a, b = ([rng.randint(-2, 12) for _ in range(n)], [rng.choice((1, 2, 3, 5)) for _ in range(rng.choice((1, n)))])
    target = create(opset, op, [constant(a, kind), constant(b, kind)], attributes)
    x = ops.parameter(PartialShape([-1] * n), type_of("f32"))
    return model_of(ops.reshape(x, target, True), [x])


def binary(op, opset, kinds, rules, has_parts=False, more=lambda rng: {}):
    def draw(rng):
        if has_parts and rng.random() < 0.25:
            return target_of(rng, op, opset, more(rng))
        attributes, *sizes = draw_rule(rng, rules)
        kind = rng.choice(kinds)
        inputs = [parameter(rng, kind, each) for each in sizes]
        return model_of(create(opset, op, inputs, {**attributes, **more(rng)}), inputs)

    return draw


def draws_of_binaries():
    rules = ("numpy", "numpy", "none", "pdpd")
    found = {"Power-1": binary("Power", 1, NUMBERS, rules)}
    for op in ("Add", "FloorMod", "Maximum", "Minimum", "Mod", "Multiply", "Subtract"):
        found[f"{op}-1"] = binary(op, 1, NUMBERS, rules, has_parts=True)
    found["Divide-1"] = binary("Divide", 1, NUMBERS, rules, True, lambda rng: {"m_pythondiv": rng.random() < 0.5})
    found["SquaredDifference-1"] = binary("SquaredDifference", 1, NUMBERS, rules)
    for op in ("Equal", "Greater", "GreaterEqual", "Less", "LessEqual", "NotEqual"):
        found[f"{op}-1"] = binary(op, 1, ANY, rules)
    for op in ("LogicalAnd", "LogicalOr", "LogicalXor", "Xor"):
        found[f"{op}-1"] = binary(op, 1, ["boolean"], rules)
    for op in ("BitwiseAnd", "BitwiseOr", "BitwiseXor"):
        found[f"{op}-13"] = binary(op, 13, [*INTEGERS, "boolean"], rules)
    for op in ("BitwiseLeftShift", "BitwiseRightShift"):
        found[f"{op}-15"] = binary(op, 15, INTEGERS, rules)
    return found


def draws_of_functions():
    of_one = ["Abs", "Acos", "Asin", "Atan", "Ceiling", "Cos", "Cosh", "Erf", "Exp", "Floor", "Log", "Negative", "Sigmoid"]
    found = {f"{op}-1": unary(op, 1, NUMBERS) for op in [*of_one, "Sign", "Sin", "Sinh", "Sqrt", "Tan", "Tanh"]}
    for op in ("Acosh", "Asinh", "Atanh"):
        found[f"{op}-3"] = unary(op, 4, NUMBERS)
    found["ReLU-1"] = unary("Relu", 1, NUMBERS)
    found["BitwiseNot-13"] = unary("BitwiseNot", 13, [*INTEGERS, "boolean"])
    found["Clamp-1"] = unary("Clamp", 1, NUMBERS, clamp_attributes)
    found["Elu-1"] = unary("Elu", 1, ANY, lambda rng: {"alpha": rng.choice((0.0, 1.0, 2.5, -1.0))})
    found["ErfInv-17"] = unary("ErfInv", 17, FLOATS)
    found["Gelu-2"] = unary("Gelu", 2, FLOATS)
    found["Gelu-7"] = unary("Gelu", 7, FLOATS, lambda rng: {"approximation_mode": rng.choice(("ERF", "TANH", "erf"))})
    found["HSigmoid-5"], found["HSwish-4"] = unary("HSigmoid", 5, NUMBERS), unary("HSwish", 4, NUMBERS)
    found["HardSigmoid-1"] = with_scalars("HardSigmoid", 1, NUMBERS, 2, 2)
    found["IsFinite-10"], found["IsNaN-10"] = unary("IsFinite", 10, FLOATS), unary("IsNaN", 10, FLOATS)
    flags = ("detect_negative", "detect_positive")
    found["IsInf-10"] = unary("IsInf", 10, FLOATS, lambda rng: {flag: rng.random() < 0.5 for flag in flags})
    found["LogicalNot-1"] = unary("LogicalNot", 1, ANY)
    found["Mish-4"], found["SoftPlus-4"] = unary("Mish", 4, FLOATS), unary("SoftPlus", 4, FLOATS)
    modes = ("half_to_even", "half_away_from_zero")
    found["Round-5"] = unary("Round", 5, ANY, lambda rng: {"mode": rng.choice(modes)})
    found["SoftSign-9"] = unary("SoftSign", 9, FLOATS)
    found["Swish-4"] = with_scalars("Swish", 4, FLOATS, 0, 1)
    return found


BINARIES = draws_of_binaries()
DRAWS = {**draws_of_functions(), **BINARIES, "PReLU-1": prelu, "Selu-1": selu}


DEVIATIONS = [
    (
        "unsound",
        ", ".join(BINARIES),
        "auto_broadcast=pdpd",
        r", an instance .*\(0, 0\)",
        "with `pdpd` no size of 1 of input 0 stretches, so that the output has its shape; the runtime takes a 0 of input 1",
    )
]
