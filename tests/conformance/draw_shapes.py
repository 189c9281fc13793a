"""Makes parts of models for the modules shapes_*.py: Parameters of fixed and open sizes, and Constants."""

import numpy as np
import openvino as ov
from openvino import opset16 as ops

FLOATS = ["f32", "f32", "f16", "f64", "bf16"]
NUMBERS = [*FLOATS, "i8", "i32", "i64", "u8", "u32"]
DRAWING = {"open": True}  # whether sizes can be open; False if the model is run
NUMBERS_OF = {}  # {name of a Parameter: its elements in a run}, for lists that could be Constants too


def open_dims(rng, sizes, chance=0.4):
    """Returns a PartialShape that allows `sizes`. Sometimes sizes are open; rarely the rank is unknown."""
    if not DRAWING["open"]:
        return ov.PartialShape(list(sizes))
    if rng.random() < 0.03:
        return ov.PartialShape.dynamic()
    is_open = rng.random() < chance
    return ov.PartialShape([open_dim(rng, size) if is_open and rng.random() < 0.5 else ov.Dimension(size) for size in sizes])


def open_dim(rng, size):
    if not DRAWING["open"]:
        return ov.Dimension(size)
    kind = rng.randrange(4)
    if kind == 0:
        return ov.Dimension(max(0, size - rng.randint(0, 3)), size + rng.randint(0, 5))
    return ov.Dimension(max(0, size - rng.randint(0, 3)), -1) if kind == 1 else ov.Dimension()


def type_of(name):
    return getattr(ov.Type, name)


def parameter(rng, element_type, sizes, chance=0.4):
    return ops.parameter(open_dims(rng, sizes, chance), type_of(element_type))


def constant(values, element_type="i64"):
    return ops.constant(np.array(values), dtype=type_of(element_type))


def standing_for(node, numbers):
    """Records the Parameter's elements in a run. Returns the same Parameter."""
    NUMBERS_OF[node.get_friendly_name()] = numbers
    return node


def model_of(node, parameters):
    """Makes a model whose results are the node's outputs."""
    return ov.Model([ops.result(output) for output in node.outputs()], parameters, "random")


def draw_sizes(rng, rank_min, rank_max, sizes=(1, 2, 3, 4, 5, 7)):
    return [rng.choice(sizes) for _ in range(rng.randint(rank_min, rank_max))]


def stretched(rng, sizes):
    """Returns sizes that broadcast to `sizes` by numpy's rules."""
    axes = sizes[rng.randint(0, len(sizes)) :] if rng.random() < 0.5 else sizes
    return [1 if rng.random() < 0.3 else size for size in axes]
