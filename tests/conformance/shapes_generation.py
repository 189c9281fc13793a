"""Draws ops that make tensors: Range, OneHot, Eye, RandomUniform, Multinomial."""

from openvino import opset1, opset4, opset9, opset13
from openvino import opset16 as ops

from draw_shapes import NUMBERS, constant, draw_sizes, model_of, parameter
from shapes_movement import part_of, some_constant


def some_number(rng, value, kind):
    """Returns (node, parameters) of a scalar, mostly a Constant."""
    return some_constant(rng, value, kind)


def range_(op, types):
    def draw(rng):
        kinds = [rng.choice(types)] * 3 if op is opset1.range else [rng.choice(types) for _ in range(3)]
        values = [rng.randint(-5, 5), rng.randint(-5, 12), rng.choice([1, 2, 3, -1, -2])]
        values = [value + rng.choice([0, 0.5, 0.25]) if kind[0] == "f" else value for value, kind in zip(values, kinds)]
        values = [abs(value) if kind[0] == "u" else value for value, kind in zip(values, kinds)]
        inputs = [some_number(rng, value, kind) for value, kind in zip(values, kinds)]
        extra = [] if op is opset1.range else [rng.choice(["f32", "f64", "i32", "i64"])]
        return model_of(op(*[node for node, _ in inputs], *extra), [p for _, more in inputs for p in more])

    return draw


def one_hot(op, modes):
    def draw(rng):
        indices = parameter(rng, rng.choice(["i32", "i64"]), draw_sizes(rng, 0, 3))
        depth, more = some_number(rng, rng.randint(1, 6), rng.choice(["i32", "i64"]))
        kind = rng.choice([*NUMBERS, "boolean"])
        axis = rng.randint(-2, 2)
        extra = [rng.choice(modes)] if modes else []
        return model_of(op(indices, depth, constant(1, kind), constant(0, kind), axis, *extra), [indices, *more])

    return draw


def eye(rng):
    kinds = [rng.choice(["i32", "i64"]) for _ in range(4)]
    inputs = [some_number(rng, value if rng.random() < 0.5 else [value], kind) for value, kind in zip((rng.randint(0, 5), rng.randint(0, 5), 1), kinds)]
    if rng.random() < 0.5:
        sizes = draw_sizes(rng, 1, 3)
        inputs.append(part_of(rng, sizes) if rng.random() < 0.3 else some_constant(rng, sizes, kinds[3]))
    nodes = [node for node, _ in inputs]
    node = opset9.eye(*nodes[:3], rng.choice(["f32", "i32", "i64", "u8"]), *nodes[3:])
    return model_of(node, [p for _, more in inputs for p in more])


def random_uniform(rng):
    sizes, kind = draw_sizes(rng, 1, 4), rng.choice(["f32", "f16", "f64", "bf16", "i32", "i64"])
    shape, more = part_of(rng, sizes) if rng.random() < 0.3 else some_constant(rng, sizes, rng.choice(["i32", "i64"]))
    ends = [constant(value if rng.random() < 0.5 else [value], kind) for value in (0, 5)]
    return model_of(ops.random_uniform(shape, *ends, kind, rng.randint(0, 9), rng.randint(0, 9)), more)


def multinomial(rng):
    sizes = draw_sizes(rng, 2, 2)
    probs = parameter(rng, rng.choice(["f32", "f16", "f64"]), sizes)
    samples, more = some_number(rng, rng.randint(1, sizes[1]), rng.choice(["i32", "i64"]))
    return model_of(opset13.multinomial(probs, samples, rng.choice(["i32", "i64"]), rng.random() < 0.5, rng.random() < 0.5), [probs, *more])


DEVIATIONS = [
    (
        "looser",
        "RandomUniform-8",
        r"^RandomUniform .*: i\d\d\[[0-9?]*(\.\.[0-9]*|\?)\],",
        r"None\), expected \('\w+', \[(\(0, 9223372036854775807\)(, )?)+\]\)",
        "of an open number of sizes the runtime takes the greatest for the rank",
    )
]
DRAWS = {
    "Eye-9": eye,
    "Multinomial-13": multinomial,
    "OneHot-1": one_hot(opset1.one_hot, []),
    "OneHot-16": one_hot(ops.one_hot, ["ignore_negative", "normalize"]),
    "RandomUniform-8": random_uniform,
    "Range-1": range_(opset1.range, ["i32", "i64", "f32"]),
    "Range-4": range_(opset4.range, ["i32", "i64", "f32", "u8"]),
}
