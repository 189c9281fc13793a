"""Makes the cases of chains: small ops around pools, as model converters write them."""

import numpy as np

from cases.case import Case, draw, random
from oracle import conversions, elementwise, ir, layouts, pools, reductions
from oracle.windows import Pool


def lp_pool():
    """Makes an LpPool of ONNX as OpenVINO converts it: sqrt(taps * mean(|x|^2)), where `taps` is the number of elements
    of the 3x3 window."""
    model = ir.Model("lp_pool")
    x = model.parameter("x", "f32", [1, 2, 8, 8])
    order, taps, root = (model.const(name, np.array(value, np.float32)) for name, value in (("p", 2), ("taps", 9), ("root", 0.5)))
    y = elementwise.add_elementwise(model, "Abs", "abs", [x])
    y = elementwise.add_elementwise(model, "Power", "power", [y, order])
    y = pools.add_avg_pool(model, "pool", y, Pool([3, 3], [2, 2], [1, 1], [1, 1], False))
    y = elementwise.add_elementwise(model, "Multiply", "multiply", [y, taps])
    y = elementwise.add_elementwise(model, "Power", "rooted", [y, conversions.add_convert_like(model, "like", root, x)])
    model.result("y", y)
    return Case("lp_pool", model, [draw(random("lp_pool"), "f32", [1, 2, 8, 8])])


def channels_last():
    """Makes a network with NHWC input. A Transpose to NCHW stands before its pools. Its output is a table of mean
    features."""
    model = ir.Model("channels_last")
    x = model.parameter("x", "u8", [2, 9, 7, 3])
    wide = conversions.add_convert(model, "to_f32", x, "f32")
    order = model.const("order", np.array([0, 3, 1, 2], np.int64))
    first = layouts.add_layout(model, "Transpose", "nchw", [wide, order], (2, 3, 9, 7))
    left = pools.add_max_pool(model, "max", first, Pool([3, 3], [2, 2], [1, 1], [1, 1]), "opset1")
    right = pools.add_avg_pool(model, "mean", first, Pool([3, 3], [2, 2], [1, 1], [1, 1], True))
    both = layouts.add_layout(model, "Concat", "both", [left, right], (2, 6, 5, 4), axis="1")
    offset = model.const("offset", draw(random("offset"), "f32", [6, 1, 1]))
    moved = elementwise.add_elementwise(model, "Add", "moved", [both, offset])
    axes = model.const("axes", np.array([2, 3], np.int64))
    mean = reductions.add_reduction(model, "ReduceMean", "global", moved, axes, (2, 6, 1, 1), True)
    dropped = layouts.add_layout(model, "Squeeze", "dropped", [mean, axes], (2, 6))
    target = model.const("target", np.array([0, 2, -1], np.int64))
    model.result("y", layouts.add_layout(model, "Reshape", "y", [dropped, target], (2, 2, 3), special_zero="true"))
    return Case("channels_last", model, [draw(random("channels_last"), "u8", [2, 9, 7, 3])])


def all_cases():
    yield lp_pool()
    yield channels_last()
