"""Draws Einsum, ScaledDotProductAttention, GroupedMatMul and Inverse."""

import openvino as ov
from openvino import opset16 as ops

from draw_shapes import FLOATS, NUMBERS, draw_sizes, model_of, open_dims, parameter
from shapes_elementwise import create
from shapes_matrix import stretched

LABELS = "abcdAZ"


def einsum(rng):
    kind, sizes, batch = rng.choice(NUMBERS), dict(zip(LABELS, draw_sizes(rng, 6, 6))), draw_sizes(rng, 0, 2)
    inputs, subscripts, has_dots = [], [], rng.random() < 0.4
    for _ in range(rng.randint(1, 3)):
        labels = rng.sample(LABELS, rng.randint(0, 3))
        at, axes = rng.randint(0, len(labels)), [sizes[label] for label in labels]
        if has_dots:
            axes[at:at] = stretched(rng, batch)
            labels[at:at] = ["..."]
        subscripts.append("".join(labels))
        inputs.append(ops.parameter(open_dims(rng, axes) if not has_dots else known_rank(rng, axes), getattr(ov.Type, kind)))
    equation = ",".join(subscripts)
    if rng.random() < 0.8:
        found = sorted({c for c in equation if c in LABELS})
        output = rng.sample(found, rng.randint(0, len(found)))
        output[rng.randint(0, len(output)) : 0] = ["..."] if has_dots else []
        equation += "->" + "".join(output)
    return model_of(ops.einsum(inputs, equation), inputs)


def known_rank(rng, sizes):
    """Returns open dims of a known rank, because the runtime refuses an ellipsis for an input of unknown rank."""
    shape = open_dims(rng, sizes)
    return ov.PartialShape(sizes) if shape.rank.is_dynamic else shape


def attention(rng):
    kind, batch, (places, sources, features, values) = rng.choice(FLOATS), draw_sizes(rng, 1, 2), draw_sizes(rng, 4, 4)
    inputs = [
        parameter(rng, kind, [*batch, places, features]),
        parameter(rng, kind, [*wide(rng, batch), sources, features]),
        parameter(rng, kind, [*wide(rng, batch), sources, values]),
    ]
    if rng.random() < 0.6:
        axes = [*(stretched(rng, batch) if rng.random() < 0.7 else []), rng.choice([places, 1]), sources]
        inputs.append(parameter(rng, rng.choice([kind, "boolean"]), axes if rng.random() < 0.8 else []))
        if rng.random() < 0.5:
            inputs.append(parameter(rng, kind, rng.choice([[], [1]])))
            if rng.random() < 0.5:
                inputs.append(parameter(rng, kind, [*wide(rng, [*batch, places]), 1], chance=0))
    return model_of(create(13, "ScaledDotProductAttention", inputs, {"causal": rng.random() < 0.3}), inputs)


def grouped_mat_mul(rng):
    kind, (groups, rows, columns, terms) = rng.choice(NUMBERS), draw_sizes(rng, 4, 4)
    first = [groups, rows, terms] if rng.random() < 0.5 else [rows, terms]
    inputs = [parameter(rng, kind, first), parameter(rng, kind, [groups, columns, terms])]
    if len(first) == 2:
        inputs.append(parameter(rng, rng.choice(["i32", "i64"]), [groups]))
    return model_of(create(17, "GroupedMatMul", inputs), inputs)


def wide(rng, batch):
    """Returns the sizes, some replaced by 1."""
    return [1 if rng.random() < 0.3 else size for size in batch]


def inverse(rng):
    *batch, rows = draw_sizes(rng, 1, 4)
    data = parameter(rng, rng.choice(FLOATS), [*batch, rows, rows])
    return model_of(ops.inverse(data, rng.random() < 0.5), [data])


DRAWS = {"Einsum-7": einsum, "ScaledDotProductAttention-13": attention, "Inverse-14": inverse, "GroupedMatMul-17": grouped_mat_mul}
# If an input's rank is unknown, its batch axes can broadcast the output's and raise the rank. The runtime ignores that.
DEVIATIONS = [
    (
        "looser",
        "ScaledDotProductAttention-13",
        r"^ScaledDotProductAttention .*\w\[\.\.\.\]",
        r"None\), expected \('\w+', \[\(\d+, \d+\), \(\d+, \d+\), \(",
        "of an input of no known rank irrun tells nothing",
    )
]
