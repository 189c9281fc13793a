"""Draws reductions, and sums along an axis."""

import numpy as np
import openvino as ov
from openvino import opset16 as ops

from draw_shapes import NUMBERS, constant, draw_sizes, model_of, parameter, standing_for


def axes_of(rng, rank):
    """Returns some axes, counted from either end. Rarely they are a scalar, or a Parameter."""
    chosen = rng.sample(range(rank), rng.randint(0, rank))
    signed = [axis - rank if rng.random() < 0.4 else axis for axis in chosen]
    if rng.random() < 0.15:
        return standing_for(parameter(rng, rng.choice(["i32", "i64"]), [len(signed)], 0.2), signed)
    if len(signed) == 1 and rng.random() < 0.3:
        return constant(signed[0])
    return constant(np.array(signed, np.int64), rng.choice(["i32", "i64"]))


def reduction(name, kinds):
    def draw(rng):
        data = parameter(rng, rng.choice(kinds), draw_sizes(rng, 0, 4))
        rank = data.get_output_partial_shape(0).rank
        axes = axes_of(rng, 2 if rank.is_dynamic else rank.get_length())
        inputs = [data, *([axes] if axes.get_type_name() == "Parameter" else [])]
        return model_of(getattr(ops, name)(data, axes, rng.random() < 0.5), inputs)

    return draw


def cum_sum(rng):
    data = parameter(rng, rng.choice(NUMBERS), draw_sizes(rng, 1, 4))
    rank = data.get_output_partial_shape(0).rank
    rank = 1 if rank.is_dynamic else rank.get_length()
    axis = constant(rng.randint(-rank, rank - 1), rng.choice(["i32", "i64"]))
    return model_of(ops.cum_sum(data, axis, rng.random() < 0.5, rng.random() < 0.5), [data])


def counted_elements(name):
    """Makes a draw of a Reshape to the reduction of a small constant list, which inference must compute."""

    def draw(rng):
        size = getattr(ops, name)(constant(draw_sizes(rng, 1, 3)), constant([0]), True)
        filled = ops.parameter(ov.PartialShape.dynamic(), ov.Type.f32)
        return model_of(ops.reshape(filled, size, False), [filled])

    return draw


def either(*draws):
    return lambda rng: rng.choice(draws)(rng)


DRAWS = {
    "CumSum-3": cum_sum,
    "ReduceL1-4": reduction("reduce_l1", NUMBERS),
    "ReduceL2-4": reduction("reduce_l2", NUMBERS),
    "ReduceLogicalAnd-1": reduction("reduce_logical_and", ["boolean"]),
    "ReduceLogicalOr-1": reduction("reduce_logical_or", ["boolean"]),
    "ReduceMin-1": either(reduction("reduce_min", NUMBERS), counted_elements("reduce_min")),
    "ReduceProd-1": either(reduction("reduce_prod", NUMBERS), counted_elements("reduce_prod")),
    "ReduceSum-1": either(reduction("reduce_sum", NUMBERS), counted_elements("reduce_sum")),
}
